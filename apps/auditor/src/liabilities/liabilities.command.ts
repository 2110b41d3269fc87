import { Command } from 'commander';
import { parseMoment } from '@stablecoin/contracts/wallet/as-of';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP } from '../command-line/options';
import { AuditFailure } from '../report/report';
import { liabilitiesReport } from './liabilities';

export function addLiabilitiesCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('liabilities')
    .description('What is owed to all wallets, per currency, as it was signed; compared with the tables and the log')
    .option('--as-of <time>', 'the newest statement made up to then; ISO 8601 with a zone')
    .option('--json', JSON_HELP)
    .action(({ json, asOf }: { json?: boolean; asOf?: string }) => {
      const time = asOf === undefined ? undefined : timeIn(asOf);
      return commandLine.print(json, (ledgers) => liabilitiesReport(ledgers, time));
    });
}

function timeIn(text: string): string {
  const moment = parseMoment(text);
  // A position is one of a single shard, and a statement speaks of all.
  if (moment && 'time' in moment) return moment.time;
  throw new AuditFailure('--as-of takes a time with its zone such as 2026-11-21T12:00:00Z.');
}
