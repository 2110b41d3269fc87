import { Controller, Post } from '@nestjs/common';
import { dryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { message, success, successOf } from '@stablecoin/http-answers/envelope';
import { FromBody } from '../routes/input';
import { always, either, resource, uuid } from '@stablecoin/http-answers/response-schema';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import {
  presentSwapTransaction,
  presentSwapTransactionDryRun,
  SWAP_TRANSACTION,
  SWAP_TRANSACTION_DRY_RUN,
} from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { ExecuteSwapBody } from '@stablecoin/merchant-resources/swaps/swap-requests';

const EXECUTED_SWAP = resource('ExecutedSwap', {
  debitTransaction: SWAP_TRANSACTION,
  creditTransaction: SWAP_TRANSACTION,
  swapId: uuid,
});

/** `swapId` is the quote that the swap would use, which stays open. */
const SWAP_DRY_RUN = resource('SwapDryRun', {
  dry_run: always(true),
  debitTransaction: SWAP_TRANSACTION_DRY_RUN,
  creditTransaction: SWAP_TRANSACTION_DRY_RUN,
  swapId: uuid,
});

@Controller('swaps')
export class SwapsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
  ) {}

  @Post()
  @Route({
    operationId: 'executeSwap',
    summary: 'Execute a swap, on the latest open quote of this owner, pair and amount, or on the one named',
    answer: 'Both transactions, PENDING, and the swapId; with `dry_run` as they would be, and nothing is written',
    needs:
      'There is an open quote (`createQuote`), a wallet in either currency (`openWallet`), and the money in the first one.',
    bodies: { 'On the latest quote': { from_currency: 'USDT', to_currency: 'NGN', amount: '40' } },
    responds: successOf(either(EXECUTED_SWAP, SWAP_DRY_RUN), message),
    cost: 3,
    errors: executeSwap.errors,
  })
  async execute(
    @FromCaller() caller: Caller,
    @FromBody(ExecuteSwapBody) { dry_run, ...body }: Plain<ExecuteSwapBody>,
    @FromCommand() sent: Command,
  ) {
    const command = dry_run ? sent.asDryRun() : sent;
    if (body.customer_id) await this.owners.findOpen(command, body.customer_id);
    const request = { ...body, shard: caller.shard, ...command.ids };
    if (command.isDryRun) {
      const { debit_transaction, credit_transaction, swap_id } = await this.bus.call(dryRunExecuteSwap, request);
      const data = {
        dry_run: true as const,
        debitTransaction: presentSwapTransactionDryRun(debit_transaction),
        creditTransaction: presentSwapTransactionDryRun(credit_transaction),
        swapId: swap_id,
      };
      return success(data, 'The swap would be accepted; nothing was written');
    }
    const swap = command.resultOf(await this.bus.call(executeSwap, request));
    const data = {
      debitTransaction: presentSwapTransaction(swap.debit_transaction),
      creditTransaction: presentSwapTransaction(swap.credit_transaction),
      swapId: swap.swap_id,
    };
    return success(data, 'Swap initiated successfully');
  }
}
