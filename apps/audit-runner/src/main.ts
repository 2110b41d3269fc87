import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { AuditWork } from '@stablecoin/people-store/audit-work';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootProgram } from '@stablecoin/service-host/boot-program';
import { AuditRunnerConfiguration } from './audit-runner.configuration';
import { AuditRunner } from './audit-runner';
import { auditorEnvironment } from './auditor-environment';
import { VerifyProcess } from './verify-process';

/** As the build puts both. */
const AUDITOR_BESIDE = join(__dirname, '../../auditor/src/main.js');
/** How long after the database's last answer it is not ready. */
const READY_MS = 15_000;

void bootProgram({
  name: 'audit-runner',
  configuration: AuditRunnerConfiguration,
  require: ({ databaseUrl }) => requireTrustedDatabase(databaseUrl, 'AUDIT_RUNS_DATABASE_URL'),
  begin: ({ databaseUrl: url, auditorProgram, pollMs }) => {
    const program = auditorProgram ?? AUDITOR_BESIDE;
    const database = new PeopleDatabase({ url, poolSize: 1, applicationName: 'audit-runner' });
    const log = new Logger(AuditRunner.name);
    const onLine = (line: string) => log.warn({ msg: 'the auditor says', line });
    const runner = new AuditRunner({
      work: new AuditWork(database, randomUUID()),
      startVerify: () => new VerifyProcess({ program, env: auditorEnvironment(process.env), onLine }),
      log,
      pollMs,
    });
    const hasLooked = () => runner.lastLookAt !== undefined && Date.now() - runner.lastLookAt < READY_MS;
    const working = runner.work();
    return {
      checks: [{ name: 'database', look: () => Promise.resolve(hasLooked() ? undefined : 'does not answer') }],
      close: async () => {
        runner.stop();
        await working;
        await database.$disconnect();
      },
    };
  },
});
