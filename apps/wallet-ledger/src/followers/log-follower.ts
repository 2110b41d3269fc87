/**
 * Keeps a table that no commit waits for up with one shard's log. One statement reads the log after the recorded progress, adds what
 * follows from it, and moves the progress; what the table lacks meanwhile, its readers read elsewhere or do without. Two followers at
 * once, while a shard changes hands, add nothing twice, because the progress moves only from the position that the follower read.
 *
 * Beside a busy writer it takes a bounded part of one processor: after each full statement it rests for REST_SHARE times
 * the statement's duration, and catches up when there is less to do.
 */
import { Logger } from '@nestjs/common';
import { followedUpTo, FollowingTableName } from '@stablecoin/ledger-store/following-tables';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Sql } from '@stablecoin/persistence/sql';

/** Many at once: adding a batch costs a fraction of adding its rows one by one. */
const EVENTS_MAX = 5_000;
/** Fewer events wait for this pause before they get a statement. */
const IDLE_MS = 2_000;
const RETRY_MS = 5_000;
const REST_SHARE = 4;

/** A table that follows the log. */
export interface FollowingTable {
  name: FollowingTableName;
  /** Adds what lies between two positions, if the progress is at the first, and moves it to the second. */
  add: (sql: Sql, shard: number, from: number, to: number) => Promise<void>;
}

export class LogFollower {
  private readonly log: Logger;
  private readonly loop = new BackgroundLoop({
    pass: () => this.advanceAndRest(),
    failed: (error) => {
      this.log.warn(`${this.table.name} is behind: ${(error as Error).message}`);
      return RETRY_MS;
    },
  });

  constructor(
    private readonly database: LedgerReads,
    private readonly shard: number,
    private readonly table: FollowingTable,
  ) {
    this.log = new Logger(`LogFollower ${shard}`);
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns the pause before the next part, in milliseconds */
  private async advanceAndRest(): Promise<number> {
    const startedAt = performance.now();
    const isFull = (await this.advance()) === EVENTS_MAX;
    return isFull ? (performance.now() - startedAt) * REST_SHARE : IDLE_MS;
  }

  /** Adds the next part of the log. @returns its number of events */
  async advance(): Promise<number> {
    const from = await followedUpTo(this.database, this.table.name, this.shard);
    const to = await this.endAfter(from);
    if (to > from) await this.table.add(this.database, this.shard, from, to);
    return to - from;
  }

  private async endAfter(position: number): Promise<number> {
    const [row] = await this.database.$queryRaw<{ head_position: bigint }[]>`
      SELECT head_position FROM ledger_shards WHERE shard = ${this.shard}`;
    return Math.min(Number(row?.head_position ?? position), position + EVENTS_MAX);
  }
}
