/**
 * What payouts under a policy count for, on its way into `payout_usage`. The commit that a payout waits for has the payout in
 * the log and nothing of its counts: a row for each of its destinations would take longer than the payout itself. They are
 * kept here from the commit on and written together some moments later, each row once, in a transaction of their own:
 *
 * | phase    | reads                                          | writes                                                   |
 * |----------|------------------------------------------------|----------------------------------------------------------|
 * | catch up | the log after `counted_position`, as the last  | memory: what those events count                          |
 * |          | holder left it, and the rows that it concerns  |                                                          |
 * | keep     | nothing                                        | memory: what a committed batch has changed               |
 * | write    | the lease's epoch, which no instance can raise | the rows, and the position up to which they have         |
 * |          | meanwhile                                      | everything                                               |
 *
 * The writer judges by memory first and by the rows for what memory lacks, so that no payout is judged by a row that is
 * behind. A holder that dies loses nothing: the next one counts the log's tail.
 */
import { Logger } from '@nestjs/common';
import { isCounting, usagesAfter } from '@stablecoin/ledger-domain/counted-payouts';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { payoutSubjects, PayoutUsage, UsageName } from '@stablecoin/ledger-domain/payout-usage';
import { readEventRows, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { loadPayoutUsages, writePayoutUsages } from '@stablecoin/ledger-store/projections/payout-usage.projection';
import { loadTransactions } from '@stablecoin/ledger-store/projections/transaction.projection';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { Lease, LeaseLost } from './lease';

const WRITE_EVERY_MS = 1_000;
const RETRY_MS = 5_000;
/** So many rows are written before a further batch is decided. */
const KEPT_MAX = 25_000;
const TAIL_PAGE = 4_000;

export class UsageCounts {
  /** By their keys: what is counted and not yet written, in the order in which it was first changed. */
  private readonly kept = new Map<string, PayoutUsage>();
  private caughtUp: Promise<void> | undefined;
  private writing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly log: Logger;

  /** @param position where the log ends */
  constructor(
    private readonly database: LedgerDatabase,
    private readonly lease: Lease,
    private position: number,
  ) {
    this.log = new Logger(`UsageCounts ${lease.shard}`);
    this.writeLater(0);
  }

  /** Whether the rows have everything up to the log's end. */
  get areWritten(): boolean {
    return this.kept.size === 0;
  }

  /** What is counted and not yet written of this subject. */
  find({ key }: UsageName): PayoutUsage | undefined {
    return this.kept.get(key);
  }

  /** Before a batch is decided: the log's tail is counted, and there is room for what the batch will change. */
  async prepare(): Promise<void> {
    await this.catchUp();
    if (this.kept.size > KEPT_MAX) await this.write();
  }

  /** A batch is in the log. @param usages as they are after it */
  keep(usages: readonly PayoutUsage[], position: number): void {
    this.position = position;
    for (const usage of usages) this.kept.set(usage.key, usage);
    if (usages.length > 0) this.writeLater(WRITE_EVERY_MS);
  }

  /** Writes what is left, for the next holder. What can't be written, that one counts from the log. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.write().catch((error: unknown) => this.warn(error));
  }

  /** Once, and again after it has failed. */
  private catchUp(): Promise<void> {
    this.caughtUp ??= this.countTail().catch((error: unknown) => {
      this.caughtUp = undefined;
      throw error;
    });
    return this.caughtUp;
  }

  private async countTail(): Promise<void> {
    const [row] = await this.database.$queryRaw<{ counted_position: bigint }[]>`
      SELECT counted_position FROM ledger_shards WHERE shard = ${this.lease.shard} AND epoch = ${this.lease.epoch}`;
    if (!row) throw new LeaseLost(`shard ${this.lease.shard} has another holder`);
    const end = this.position;
    const counted = new LedgerState();
    let after = Number(row.counted_position);
    while (after < end) {
      const rows = await readEventRows(this.database, this.lease.shard, after, Math.min(TAIL_PAGE, end - after));
      const last = rows.at(-1);
      if (!last) throw new Error(`shard ${this.lease.shard} has no event after ${after}, and its head is at ${end}`);
      await countAll(this.database, counted, rows.map(({ body }) => recordedEvent(body)).filter(isCounting));
      after = last.position;
    }
    for (const [key, usage] of counted.payoutUsages) this.kept.set(key, usage);
  }

  private writeLater(pauseMs: number): void {
    if (this.timer || this.closed) return;
    this.timer = setTimeout(() => {
      this.write()
        .then(() => this.rest(WRITE_EVERY_MS))
        .catch((error: unknown) => {
          this.warn(error);
          if (!(error instanceof LeaseLost)) this.rest(RETRY_MS);
        });
    }, pauseMs).unref();
  }

  private rest(pauseMs: number): void {
    this.timer = undefined;
    if (!this.areWritten || !this.caughtUp) this.writeLater(pauseMs);
  }

  /** Without the lease, the next holder counts what is left. */
  private warn(error: unknown): void {
    if (error instanceof LeaseLost) return;
    this.log.warn(`what payouts count for is not written: ${(error as Error).message}`);
  }

  /** One at a time: a later one has everything that an earlier one has. */
  private async write(): Promise<void> {
    await this.writing?.catch(() => undefined);
    this.writing = this.writeKept();
    await this.writing;
  }

  private async writeKept(): Promise<void> {
    await this.catchUp();
    const [usages, position] = [[...this.kept.values()], this.position];
    if (usages.length === 0) return;
    const { shard, epoch } = this.lease;
    await this.database.sql.$transaction(async (sql) => {
      // Taking the shard over waits for this, appends don't.
      const held = await sql.$queryRaw<unknown[]>`
        SELECT shard FROM ledger_shards WHERE shard = ${shard} AND epoch = ${epoch} FOR KEY SHARE`;
      if (held.length === 0) throw new LeaseLost(`shard ${shard} has another holder`);
      await writePayoutUsages(sql, shard, usages);
      await sql.$executeRaw`UPDATE ledger_shards SET counted_position = ${position} WHERE shard = ${shard}`;
    }, TRANSACTION_LIMITS);
    for (const usage of usages) if (this.kept.get(usage.key) === usage) this.kept.delete(usage.key);
  }
}

/** Folds events that count into the state, with the rows that they concern. */
async function countAll(sql: Sql, state: LedgerState, events: readonly RecordedEvent[]): Promise<void> {
  const ids = events.flatMap(({ event }) => ('transaction' in event ? [event.transaction] : []));
  await loadTransactions(
    sql,
    state,
    [...new Set(ids)].filter((id) => !state.transaction(id)),
  );
  const payouts = [...new Set(ids)].flatMap((id) => state.transaction(id) ?? []);
  const names = payouts.flatMap(({ under_policy, merchant_id, customer_id, network }) => {
    if (!under_policy) return [];
    return payoutSubjects({ merchant_id, customer_id, network, destination: under_policy.destination }).all;
  });
  const missing = new Map(names.map((name) => [name.key, name]));
  for (const key of missing.keys()) if (state.payoutUsages.has(key)) missing.delete(key);
  await loadPayoutUsages(sql, state, [...missing.values()]);
  for (const recorded of events) {
    const { event } = recorded;
    const payout = 'transaction' in event ? state.transaction(event.transaction) : undefined;
    if (payout)
      usagesAfter(recorded, payout, (name) => state.payoutUsage(name)).forEach((usage) => state.putPayoutUsage(usage));
  }
}
