import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { PrismaClient } from './generated/client';

/** The backoffice's database, for the service and for what operators type. */
export class PeopleDatabase extends PrismaClient {
  readonly sql: SqlDatabase;

  constructor(options: { url: string; poolSize: number }) {
    const adapter = postgresAdapter({ ...options, applicationName: 'backoffice' });
    super({ adapter });
    this.sql = new SqlDatabase(adapter);
    return pastTheClient(this, adapter);
  }

  /** Called by Nest in the service. It disconnects last: when no request is under way any more that could need it. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
