/**
 * Makes one shard's transactions findable by any part of their ids. One statement reads the log after the recorded progress,
 * adds the ids of the transactions opened there to `transaction_search`, and moves the progress. No commit waits for it: a
 * search reads row by row what the index lacks. Two indexers at once, while a shard changes hands, add nothing twice,
 * because the progress moves only from the position that the indexer read.
 *
 * Beside a busy writer it takes a bounded part of one processor: after each full statement it rests for REST_SHARE times
 * the statement's duration, and catches up when there is less to do.
 */
import { Logger } from '@nestjs/common';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';

/** Many at once: adding a batch to the index costs a fraction of adding its rows one by one. */
const EVENTS_MAX = 5_000;
/** Fewer events wait for this pause before they get a statement. */
const IDLE_MS = 2_000;
const RETRY_MS = 5_000;
const REST_SHARE = 4;

export class SearchIndexer {
  private readonly log: Logger;
  private readonly loop = new BackgroundLoop({
    pass: () => this.advanceAndRest(),
    failed: (error) => {
      this.log.warn(`searches read row by row: ${(error as Error).message}`);
      return RETRY_MS;
    },
  });

  constructor(
    private readonly database: LedgerReads,
    private readonly shard: number,
  ) {
    this.log = new Logger(`SearchIndexer ${shard}`);
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

  /** Indexes the next part of the log. @returns its number of events */
  async advance(): Promise<number> {
    const from = await this.progress();
    const to = await this.endAfter(from);
    if (to > from) await this.addBetween(from, to);
    return to - from;
  }

  private async progress(): Promise<number> {
    const [row] = await this.database.$queryRaw<{ position: bigint }[]>`
      WITH begun AS (
        INSERT INTO transaction_search_progress (shard, position) VALUES (${this.shard}, 0) ON CONFLICT DO NOTHING
      )
      SELECT position FROM transaction_search_progress WHERE shard = ${this.shard}`;
    return Number(row?.position ?? 0);
  }

  private async endAfter(position: number): Promise<number> {
    const [row] = await this.database.$queryRaw<{ head_position: bigint }[]>`
      SELECT head_position FROM ledger_shards WHERE shard = ${this.shard}`;
    return Math.min(Number(row?.head_position ?? position), position + EVENTS_MAX);
  }

  private async addBetween(from: number, to: number): Promise<void> {
    await this.database.$executeRaw`
      WITH moved AS (
        UPDATE transaction_search_progress SET position = ${to}
        WHERE shard = ${this.shard} AND position = ${from} RETURNING shard
      )
      INSERT INTO transaction_search (merchant_id, position, ids)
      SELECT opened.merchant_id, opened.position, lower(opened.transaction_id) || ' ' || opened.id
      FROM moved JOIN ledger_events AS event USING (shard)
        JOIN transactions AS opened ON opened.id = event.transaction AND opened.position = event.position
      WHERE event.position > ${from} AND event.position <= ${to}`;
  }
}
