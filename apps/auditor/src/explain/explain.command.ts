import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP, wholeNumber } from '../command-line/options';
import { AuditFailure } from '../report/report';
import { databaseWith } from '../database/where-shards-are';
import { explainReport } from './explain';
import { walletReport } from './explain-wallet';
import { shardOfTransaction, shardOfWallet } from './shard-of';

interface ExplainFlags {
  json?: boolean;
  wallet?: string;
  limit: number;
}

export function addExplainCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('explain')
    .description('The events behind a transaction or behind the balance of a wallet, with their hashes')
    .argument('[transaction_id]', 'the 10 characters, or the id')
    .option(
      '--wallet <id>',
      'in place of a transaction: the events of this wallet, with the quote or payout behind each',
    )
    .option('--limit <number>', 'of a wallet, the newest events', wholeNumber, 100)
    .option('--json', JSON_HELP)
    .action((reference: string | undefined, { json, wallet, limit }: ExplainFlags) => {
      if ((reference === undefined) === (wallet === undefined)) {
        throw new AuditFailure('explain takes a transaction_id, or --wallet with the id of a wallet.');
      }
      return commandLine.print(json, async (ledgers) =>
        wallet === undefined
          ? explainReport(await databaseWith(ledgers, shardOfTransaction(reference ?? '')), reference ?? '')
          : walletReport(await databaseWith(ledgers, shardOfWallet(wallet)), wallet, limit),
      );
    });
}
