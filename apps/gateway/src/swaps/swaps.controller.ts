import { Controller, Post } from '@nestjs/common';
import { executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { success } from '../http/envelope';
import { FromBody } from '../http/input';
import { Route } from '../http/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '../owners/owners';
import { presentSwapTransaction } from '../transactions/transaction.presenter';
import { ExecuteSwapBody } from './swap-requests';

@Controller('swaps')
export class SwapsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
  ) {}

  @Post()
  @Route({
    summary: 'Execute a swap, on the latest open quote of this owner, pair and amount, or on the one named',
    answer: 'Both transactions, PENDING, and the swapId',
    errors: executeSwap.errors,
  })
  async execute(
    @FromCaller() caller: Caller,
    @FromBody(ExecuteSwapBody) body: ExecuteSwapBody,
    @FromCommand() command: Command,
  ) {
    if (body.customer_id) await this.owners.findForMovement(command, body.customer_id);
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
