import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { ChainConfiguration } from '../chain.configuration';
import { PrismaClient } from './generated/client';

/** Walks, addresses, deposits, the inbox. Closed last: walks, steps and requests still write when a stop begins. */
@Injectable()
export class ChainDatabase extends PrismaClient implements OnApplicationShutdown {
  constructor(configuration: ChainConfiguration) {
    super({
      adapter: postgresAdapter({
        url: configuration.databaseUrl,
        applicationName: 'chain',
        poolSize: configuration.databasePoolSize,
      }),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
