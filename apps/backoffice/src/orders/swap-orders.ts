import { Injectable } from '@nestjs/common';
import { SwapOrder } from '@stablecoin/command-proofs/order';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { dryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { ExecuteSwap, executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import {
  presentSwapTransaction,
  presentSwapTransactionDryRun,
} from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { MerchantMember } from '../commands/merchant-member';
import { DeviceAnswer } from '../passkeys/device-answer';
import { SwapBody } from './order-requests';
import { OrderSigning } from './order-signing';
import { requestOf } from './request-of';

type Executed = Omit<Plain<ExecuteSwap>, 'input_hash' | 'signed_order'>;

/** Swaps that people order: of a quote that was made for the person, who signs its amounts and price. */
@Injectable()
export class SwapOrders {
  constructor(
    private readonly owners: Owners,
    private readonly signing: OrderSigning,
    private readonly bus: BusClient,
  ) {}

  async quoted(body: Plain<SwapBody>, member: MerchantMember) {
    const { merchant_id, mode: key_mode, shard } = member.merchant;
    const owner = await this.owners.findOpen(requestOf(member.merchant), body.customer_id);
    const { command_id, valid_until, ...terms } = this.signing.terms(member);
    const quoting = derivedCommand(`console-quote:${command_id}`, body);
    const { result: quote } = await this.bus.call(createQuote, { ...body, merchant_id, key_mode, ...quoting });
    const { from_currency, to_currency, amount } = body;
    const { customer_id } = owner;
    const command: Executed = {
      ...{ merchant_id, customer_id, from_currency, to_currency, amount, quote_id: quote.id, shard, command_id },
    };
    const swap = await this.bus.call(dryRunExecuteSwap, { ...command, input_hash: quoting.input_hash });
    const order: SwapOrder = {
      ...{ type: 'swap-order', ...terms, command_id, customer_id, swap_id: quote.id },
      ...{ from_currency, to_currency, from_amount: quote.from_amount, to_amount: quote.to_amount },
      price: quote.quoted_price,
      // Of the two the earlier one, as both are printed alike.
      valid_until: quote.expires_at < valid_until ? quote.expires_at : valid_until,
    };
    const preview = {
      debit: presentSwapTransactionDryRun(swap.debit_transaction),
      credit: presentSwapTransactionDryRun(swap.credit_transaction),
    };
    return { preview, ...(await this.signing.issue({ order, command }, member)) };
  }

  async execute(sealed: string, answer: DeviceAnswer, member: MerchantMember) {
    const act = ({ command_id, from_currency, from_amount, to_currency }: SwapOrder) =>
      ({ action: 'swap-ordered', details: { command_id, from_currency, from_amount, to_currency } }) as const;
    const signed = await this.signing.taken<'swap-order', Executed>('swap-order', sealed, answer, act, member);
    const { command, input_hash, evidence: signed_order } = signed;
    const { result } = await this.bus.call(executeSwap, { ...command, input_hash, signed_order });
    return {
      debit: presentSwapTransaction(result.debit_transaction),
      credit: presentSwapTransaction(result.credit_transaction),
      swap_id: result.swap_id,
    };
  }
}
