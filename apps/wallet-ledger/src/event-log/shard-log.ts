import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import {
  appendEventColumns,
  EventColumns,
  eventColumns,
  EventRow,
  eventRows,
} from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { ProjectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { columnsOf, lineColumn } from '@stablecoin/persistence/columns';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { Head, isSameHead, Lease, LeaseLost, presentHead, settledHead } from './lease';
import { UsageCounts } from './usage-counts';

const HASHED_AT_ONCE = 200;
const LOOK_UP_PAUSE_MS = 200;

/** The stored answer to a command that took effect. */
export interface StoredResult {
  command_id: string;
  merchant_id: string;
  input_hash: string;
  result: string;
}

export interface Batch {
  results: readonly StoredResult[];
  changes: ProjectionChanges;
}

/** The head was changed under this instance's own lease, so not by the ledger: nothing was written, and nothing may be. */
export class HeadChanged extends LeaseLost {
  constructor(
    shard: number,
    /** Where the log ended as this instance wrote it. */
    readonly known: Head,
    found: Head,
  ) {
    super(
      `the head of shard ${shard} was changed by another login than the ledger's: this instance wrote up to position ` +
        `${known.position} (${shortHash(known)}), the table says ${found.position} (${shortHash(found)})`,
    );
  }
}

const shortHash = ({ hash }: Head) => `${hash.toString('hex').slice(0, 16)}…`;

export interface PreparedAppend {
  /** None of a batch that changes nothing. */
  events: EventColumns | undefined;
  before: Head;
  after: Head;
}

/** Computes the head after the events before they are written, so that the head shows whether an unknown outcome was a success. */
export async function prepareAppend(before: Head, events: readonly RecordedEvent[]): Promise<PreparedAppend> {
  const rows: EventRow[] = [];
  for (let from = 0; from < events.length; from += HASHED_AT_ONCE) {
    // Lets answers of the database be handled meanwhile.
    if (from > 0) await new Promise(setImmediate);
    rows.push(...eventRows(events.slice(from, from + HASHED_AT_ONCE), rows.at(-1)?.hash ?? before.hash));
  }
  const last = rows.at(-1);
  if (!last) return { events: undefined, before, after: before };
  return { events: eventColumns(rows), before, after: { position: last.position, hash: last.hash } };
}

/** A shard's log under a lease: knows where it ends, and appends batches. */
export class ShardLog {
  constructor(
    private readonly database: LedgerDatabase,
    private readonly lease: Lease,
    private end: Head,
    private readonly log: Logger,
    private readonly counts: UsageCounts,
    /** Signs where the log ends; left out on a log that the ledger's key doesn't vouch for. */
    private readonly signHead?: (head: Head) => Buffer,
  ) {}

  get head(): Head {
    return this.end;
  }

  /**
   * @returns whether there was anything to commit
   * @throws LeaseLost, or the error of a commit that failed: nothing of the batch is in the log then
   */
  async write(batch: Batch, prepared: PreparedAppend): Promise<boolean> {
    if (batch.results.length === 0) {
      await this.assertHeadUnmoved();
      return false;
    }
    try {
      const signature = this.signHead?.(prepared.after);
      // Else the tail that the next holder has to count would grow from the last payout under a policy on.
      const isCounted = this.counts.areWritten && batch.changes.payoutUsages.length === 0;
      await append(this.database, this.lease, { ...prepared, signature, isCounted }, batch);
    } catch (error) {
      if (error instanceof LeaseLost || databaseFailure(error).kind !== 'unknown') throw error;
      // A batch without events leaves the head as it was, so the head shows nothing; its commands changed nothing and can be retried.
      if (!prepared.events || !(await this.wasCommitted(prepared.after))) throw error;
    }
    this.end = prepared.after;
    this.counts.keep(batch.changes.payoutUsages, prepared.after.position);
    return true;
  }

  /**
   * A batch of refusals alone writes nothing that would check the lease, but a writer that was overtaken must not refuse by
   * its outdated memory.
   */
  private async assertHeadUnmoved(): Promise<void> {
    await refuseIfMoved(this.database, this.lease, this.end);
  }

  /** Asks until the database answers: nothing may be written before the outcome is known. */
  private async wasCommitted(head: Head): Promise<boolean> {
    this.log.warn({ msg: 'the outcome of an append is unknown: looking it up', position: head.position });
    for (;;) {
      try {
        const found = await settledHead(this.database, this.lease);
        if (!found) throw new LeaseLost(`shard ${this.lease.shard} has another holder`);
        return isSameHead(found, head);
      } catch (error) {
        if (error instanceof LeaseLost || databaseFailure(error).kind === 'bug') throw error;
        await delay(LOOK_UP_PAUSE_MS);
      }
    }
  }
}

/** What a commit writes down beside where the log ends. */
interface Marks {
  signature: Buffer | undefined;
  /** Whether what payouts count for is written up to there. */
  isCounted: boolean;
}

/**
 * The one place that writes the log: events, command results and projections in one transaction, all but what payouts count
 * for (UsageCounts). Its first statement
 * moves the shard's head, and only from the position and hash that this writer knows and under the epoch of its lease: a
 * writer that was overtaken changes nothing, and none builds upon a log that somebody else has written.
 */
async function append(
  database: LedgerDatabase,
  lease: Lease,
  { events, before, after, signature, isCounted }: PreparedAppend & Marks,
  batch: Batch,
): Promise<void> {
  await database.sql.$transaction(async (transaction) => {
    const moved = await transaction.$executeRaw`
      UPDATE ledger_shards SET head_position = ${after.position}, head_hash = ${after.hash},
        head_signature = COALESCE(${signature ?? null}::bytea, head_signature),
        counted_position = CASE WHEN ${isCounted} THEN ${after.position} ELSE counted_position END
      WHERE shard = ${lease.shard} AND epoch = ${lease.epoch}
        AND head_position = ${before.position} AND head_hash = ${before.hash}`;
    if (moved !== 1) {
      await refuseIfMoved(transaction, lease, before);
      throw new LeaseLost(`shard ${lease.shard} has another holder`);
    }
    if (events) await appendEventColumns(transaction, events);
    await storeResults(transaction, batch.results);
    await writeProjections(transaction, lease.shard, { ...batch.changes, payoutUsages: [] });
  }, TRANSACTION_LIMITS);
}

/** @throws LeaseLost, or HeadChanged when the lease is still this one */
async function refuseIfMoved(sql: Sql, lease: Lease, known: Head): Promise<void> {
  const found = await presentHead(sql, lease);
  if (!found) throw new LeaseLost(`shard ${lease.shard} has another holder`);
  if (!isSameHead(found, known)) throw new HeadChanged(lease.shard, known, found);
}

async function storeResults(transaction: Sql, results: readonly StoredResult[]): Promise<void> {
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
