import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { PayoutConfiguration } from '../payout.configuration';
import { PrismaClient } from './generated/client';

export type PayoutTransaction = Sql;

/** Methods, payouts under way, the inbox. Closed last: consumer, worker and requests still write when a stop begins. */
@Injectable()
export class PayoutDatabase extends PrismaClient implements OnApplicationShutdown {
  readonly sql: SqlDatabase;

  constructor(configuration: PayoutConfiguration) {
    const adapter = postgresAdapter({
      url: configuration.databaseUrl,
      applicationName: 'payout',
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
