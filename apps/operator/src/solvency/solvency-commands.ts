/** Keeps what the auditor's program printed, so that the console shows it: the auditor itself writes nowhere. */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { SolvencyReport, solvencyReportOf } from '@stablecoin/people-store/solvency-report';
import { SolvencyReports } from '@stablecoin/people-store/solvency-reports';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { Command } from 'commander';
import { actedBy, acting, ActingOptions } from '../acting';
import { command, CommandContext } from '../command-context';
import { onLog } from '../operator-database';
import { PeopleDatabaseConfiguration } from '../operator.configuration';

const BYTES_MAX = 5 * 1024 * 1024;

export function addSolvencyCommands(root: Command, context: CommandContext): void {
  const solvency = root.command('solvency').description('Reports of holdings against the books, for the console.');
  const keep = command(solvency, 'keep', 'Keeps what the auditor printed with solvency --json; - is stdin.').argument(
    '<file>',
    'the report, of a run that was right or not',
  );
  acting(keep, { demands: false }).action(
    async (file: string, { json, ...who }: ActingOptions & { json?: boolean }) => {
      const report = await reportIn(file);
      const by = actedBy(context, who);
      const details = { ok: report.ok, statement: report.statement.number };
      await onLog(context.settings, (database) => recordActBefore(database, { action: 'solvency keep', details }, by));
      const kept = await keepIn(context, report);
      const printed = { number: kept.number, kept_at: kept.kept_at.toISOString(), ok: report.ok };
      context.print(printed, { json, table: ({ number }) => `Kept as report ${number}: the console shows it.` });
    },
  );
}

async function reportIn(file: string): Promise<SolvencyReport> {
  const read = await buffer(file === '-' ? process.stdin : createReadStream(file, { end: BYTES_MAX })).catch(() => {
    throw new OperatorError(`${file} can't be read.`);
  });
  if (read.length > BYTES_MAX) throw new OperatorError('The report has more than 5 MB.');
  const report = solvencyReportOf(parsed(read));
  if (report === undefined)
    throw new OperatorError('That is no report of the auditor: give what solvency --json has printed.');
  return report;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function keepIn({ settings }: CommandContext, report: SolvencyReport) {
  const { databaseUrl: url } = loadConfiguration(PeopleDatabaseConfiguration, await settings());
  const database = new PeopleDatabase({ url, poolSize: 1 });
  try {
    return await new SolvencyReports(database).keep(report);
  } finally {
    await database.$disconnect();
  }
}
