import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { Prisma, PrismaClient } from './generated/client';

/** The role whose policies show one merchant's rows; the migrations grant it to the service's. */
const MERCHANT_ROLE = 'customer_merchant';

export type Transaction = Prisma.TransactionClient;

/** The customer service's database, for the service and for what operators type. */
export class CustomerDatabase extends PrismaClient {
  readonly sql: SqlDatabase;

  constructor(options: { url: string; poolSize: number }) {
    const adapter = postgresAdapter({ ...options, applicationName: 'customer', merchantRole: MERCHANT_ROLE });
    super({ adapter });
    this.sql = new SqlDatabase(adapter);
    return pastTheClient(this, adapter);
  }

  /** Called by Nest in the service. It disconnects last: when nothing is under way any more that could need it. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
