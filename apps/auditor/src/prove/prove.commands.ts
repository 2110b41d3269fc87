import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP, wholeNumber } from '../command-line/options';
import { databaseOfShard, databaseWith, placedShards } from '../database/where-shards-are';
import { shardOfTransaction } from '../explain/shard-of';
import { checkpointsReport, consistencyReport, proofReport } from './prove';

interface ConsistencyFlags {
  json?: boolean;
  shard: number;
  from: number;
  to?: number;
  out?: string;
}

export function addCheckpointsCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('checkpoints')
    .description('The keys of each shard, and what was signed last')
    .option('--json', JSON_HELP)
    .action(({ json }: { json?: boolean }) =>
      commandLine.print(json, async (ledgers) => checkpointsReport(await placedShards(ledgers))),
    );
}

export function addProveCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('prove')
    .description('A proof of a transaction, to be checked without this database')
    .argument('<transaction_id>', 'the 10 characters, or the id')
    .option('--out <file>', 'written there instead of to stdout')
    .option('--json', JSON_HELP)
    .action((reference: string, { json, out }: { json?: boolean; out?: string }) =>
      commandLine.print(json, async (ledgers) =>
        proofReport(await databaseWith(ledgers, shardOfTransaction(reference)), reference, out),
      ),
    );
}

export function addProveConsistencyCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('prove-consistency')
    .description('A proof that the log of one checkpoint is the beginning of a later one')
    .requiredOption('--shard <number>', 'the shard', wholeNumber)
    .requiredOption('--from <size>', 'size of the older checkpoint', wholeNumber)
    .option('--to <size>', 'size of the later one; without it, the newest', wholeNumber)
    .option('--out <file>', 'written there instead of to stdout')
    .option('--json', JSON_HELP)
    .action(({ json, shard, out, ...sizes }: ConsistencyFlags) =>
      commandLine.print(json, async (ledgers) =>
        consistencyReport((await databaseOfShard(ledgers, shard)) ?? ledgers[0].database, shard, sizes, out),
      ),
    );
}
