import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { Prisma, PrismaClient } from './generated/client';

export type SwapTransaction = Prisma.TransactionClient;

/** Quotes, command results, inbox. Closed last: consumers and requests under way still write when a stop begins. */
@Injectable()
export class SwapDatabase extends PrismaClient implements OnApplicationShutdown {
  constructor(configuration: SwapPricingConfiguration) {
    super({
      adapter: postgresAdapter({
        url: configuration.databaseUrl,
        applicationName: 'swap-pricing',
        poolSize: configuration.databasePoolSize,
      }),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
