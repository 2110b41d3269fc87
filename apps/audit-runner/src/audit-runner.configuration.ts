import {
  databaseUrl,
  furtherLedgerDatabases,
  LOG_FORMAT,
  LOG_LEVEL,
  LogFormat,
  LogLevel,
  NamedDatabase,
  OPERATIONS_HOST,
  OPERATIONS_PORT,
} from '@stablecoin/service-host/repeated-settings';
import { filePath, Setting, wholeNumber } from '@stablecoin/service-host/setting';

const OF_THE_BACKOFFICE = databaseUrl(
  'backoffice',
  'Where people at the console ask for runs of verify, as a login with the role backoffice_audit_runner.',
  'backoffice_audit_runner',
);

const OF_THE_LEDGER = databaseUrl(
  'wallet_ledger',
  'The ledger, as the auditor’s login; passed on to its program, as the other settings of docs/AUDIT.md are.',
  'ledger_auditor',
);

const FURTHER_OF_THE_LEDGER = furtherLedgerDatabases(
  'AUDIT_DATABASES',
  'Where the ledger’s shards lie on several databases, those beside home, by the names in its LEDGER_DATABASES; passed on as well.',
  'ledger_auditor',
);

export class AuditRunnerConfiguration {
  @Setting({ ...OF_THE_BACKOFFICE, env: 'AUDIT_RUNS_DATABASE_URL' }) databaseUrl: string;
  /** Not read here; checked at the start, and hidden from the log. */
  @Setting({ ...OF_THE_LEDGER, env: 'AUDIT_DATABASE_URL' }) auditDatabaseUrl: string;
  @Setting(FURTHER_OF_THE_LEDGER) auditDatabases: NamedDatabase[];

  @Setting<string | null>({
    env: 'AUDITOR_PROGRAM',
    describe: 'The auditor’s program; without it, the one that is beside this one.',
    example: '/app/apps/auditor/src/main.js',
    read: filePath,
    default: null,
  })
  auditorProgram: string | null;

  @Setting({
    env: 'AUDIT_RUNNER_POLL_MS',
    describe: 'How often it looks whether a run was asked for or cancelled, and says how the one that runs goes.',
    example: '1000',
    read: wholeNumber(100, 3_000),
    default: 1_000,
  })
  pollMs: number;

  @Setting(LOG_LEVEL) logLevel: LogLevel;
  @Setting(LOG_FORMAT) logFormat: LogFormat;
  @Setting(OPERATIONS_PORT) operationsPort: number | null;
  @Setting(OPERATIONS_HOST) operationsHost: string;
}
