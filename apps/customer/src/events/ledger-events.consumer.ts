import { Injectable } from '@nestjs/common';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { recordEvents } from '@stablecoin/customer-store/events/record-events';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import { FactHandler, firstTransactionOf } from '@stablecoin/facts/fact-handler';
import { Sql } from '@stablecoin/persistence/sql';
import { CustomerConfiguration } from '../customer.configuration';
import { DeliveryWorker } from '../webhooks/delivery-worker';
import { eventOfFact, TOLD_MOVEMENTS } from './ledger-event';
import { retainedSince } from './retained-since';

/**
 * Turns facts of the ledger into events, one each. The table of events is its own inbox: an event's id is derived from
 * its fact, so a fact that comes again conflicts with the primary key. Facts older than the retention are ignored: a
 * stream that was refilled from its beginning would otherwise bring back purged events.
 */
@Injectable()
export class LedgerEventsConsumer implements FactHandler {
  readonly durable = 'customer-events';
  readonly movements = TOLD_MOVEMENTS;
  readonly keepsInbox = false;

  constructor(
    readonly database: CustomerDatabase,
    private readonly clock: Clock,
    private readonly configuration: CustomerConfiguration,
    private readonly deliveries: DeliveryWorker,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  /** The transaction: its merchant learns of its return after its arrival. Both sides of a swap are one fact. */
  concerns(fact: LedgerFact): string {
    return firstTransactionOf(fact).id;
  }

  async handle(transaction: Sql, facts: LedgerFact[]): Promise<void> {
    const since = retainedSince(this.clock.now(), this.configuration.eventRetentionDays);
    const events = facts.flatMap((fact) => eventOfFact(fact) ?? []).filter(({ created_at }) => created_at >= since);
    await recordEvents(transaction, events);
  }

  handled(): void {
    this.deliveries.wake();
  }
}
