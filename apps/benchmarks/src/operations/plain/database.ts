import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { given } from '@stablecoin/benchmarking/given';
import { PrismaClient } from './generated/client';

const CONNECTIONS = 16;
/** A transaction may have to wait for a connection, and then for the rows' locks, behind all callers before it. */
const WAIT_MS = 20_000;

@Injectable()
export class PlainDatabase extends PrismaClient implements OnApplicationShutdown {
  constructor() {
    super({
      adapter: new PrismaPg({ connectionString: given('DATABASE_URL'), max: CONNECTIONS }),
      transactionOptions: { maxWait: WAIT_MS, timeout: WAIT_MS },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.$disconnect();
  }
}
