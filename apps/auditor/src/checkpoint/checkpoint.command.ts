import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP } from '../command-line/options';
import { placedShards } from '../database/where-shards-are';
import { checkpointReport } from './checkpoint';

export function addCheckpointCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('checkpoint')
    .description('Asks the running ledger to sign its log now, every shard of it')
    .option('--json', JSON_HELP)
    .action(({ json }: { json?: boolean }) =>
      commandLine.print(json, async (ledgers) => {
        const shards = await placedShards(ledgers);
        return checkpointReport(
          commandLine.env,
          shards.map(({ shard }) => shard),
        );
      }),
    );
}
