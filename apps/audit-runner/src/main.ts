import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { AuditWork } from '@stablecoin/people-store/audit-work';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { ServiceLogger } from '@stablecoin/service-host/logging/service-logger';
import { createOperations } from '@stablecoin/service-host/operations/operations.module';
import { loadConfiguration, secretTexts } from '@stablecoin/service-host/setting';
import { AuditRunnerConfiguration } from './audit-runner.configuration';
import { AuditRunner } from './audit-runner';
import { auditorEnvironment } from './auditor-environment';
import { VerifyProcess } from './verify-process';

/** As the build puts both. */
const AUDITOR_BESIDE = join(__dirname, '../../auditor/src/main.js');
/** How long after the database's last answer it is not ready. */
const READY_MS = 15_000;

async function main(): Promise<void> {
  const configuration = loadConfiguration(AuditRunnerConfiguration, process.env);
  const { databaseUrl: url, pollMs, logLevel: level, operationsPort: port } = configuration;
  const program = configuration.auditorProgram ?? AUDITOR_BESIDE;
  const secrets = secretTexts(AuditRunnerConfiguration, process.env);
  const logger = new ServiceLogger({ service: 'audit-runner', level, format: 'json', secrets });
  Logger.overrideLogger(logger);
  await requireTrustedDatabase(url, 'AUDIT_RUNS_DATABASE_URL');
  const database = new PeopleDatabase({ url, poolSize: 1, applicationName: 'audit-runner' });
  const onLine = (line: string) => logger.warn({ msg: 'the auditor says', line });
  const runner = new AuditRunner({
    work: new AuditWork(database, randomUUID()),
    startVerify: () => new VerifyProcess({ program, env: auditorEnvironment(process.env), onLine }),
    log: logger,
    pollMs,
  });
  const hasLooked = () => runner.lastLookAt !== undefined && Date.now() - runner.lastLookAt < READY_MS;
  const operations = createOperations();
  operations.readiness.add({
    name: 'database',
    look: () => Promise.resolve(hasLooked() ? undefined : 'does not answer'),
  });
  operations.readiness.serve();
  const operations_url = port === null ? undefined : await operations.server.listen(configuration.operationsHost, port);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => runner.stop());
  // Who started it is gone.
  if (process.connected) process.once('disconnect', () => runner.stop());
  process.send?.({ type: 'ready', ...(operations_url !== undefined && { operations_url }) });
  await runner.work();
  await operations.server.close();
  await database.$disconnect();
  if (process.connected) process.disconnect();
}

void main().catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
});
