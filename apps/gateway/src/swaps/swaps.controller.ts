import { Controller, Post } from '@nestjs/common';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { message, success, successOf } from '../routes/envelope';
import { FromBody } from '../routes/input';
import { resource, uuid } from '../routes/response-schema';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '../owners/owners';
import { presentSwapTransaction, SWAP_TRANSACTION } from '../transactions/transaction.presenter';
import { ExecuteSwapBody } from './swap-requests';

const EXECUTED_SWAP = resource('ExecutedSwap', {
  debitTransaction: SWAP_TRANSACTION,
  creditTransaction: SWAP_TRANSACTION,
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
    answer: 'Both transactions, PENDING, and the swapId',
    needs:
      'There is an open quote (`createQuote`), a wallet in either currency (`openWallet`), and the money in the first one.',
    bodies: { 'On the latest quote': { from_currency: 'USDT', to_currency: 'NGN', amount: '40' } },
    responds: successOf(EXECUTED_SWAP, message),
    cost: 3,
    errors: executeSwap.errors,
  })
  async execute(
    @FromCaller() caller: Caller,
    @FromBody(ExecuteSwapBody) body: Plain<ExecuteSwapBody>,
    @FromCommand() command: Command,
  ) {
    if (body.customer_id) await this.owners.findOpen(command, body.customer_id);
    const reply = await this.bus.call(executeSwap, { ...body, shard: caller.shard, ...command.ids });
    const swap = command.resultOf(reply);
    const data = {
      debitTransaction: presentSwapTransaction(swap.debit_transaction),
      creditTransaction: presentSwapTransaction(swap.credit_transaction),
      swapId: swap.swap_id,
    };
    return success(data, 'Swap initiated successfully');
  }
}
