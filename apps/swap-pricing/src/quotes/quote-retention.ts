import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { deleteInBatches, retentionLoop } from '@stablecoin/background-work/retention';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { SwapDatabase } from '../persistence/swap-database';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

/** Counting the unused quotes of each merchant reads all of them. */
const COUNTED_EVERY_MS = 10 * 60_000;
const BATCH_ROWS = 1_000;

/**
 * Deletes quotes that were never used, some time after they expired, and before that all but the newest of a merchant that has
 * very many: a key that asks for a hundred quotes a second would fill the table. Instances skip the rows that another instance has
 * locked. A claimed quote stays, whatever its outcome: its swap can be looked up for ever.
 */
@Injectable()
export class QuoteRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(QuoteRetention.name);
  private readonly loops = [
    retentionLoop(
      (signal) => this.purge(signal),
      (error) => this.failed(error),
    ),
    retentionLoop(
      (signal) => this.purgeBeyondShares(signal),
      (error) => this.failed(error),
      COUNTED_EVERY_MS,
    ),
  ];

  constructor(
    private readonly database: SwapDatabase,
    private readonly configuration: SwapPricingConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.forEach((loop) => loop.start());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  purge(signal?: AbortSignal): Promise<void> {
    return deleteInBatches((limit) => this.purgeBatch(limit), signal);
  }

  /** Of each merchant's expired unused quotes, the oldest beyond `quotesUnusedMax`. */
  async purgeBeyondShares(signal?: AbortSignal): Promise<void> {
    const merchants = await this.database.$queryRaw<{ merchant_id: string; excess: number }[]>`
      SELECT merchant_id, count(*)::int - ${this.configuration.quotesUnusedMax}::int AS excess FROM quotes
      WHERE state = 'open' AND expires_at < clock_timestamp()
      GROUP BY merchant_id HAVING count(*) > ${this.configuration.quotesUnusedMax}::int`;
    for (const { merchant_id, excess } of merchants) {
      for (let left = excess; left > 0 && !signal?.aborted; left -= BATCH_ROWS)
        await this.purgeOldest(merchant_id, Math.min(BATCH_ROWS, left));
    }
  }

  private purgeOldest(merchantId: string, limit: number): Promise<number> {
    return this.database.$executeRaw`
      DELETE FROM quotes WHERE id IN (
        SELECT id FROM quotes WHERE merchant_id = ${merchantId}::uuid AND state = 'open' AND expires_at < clock_timestamp()
        ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  }

  private failed(error: unknown): void {
    if (databaseFailure(error).kind === 'bug') this.log.error({ msg: 'could not forget old quotes', err: error });
  }

  private purgeBatch(limit: number): Promise<number> {
    const { quoteRetentionDays } = this.configuration;
    return this.database.$executeRaw`
      DELETE FROM quotes WHERE id IN (
        SELECT id FROM quotes
        WHERE state = 'open' AND expires_at < clock_timestamp() - ${quoteRetentionDays}::int * interval '1 day'
        LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)`;
  }
}
