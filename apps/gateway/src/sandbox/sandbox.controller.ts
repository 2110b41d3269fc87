import { Controller, Param, Post } from '@nestjs/common';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { SimulatedDepositOutcome, simulateDepositOutcome } from '@stablecoin/contracts/payout/simulate-deposit-outcome';
import { SimulatedOutcome, simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Currency } from '@stablecoin/money/currency';
import { Caller, FromCaller } from '../authentication/caller';
import { success, successOf } from '@stablecoin/http-answers/envelope';
import { FromBody, NoFields } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { TransactionPrinter } from '@stablecoin/merchant-resources/transactions/transaction-printer';
import { transactionName } from '@stablecoin/merchant-resources/transactions/transaction-name';
import { presentTransaction, TRANSACTION } from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { SimulateDepositBody } from './sandbox-requests';

const DEPOSIT_OUTCOME = {
  answer: 'The transaction',
  responds: successOf(TRANSACTION),
  errors: simulateDepositOutcome.errors,
  sandboxOnly: true,
};
const OUTCOME = {
  answer: 'The transaction',
  responds: successOf(TRANSACTION),
  errors: simulatePayoutOutcome.errors,
  sandboxOnly: true,
};

/** Lets a merchant simulate what banks and chains do. Its routes exist for test keys only. */
@Controller('sandbox')
export class SandboxController {
  constructor(
    private readonly bus: BusClient,
    private readonly printer: TransactionPrinter,
  ) {}

  @Post('deposits')
  @Route({
    operationId: 'createSandboxDeposit',
    summary: 'Let a deposit arrive in a wallet',
    answer: 'The deposit as it was recorded: PENDING',
    needs: 'There is the wallet: `openWallet`.',
    bodies: { 'Into your own wallet': { currency: 'USDT', amount: '100' } },
    responds: successOf(TRANSACTION),
    errors: [...simulateDeposit.errors, 'wallet_not_found'],
    sandboxOnly: true,
  })
  async deposit(
    @FromCaller() caller: Caller,
    @FromBody(SimulateDepositBody) { currency, ...body }: Plain<SimulateDepositBody>,
    @FromCommand() command: Command,
  ) {
    // One of the two is present: the body's class requires it.
    const wallet_id = body.wallet_id ?? (await this.ownWallet(caller, currency as Currency));
    const view = command.resultOf(
      await this.bus.call(simulateDeposit, { ...body, wallet_id, shard: caller.shard, ...command.ids }),
    );
    return success(await this.printer.print(view, presentTransaction));
  }

  @Post('deposits/:id/complete')
  @Route({ operationId: 'completeSandboxDeposit', summary: 'Let a pending deposit become final', ...DEPOSIT_OUTCOME })
  completeDeposit(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulateDeposit(caller, id, 'complete', command);
  }

  @Post('deposits/:id/fail')
  @Route({ operationId: 'failSandboxDeposit', summary: 'Let a pending deposit fail', ...DEPOSIT_OUTCOME })
  failDeposit(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulateDeposit(caller, id, 'fail', command);
  }

  @Post('deposits/:id/reverse')
  @Route({
    operationId: 'reverseSandboxDeposit',
    summary: 'Let a completed deposit be reversed, its money spent or not',
    ...DEPOSIT_OUTCOME,
  })
  reverseDeposit(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulateDeposit(caller, id, 'reverse', command);
  }

  @Post('payouts/:id/complete')
  @Route({ operationId: 'completeSandboxPayout', summary: 'Let a payout arrive', ...OUTCOME })
  complete(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulate(caller, id, 'complete', command);
  }

  @Post('payouts/:id/fail')
  @Route({ operationId: 'failSandboxPayout', summary: 'Let a payout fail', ...OUTCOME })
  fail(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulate(caller, id, 'fail', command);
  }

  @Post('payouts/:id/return')
  @Route({ operationId: 'returnSandboxPayout', summary: 'Let a completed payout come back', ...OUTCOME })
  return(
    @FromCaller() caller: Caller,
    @Param('id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    return this.simulate(caller, id, 'return', command);
  }

  private async ownWallet({ merchant_id, shard }: Caller, currency: Currency): Promise<string> {
    const { items } = await this.bus.call(listWallets, { merchant_id, currency, page: 1, limit: 1 }, { shard });
    if (!items[0]) throw new Refusal('wallet_not_found');
    return items[0].id;
  }

  private async simulateDeposit(caller: Caller, name: string, outcome: SimulatedDepositOutcome, command: Command) {
    const { shard } = caller;
    const id = await this.transactionId(caller, transactionName(name));
    const reply = await this.bus.call(simulateDepositOutcome, { id, outcome, shard, ...command.ids });
    return success(await this.printer.print(command.resultOf(reply), presentTransaction));
  }

  private async simulate({ shard }: Caller, id: string, outcome: SimulatedOutcome, command: Command) {
    const reply = await this.bus.call(simulatePayoutOutcome, {
      transaction: transactionName(id),
      outcome,
      shard,
      ...command.ids,
    });
    return success(await this.printer.print(command.resultOf(reply), presentTransaction));
  }

  private async transactionId({ merchant_id, shard }: Caller, name: string): Promise<string> {
    if (isUuid(name)) return name;
    return (await this.bus.call(getTransaction, { merchant_id, transaction_id: name }, { shard })).id;
  }
}
