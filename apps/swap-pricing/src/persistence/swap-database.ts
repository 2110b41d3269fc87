import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { PrismaClient } from './generated/client';

export type SwapTransaction = Sql;

/** Quotes, command results, inbox. Closed last: consumers and requests under way still write when a stop begins. */
@Injectable()
export class SwapDatabase extends PrismaClient implements OnApplicationShutdown {
  readonly sql: SqlDatabase;

  constructor(configuration: SwapPricingConfiguration) {
    const adapter = postgresAdapter({
      url: configuration.databaseUrl,
      applicationName: 'swap-pricing',
      poolSize: configuration.databasePoolSize,
    });
    super({ adapter });
    this.sql = new SqlDatabase(adapter);
    return pastTheClient(this, adapter);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
