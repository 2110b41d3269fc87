import {
  databaseUrl,
  LOG_LEVEL,
  LogLevel,
  OPERATIONS_HOST,
  OPERATIONS_PORT,
} from '@stablecoin/service-host/repeated-settings';
import { filePath, Setting, wholeNumber } from '@stablecoin/service-host/setting';

const OF_THE_BACKOFFICE = databaseUrl(
  'backoffice',
  'Where people at the console ask for runs of verify, as a login with the role backoffice_audit_runner.',
  'backoffice_audit_runner',
);

/** The auditor's own settings, as AUDIT_DATABASE_URL, are passed on to it: docs/AUDIT.md. */
export class AuditRunnerConfiguration {
  @Setting({ ...OF_THE_BACKOFFICE, env: 'AUDIT_RUNS_DATABASE_URL' }) databaseUrl: string;

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
  @Setting(OPERATIONS_PORT) operationsPort: number | null;
  @Setting(OPERATIONS_HOST) operationsHost: string;
}
