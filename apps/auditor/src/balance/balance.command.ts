import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP } from '../command-line/options';
import { parseAsOf } from './as-of';
import { databaseWith } from '../database/where-shards-are';
import { shardOfWallet } from '../explain/shard-of';
import { balanceReport } from './balance';

export function addBalanceCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('balance')
    .description('What a wallet held at a time or at a position of its shard')
    .requiredOption('--wallet <id>', 'id of the wallet')
    .requiredOption('--as-of <time|position>', 'ISO 8601 with a zone, or a position; its own moment included')
    .option('--json', JSON_HELP)
    .action(({ json, wallet, asOf }: { json?: boolean; wallet: string; asOf: string }) => {
      const moment = parseAsOf(asOf);
      return commandLine.print(json, async (ledgers) =>
        balanceReport(await databaseWith(ledgers, shardOfWallet(wallet)), wallet, moment),
      );
    });
}
