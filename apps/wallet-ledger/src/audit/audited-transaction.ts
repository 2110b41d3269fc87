import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { groupsOfTransaction } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';

export interface AuditedTransaction {
  id: string;
  shard: number;
  /** Whole groups, in the order of the log. */
  rows: EventRow[];
  events: RecordedEvent[];
}

/**
 * The events behind one of the merchant's transactions. The table only gives the transaction's id and shard: the caller
 * shows the log, and a log that contradicts the table is an error.
 *
 * @throws Refusal `not_found`
 */
export async function auditedTransaction(sql: Sql, merchant_id: string, code: string): Promise<AuditedTransaction> {
  const [found] = await sql.$queryRaw<{ id: string; shard: number }[]>`
    SELECT id::text, shard FROM transactions
    WHERE transaction_id = ${code} AND merchant_id = ${merchant_id}::uuid`;
  if (!found) throw new Refusal('not_found');
  const rows = await groupsOfTransaction(sql, found.id);
  const events = rows.map(({ body }) => recordedEvent(body));
  const opened = events.some(({ event }) => 'opens' in event && event.opens?.transaction_id === code);
  if (!opened || events.some((event) => event.merchant_id !== merchant_id || event.shard !== found.shard)) {
    throw new Error(`the log does not say of ${code} what the table says`);
  }
  return { ...found, rows, events };
}
