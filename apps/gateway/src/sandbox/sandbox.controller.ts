import { Controller, Param, Post } from '@nestjs/common';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { SimulatedOutcome, simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { success, successOf } from '../routes/envelope';
import { FromBody, NoFields } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Destinations } from '../transactions/destinations';
import { presentTransaction, TRANSACTION } from '../transactions/transaction.presenter';
import { SimulateDepositBody } from './sandbox-requests';

const TRANSACTION_ID = /^[A-Z0-9]{10}$/;
const OUTCOME = {
  answer: 'The transaction',
  responds: successOf(TRANSACTION),
  errors: simulatePayoutOutcome.errors,
  sandboxOnly: true,
};

/** What a bank and the chains do, told by the merchant: with test keys only, with live ones it isn't there. */
@Controller('sandbox')
export class SandboxController {
  constructor(
    private readonly bus: BusClient,
    private readonly destinations: Destinations,
  ) {}

  @Post('deposits')
  @Route({
    summary: 'Let a deposit arrive in a wallet',
    answer: 'The deposit as it was recorded: PENDING',
    responds: successOf(TRANSACTION),
    errors: simulateDeposit.errors,
    sandboxOnly: true,
  })
  async deposit(
    @FromCaller() { shard }: Caller,
    @FromBody(SimulateDepositBody) body: SimulateDepositBody,
    @FromCommand() command: Command,
  ) {
    const view = command.resultOf(await this.bus.call(simulateDeposit, { ...body, shard, ...command.ids }));
    return success(await this.destinations.present(view, presentTransaction));
  }

  @Post('payouts/:id/complete')
  @Route({ summary: 'Let a payout arrive', ...OUTCOME })
  complete(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.tell(caller, id, 'complete', command);
  }

  @Post('payouts/:id/fail')
  @Route({ summary: 'Let a payout fail', ...OUTCOME })
  fail(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.tell(caller, id, 'fail', command);
  }

  @Post('payouts/:id/return')
  @Route({ summary: 'Let a completed payout come back', ...OUTCOME })
  return(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.tell(caller, id, 'return', command);
  }

  private async tell({ shard }: Caller, id: string, outcome: SimulatedOutcome, command: Command) {
    const transaction = isUuid(id) ? id.toLowerCase() : id;
    if (!isUuid(id) && !TRANSACTION_ID.test(id)) throw new Refusal('not_found');
    const reply = await this.bus.call(simulatePayoutOutcome, { transaction, outcome, shard, ...command.ids });
    return success(await this.destinations.present(command.resultOf(reply), presentTransaction));
  }
}
