import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { appendEventRows, eventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase, LedgerTransaction } from '@stablecoin/ledger-store/ledger-database';
import { ProjectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Head, Lease } from './lease';

/** What a command that took effect was answered. */
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

/** Another holder has the shard: nothing was written, and nothing this instance believes of the shard counts. */
export class LeaseLost extends Error {}

/** The head after the events, computed before they are written so that an unknown outcome can be recognised by it. */
export function prepareAppend(head: Head, batch: Batch) {
  const rows = eventRows(batch.events, head.hash);
  const last = rows.at(-1);
  return { rows, head: last ? { position: last.position, hash: last.hash } : head };
}

/**
 * The one place that writes the log: events, command results and projections in one transaction, which first moves
 * the shard's head, and only from where this writer believes it to be, under the epoch of its lease.
 */
export async function append(
  database: LedgerDatabase,
  lease: Lease,
  before: Head,
  prepared: ReturnType<typeof prepareAppend>,
  batch: Batch,
): Promise<void> {
  await database.$transaction(async (transaction) => {
    const moved = await transaction.$executeRaw`
      UPDATE ledger_shards SET head_position = ${prepared.head.position}, head_hash = ${prepared.head.hash}
      WHERE shard = ${lease.shard} AND epoch = ${lease.epoch} AND head_position = ${before.position}`;
    if (moved !== 1) throw new LeaseLost(`shard ${lease.shard} has another holder`);
    if (prepared.rows.length > 0) await appendEventRows(transaction, prepared.rows);
    await storeResults(transaction, batch.results);
    await writeProjections(transaction, lease.shard, batch.changes);
  }, TRANSACTION_LIMITS);
}

async function storeResults(transaction: LedgerTransaction, results: readonly StoredResult[]): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO command_results (command_id, merchant_id, input_hash, result)
    SELECT * FROM unnest(
      ${results.map(({ command_id }) => command_id)}::uuid[],
      ${results.map(({ merchant_id }) => merchant_id)}::uuid[],
      ${results.map(({ input_hash }) => input_hash)}::text[],
      ${results.map(({ result }) => result)}::text[]
    )`;
}
