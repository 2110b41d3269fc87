import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { SwapDatabase } from '../persistence/swap-database';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

const EVERY_MS = 60_000;
const BATCH = 1_000;
const BATCHES_MAX = 50;

/**
 * Forgets quotes that nobody used, some time after they expired. Once a minute, in batches, at most BATCHES_MAX of them;
 * instances pass over what another one is at. A quote that was claimed, whatever came of it, stays: its swap can be looked
 * up for ever.
 */
@Injectable()
export class QuoteRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(QuoteRetention.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: SwapDatabase,
    private readonly configuration: SwapPricingConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async purge(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX && !this.stopping.signal.aborted; batch += 1) {
      if ((await this.purgeBatch()) < BATCH) break;
    }
  }

  private purgeBatch(): Promise<number> {
    const { quoteRetentionDays } = this.configuration;
    return this.database.$executeRaw`
      DELETE FROM quotes WHERE id IN (
        SELECT id FROM quotes
        WHERE state = 'open' AND expires_at < clock_timestamp() - ${quoteRetentionDays}::int * interval '1 day'
        LIMIT ${BATCH}::int FOR UPDATE SKIP LOCKED)`;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
      await this.purge().catch((error: unknown) => this.tell(error));
    }
  }

  private tell(error: unknown): void {
    if (databaseFailure(error).kind === 'bug') this.log.error({ msg: 'could not forget old quotes', err: error });
  }
}
