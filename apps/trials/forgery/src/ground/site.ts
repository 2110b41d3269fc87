/** All that a forgery may use: what its forger has, and what shows what became of it. */
import type { BuiltService } from '@stablecoin/testing/built-service';
import type { OperatorProcess } from '@stablecoin/testing/operator-process';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import type { Auditor } from './auditor';
import type { Bus } from './bus';
import type { Copies, Database } from './databases';
import type { LedgerOnCopy, TakenOver } from './ledger-on-copy';
import type { People } from './people';
import type { SealedBackup } from './sealed-backup';
import type { WaitingPayout, WatchedMerchant } from './watched-merchant';

export interface Site {
  people: People;
  bus: Bus;
  operator: OperatorProcess;
  auditor: Auditor;
  /** A payout that is not approved in all of the trial. */
  waiting: { merchant: WatchedMerchant; payout: WaitingPayout };
  /** The databases that the running services work with. */
  databases: Record<DatabaseName, Database>;
  /** Made when the services have been stopped. */
  copies: Copies;
  /** From before the last payouts, and before a customer was erased. */
  backups: Record<'ledger' | 'customer' | 'payout', Database>;
  /**
   * A payout of Ada's since then that has arrived. What a ledger says of it on a copy is a fact at the broker, and with it in each
   * payout service that is started afterwards: no line may ask there for how it ended.
   */
  arrivedSince: { id: string };
  /** A payout of Ada's since then that the sandbox's rail does not end. */
  payoutSince: { id: string };
  /** Of the whole server, made when it is first asked for. */
  sealedBackup: () => Promise<SealedBackup>;
  /** Starts the ledger on a copy of its database, with what it keeps outside of Postgres; until `end`. */
  startLedger: (database: Database, taken?: TakenOver) => Promise<LedgerOnCopy>;
  /** Starts the customer service on a copy of its database, with the file that says who was erased. */
  startCustomerService: (database: Database) => Promise<BuiltService>;
  startPayoutService: (database: Database) => Promise<BuiltService>;
  /** Every service's user of the bus, with keys of the forger's own in place of theirs. */
  forgersBus: Bus;
  /** What has a ledger take those keys for the services'. */
  forgersKeys: NodeJS.ProcessEnv;
  /** All that the ledger's process is given. */
  ledgerEnvironment: NodeJS.ProcessEnv;
  /** How many commands the ledger has refused for who asked, or for what was stated: by reason. */
  refusedCommands: () => Promise<Map<string, number>>;
  /** The lines of the customer service's metrics that name this operation. */
  answersOfCustomer: (subject: string) => Promise<string>;
  /** All that the gateway's process is given. */
  gatewayEnvironment: NodeJS.ProcessEnv;
  /** The ledger's public key, as an auditor keeps it. */
  publicKey: string;
}
