import { Injectable } from '@nestjs/common';
import { PayoutOrder } from '@stablecoin/command-proofs/order';
import { dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { NewPayouts, PayoutTerms } from '@stablecoin/merchant-resources/payouts/new-payouts';
import { Destinations } from '@stablecoin/merchant-resources/transactions/destinations';
import { presentPayoutDryRun } from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { MerchantMember, signerOf } from '../commands/merchant-member';
import { DeviceAnswer } from '../passkeys/device-answer';
import { AskingMerchant } from '../reads/from-merchant';
import { MerchantTransactions, PrintedTransaction } from '../transactions/merchant-transactions';
import { BankPayoutBody, WalletPayoutBody } from './order-requests';
import { OrderSigning } from './order-signing';
import { requestOf } from './request-of';

type Held = Omit<Plain<HoldPayout>, 'input_hash'>;

/**
 * Payouts that people order. What the ledger would hold is tried out and shown, and the passkey signs all terms of it: the ledger holds
 * exactly that, by the evidence of the signature, or nothing.
 */
@Injectable()
export class PayoutOrders {
  constructor(
    private readonly payouts: NewPayouts,
    private readonly owners: Owners,
    private readonly destinations: Destinations,
    private readonly transactions: MerchantTransactions,
    private readonly signing: OrderSigning,
    private readonly bus: BusClient,
  ) {}

  async toBank(body: Plain<BankPayoutBody>, member: MerchantMember) {
    return this.offered(await this.payouts.toBank(member.merchant, requestOf(member.merchant), body), member);
  }

  async toWallet(body: Plain<WalletPayoutBody>, member: MerchantMember) {
    return this.offered(await this.payouts.toWallet(member.merchant, requestOf(member.merchant), body), member);
  }

  async pay(sealed: string, answer: DeviceAnswer, member: MerchantMember): Promise<PrintedTransaction> {
    const act = ({ command_id, currency, amount }: PayoutOrder) =>
      ({ action: 'payout-ordered', details: { command_id, currency, amount } }) as const;
    const signed = await this.signing.taken<'payout-order', Held>('payout-order', sealed, answer, act, member);
    const { command, input_hash, evidence } = signed;
    const { merchant } = member;
    const sent = this.bus.call(holdPayout, { ...command, input_hash }, { shard: merchant.shard, evidence });
    return this.transactions.print((await sent).result, merchant);
  }

  private async offered(asked: PayoutTerms, member: MerchantMember) {
    const { session, merchant } = member;
    const { command_id, ...terms } = this.signing.terms(member);
    const held: Held = {
      ...{ ...asked, merchant_id: merchant.merchant_id, command_id },
      ...{ key_mode: merchant.mode, signer: signerOf(session), fee_schedule: await this.feeOf(merchant) },
    };
    const view = await this.bus.call(dryRunHoldPayout, { ...held, input_hash: NO_HASH }, { shard: merchant.shard });
    const order: PayoutOrder = {
      ...{ type: 'payout-order', ...terms, command_id, customer_id: asked.customer_id ?? null },
      ...{ currency: asked.currency, amount: view.amount, fee: view.fee, exchange_rate: asked.exchange_rate },
      recipient_currency: asked.rail === 'bank' ? asked.recipient_currency : null,
      ...{ network: asked.network ?? null, bank_code: asked.bank_code ?? null },
      ...{ sealed_destination: asked.sealed_destination, destination_hash: asked.destination_hash as string },
    };
    const preview = presentPayoutDryRun(view, await this.destinations.of(view));
    return { preview, ...(await this.signing.issue({ order, command: held }, member)) };
  }

  /** A customer service of the version before does not say: then nothing is paid for less than was agreed. */
  private async feeOf({ merchant_id }: AskingMerchant) {
    const { payout_fee_schedule } = await this.owners.find(merchant_id);
    if (payout_fee_schedule === undefined) throw new Refusal('unavailable');
    return payout_fee_schedule;
  }
}

/** Of a dry run nothing is stored. */
const NO_HASH = '0'.repeat(64);
