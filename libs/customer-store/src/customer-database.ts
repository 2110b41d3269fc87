import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { Prisma, PrismaClient } from './generated/client';

export type Transaction = Prisma.TransactionClient;

/** The customer service's database, for the service and for what operators type. */
export class CustomerDatabase extends PrismaClient {
  constructor(options: { url: string; poolSize: number }) {
    super({ adapter: postgresAdapter({ ...options, applicationName: 'customer' }) });
  }

  /** Called by Nest in the service. It disconnects last: when nothing is under way any more that could need it. */
  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
