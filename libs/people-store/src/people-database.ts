import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { PrismaClient } from './generated/client';

/** The backoffice's database, for the service, for what operators type, and for the runner beside the auditor. */
export class PeopleDatabase extends PrismaClient {
  readonly sql: SqlDatabase;

  constructor(options: { url: string; poolSize: number; applicationName?: string }) {
    const adapter = postgresAdapter({ applicationName: 'backoffice', ...options });
    super({ adapter });
    this.sql = new SqlDatabase(adapter);
    return pastTheClient(this, adapter);
  }

  /** Called by Nest in the service. It disconnects last: when no request is under way any more that could need it. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
