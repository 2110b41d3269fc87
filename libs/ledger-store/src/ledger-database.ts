import { PostgresOptions, postgresAdapter } from '@stablecoin/persistence/postgres';
import { Prisma, PrismaClient } from './generated/client';

export type LedgerTransaction = Prisma.TransactionClient;

/** The ledger's database, for the service that writes it and the auditor that reads it. */
export class LedgerDatabase extends PrismaClient {
  constructor(options: PostgresOptions) {
    super({ adapter: postgresAdapter(options) });
  }
}
