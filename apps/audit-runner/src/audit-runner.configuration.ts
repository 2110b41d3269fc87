import { databaseUrl } from '@stablecoin/service-host/repeated-settings';
import { filePath, hostName, oneOf, Setting, wholeNumber } from '@stablecoin/service-host/setting';

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

  @Setting({
    env: 'LOG_LEVEL',
    describe: 'The least important kind of line that is written.',
    example: 'log',
    read: oneOf('error', 'warn', 'log', 'debug', 'verbose'),
    default: 'log',
  })
  logLevel: 'error' | 'warn' | 'log' | 'debug' | 'verbose';

  @Setting<number | null>({
    env: 'OPERATIONS_PORT',
    describe:
      'Where the process tells that it is live and ready; 0 takes a free port, none is opened when it is not set.',
    example: '9400',
    read: wholeNumber(0, 65_535),
    default: null,
  })
  operationsPort: number | null;

  @Setting({
    env: 'OPERATIONS_HOST',
    describe: 'The address of that port; only those who operate the service should reach it.',
    example: '127.0.0.1',
    read: hostName,
    default: '127.0.0.1',
  })
  operationsHost: string;
}
