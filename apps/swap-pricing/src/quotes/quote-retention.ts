import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { deleteInBatches, retentionLoop } from '@stablecoin/background-work/retention';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { SwapDatabase } from '../persistence/swap-database';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

/**
 * Deletes quotes that were never used, some time after they expired; instances skip the rows that another instance has
 * locked. A claimed quote stays, whatever its outcome: its swap can be looked up for ever.
 */
@Injectable()
export class QuoteRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(QuoteRetention.name);
  private readonly loop = retentionLoop(
    (signal) => this.purge(signal),
    (error) => {
      if (databaseFailure(error).kind === 'bug') this.log.error({ msg: 'could not forget old quotes', err: error });
    },
  );

  constructor(
    private readonly database: SwapDatabase,
    private readonly configuration: SwapPricingConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  purge(signal?: AbortSignal): Promise<void> {
    return deleteInBatches((limit) => this.purgeBatch(limit), signal);
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
