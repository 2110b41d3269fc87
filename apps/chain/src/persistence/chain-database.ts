import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { ChainConfiguration } from '../chain.configuration';
import { PrismaClient } from './generated/client';

/** Walks, addresses, deposits, the inbox. Closed last: walks, steps and requests still write when a stop begins. */
@Injectable()
export class ChainDatabase extends PrismaClient implements OnApplicationShutdown {
  readonly sql: SqlDatabase;

  constructor(configuration: ChainConfiguration) {
    const adapter = postgresAdapter({
      url: configuration.databaseUrl,
      applicationName: 'chain',
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
