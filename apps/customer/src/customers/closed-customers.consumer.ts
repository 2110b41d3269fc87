import { Injectable } from '@nestjs/common';
import { LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { customerEvent, CustomerOfEvent } from '@stablecoin/customer-store/events/customer-event';
import { recordEvents } from '@stablecoin/customer-store/events/record-events';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import { FactHandler } from '@stablecoin/facts/fact-handler';
import { Sql } from '@stablecoin/persistence/sql';

/**
 * Marks customers closed that the ledger has closed. Usually the request has done so already; this repairs a crash
 * between the ledger's commit and our own. The broker may be away at the start; the consumer keeps trying.
 */
@Injectable()
export class ClosedCustomersConsumer implements FactHandler {
  readonly durable = 'customer';
  readonly movements: readonly Movement[] = ['customer-closed'];
  readonly keepsInbox = true;

  constructor(
    readonly database: CustomerDatabase,
    private readonly clock: Clock,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  concerns({ customer_id, merchant_id }: LedgerFact): string {
    return customer_id ?? merchant_id;
  }

  async handle(transaction: Sql, facts: LedgerFact[]): Promise<void> {
    const ids = facts.flatMap(({ customer_id }) => customer_id ?? []);
    const closed = await transaction.$queryRaw<CustomerOfEvent[]>`
      UPDATE customers SET status = 'closed', event_sequence = event_sequence + 1, updated_at = ${this.clock.now()}
      WHERE id = ANY (${ids}::uuid[]) AND status = 'active'
      RETURNING id, merchant_id, customer_type, status, kyc_status, event_sequence, created_at, updated_at`;
    await recordEvents(
      transaction,
      closed.map((customer) => customerEvent('customer.closed', customer)),
    );
  }
}
