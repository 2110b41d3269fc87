import { OnApplicationShutdown } from '@nestjs/common';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { Prisma, PrismaClient } from './generated/client';

export type Transaction = Prisma.TransactionClient;

/** Disconnects last: when nothing is under way any more that could need it. */
export class CustomerDatabase extends PrismaClient implements OnApplicationShutdown {
  constructor(options: { url: string; poolSize: number }) {
    super({ adapter: postgresAdapter({ ...options, applicationName: 'customer' }) });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
