import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { PayoutConfiguration } from '../payout.configuration';
import { Prisma, PrismaClient } from './generated/client';

export type PayoutTransaction = Prisma.TransactionClient;

/** Methods, payouts under way, the inbox. Closed last: consumer, worker and requests still write when a stop begins. */
@Injectable()
export class PayoutDatabase extends PrismaClient implements OnApplicationShutdown {
  constructor(configuration: PayoutConfiguration) {
    super({
      adapter: postgresAdapter({
        url: configuration.databaseUrl,
        applicationName: 'payout',
        poolSize: configuration.databasePoolSize,
      }),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
