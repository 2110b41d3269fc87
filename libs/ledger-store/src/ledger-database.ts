import { pastTheClient } from '@stablecoin/persistence/past-the-client';
import { PostgresOptions, postgresAdapter } from '@stablecoin/persistence/postgres';
import { SqlDatabase } from '@stablecoin/persistence/sql-database';
import { PrismaClient } from './generated/client';

/** The role whose policies show one merchant's rows; the migrations grant it to the service's. */
const MERCHANT_ROLE = 'ledger_merchant';

/** The ledger's database, for the service that writes it and the auditor that reads it. */
export class LedgerDatabase extends PrismaClient {
  readonly sql: SqlDatabase;

  constructor(options: PostgresOptions) {
    const adapter = postgresAdapter(options);
    super({ adapter });
    this.sql = new SqlDatabase(adapter);
    return pastTheClient(this, adapter);
  }
}

/**
 * The same database through connections of their own, for work that moves no money: reads for merchants and auditors, and
 * what follows the log at its own pace. However many of these wait, writers, relays and leases have theirs. What a merchant
 * asks to see goes through `MerchantReads`.
 */
export class LedgerReads extends LedgerDatabase {
  constructor(options: PostgresOptions) {
    super({ ...options, merchantRole: MERCHANT_ROLE });
  }
}
