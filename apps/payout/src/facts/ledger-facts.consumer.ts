import { Injectable } from '@nestjs/common';
import { LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import { FactHandler, firstTransactionOf } from '@stablecoin/facts/fact-handler';
import { Sql } from '@stablecoin/persistence/sql';
import { DepositConfirmations } from '../payout-process/deposit-confirmations';
import { payoutsInFact } from '../payout-process/accepted-payout';
import { PayoutStore } from '../payout-process/payout-store';
import { PayoutWaits } from '../payout-process/payout-waits';
import { ProcessWorker } from '../payout-process/process-worker';
import { PayoutDatabase } from '../persistence/payout-database';

/** Stores accepted payouts, whose process begins with that, and closes those that the ledger reports as ended. */
@Injectable()
export class LedgerFactsConsumer implements FactHandler {
  readonly durable = 'payout';
  readonly movements = [
    'payout-accepted',
    'payout-completed',
    'payout-failed',
    'payout-reversed',
    'payout-waiting',
    'payout-approved',
    'payout-released',
    'deposit-recorded',
    'deposit-completed',
    'deposit-failed',
  ] as const;
  readonly keepsInbox = true;

  constructor(
    readonly database: PayoutDatabase,
    private readonly books: PayoutStore,
    private readonly deposits: DepositConfirmations,
    private readonly waits: PayoutWaits,
    private readonly worker: ProcessWorker,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  /** The payout or deposit: facts of different ones do not depend on each other. */
  concerns(fact: LedgerFact): string {
    return firstTransactionOf(fact).id;
  }

  async handle(transaction: Sql, facts: LedgerFact[]): Promise<void> {
    const of = (movement: Movement) => facts.filter((fact) => fact.movement === movement);
    const payouts = (movement: Movement) => of(movement).flatMap(payoutsInFact);
    // A payout appears at most once per movement, and this is the only order in which it moves.
    await this.books.accept(transaction, [...payouts('payout-accepted'), ...payouts('payout-released')]);
    await this.books.close(transaction, payouts('payout-completed'), 'completed');
    await this.books.close(transaction, payouts('payout-failed'), 'failed');
    await this.books.close(transaction, payouts('payout-reversed'), 'reversed');
    await this.waits.expect(transaction, of('payout-waiting'));
    await this.waits.approved(transaction, of('payout-approved'));
    await this.waits.end(
      transaction,
      [...payouts('payout-released'), ...payouts('payout-failed')].map(({ id }) => id),
    );
    await this.deposits.expect(transaction, of('deposit-recorded'), [
      ...of('deposit-completed'),
      ...of('deposit-failed'),
    ]);
  }

  handled(): void {
    this.worker.wake();
  }
}
