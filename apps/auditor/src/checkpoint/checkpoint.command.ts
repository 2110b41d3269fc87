import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP } from '../command-line/options';
import { readShards } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { checkpointReport } from './checkpoint';

export function addCheckpointCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('checkpoint')
    .description('Asks the running ledger to sign its log now, every shard of it')
    .option('--json', JSON_HELP)
    .action(({ json }: { json?: boolean }) =>
      commandLine.print(json, async (database) => {
        const shards = await readShards(database);
        return checkpointReport(
          commandLine.env,
          shards.map(({ shard }) => shard),
        );
      }),
    );
}
