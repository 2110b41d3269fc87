import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase, LedgerTransaction } from '@stablecoin/ledger-store/ledger-database';
import { ProjectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { columnsOf, lineColumn } from '@stablecoin/persistence/columns';
import { Head, Lease } from './lease';

/** The stored answer to a command that took effect. */
export interface StoredResult {
  command_id: string;
  merchant_id: string;
  input_hash: string;
  result: string;
}

export interface Batch {
  events: readonly RecordedEvent[];
  results: readonly StoredResult[];
  changes: ProjectionChanges;
}

const HASHED_AT_ONCE = 200;

/** Another instance holds the shard: nothing was written, and this instance's memory of the shard is void. */
export class LeaseLost extends Error {}

export interface PreparedAppend {
  rows: readonly EventRow[];
  before: Head;
  after: Head;
}

/** Computes the head after the events before they are written, so that an unknown outcome can be told from the head. */
export async function prepareAppend(before: Head, batch: Batch): Promise<PreparedAppend> {
  const rows: EventRow[] = [];
  for (let from = 0; from < batch.events.length; from += HASHED_AT_ONCE) {
    // Lets answers of the database be handled meanwhile.
    if (from > 0) await new Promise(setImmediate);
    rows.push(...eventRows(batch.events.slice(from, from + HASHED_AT_ONCE), rows.at(-1)?.hash ?? before.hash));
  }
  const last = rows.at(-1);
  return { rows, before, after: last ? { position: last.position, hash: last.hash } : before };
}

/**
 * The one place that writes the log: events, command results and projections in one transaction. Its first statement
 * moves the shard's head, and only from the position this writer knows and under the epoch of its lease: a writer that was
 * overtaken changes nothing.
 */
export async function append(
  database: LedgerDatabase,
  lease: Lease,
  { rows, before, after }: PreparedAppend,
  batch: Batch,
): Promise<void> {
  await database.$transaction(async (transaction) => {
    const moved = await transaction.$executeRaw`
      UPDATE ledger_shards SET head_position = ${after.position}, head_hash = ${after.hash}
      WHERE shard = ${lease.shard} AND epoch = ${lease.epoch} AND head_position = ${before.position}`;
    if (moved !== 1) throw new LeaseLost(`shard ${lease.shard} has another holder`);
    if (rows.length > 0) await appendEventRows(transaction, rows);
    await storeResults(transaction, batch.results);
    await writeProjections(transaction, lease.shard, batch.changes);
  }, TRANSACTION_LIMITS);
}

async function storeResults(transaction: LedgerTransaction, results: readonly StoredResult[]): Promise<void> {
  const column = columnsOf(results);
  await transaction.$executeRaw`
    INSERT INTO command_results (command_id, merchant_id, input_hash, result)
    SELECT * FROM ROWS FROM (
      unnest(${column('command_id')}::uuid[]),
      unnest(${column('merchant_id')}::uuid[]),
      unnest(${column('input_hash')}::text[]),
      string_to_table(${lineColumn(results.map(({ result }) => result))}, E'\\n')
    )`;
}
