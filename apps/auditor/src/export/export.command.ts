import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { wholeNumber } from '../command-line/options';
import { placedShards } from '../database/where-shards-are';
import { AuditFailure } from '../report/report';
import { exportEvents } from './export';

interface ExportFlags {
  shard?: number;
  after?: number;
  limit?: number;
}

export function addExportCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('export')
    .description('The log on stdout, a line {"shard","position","hash","body"} per event, shard by shard')
    .option('--shard <number>', 'only this shard', wholeNumber)
    .option('--after <position>', 'only what comes after this position of --shard', wholeNumber)
    .option('--limit <number>', 'at most so many events', wholeNumber)
    .option('--json', 'the output is JSON lines in any case')
    .action((flags: ExportFlags) => exportLog(commandLine, flags));
}

async function exportLog(commandLine: CommandLine, { shard, after, limit }: ExportFlags): Promise<void> {
  if (after !== undefined && shard === undefined) {
    throw new AuditFailure('--after counts in one shard: name it with --shard.');
  }
  await commandLine.withLedgers(async (ledgers) => {
    const placed = await placedShards(ledgers);
    const exported = placed.filter((one) => shard === undefined || one.shard === shard);
    if (shard !== undefined && exported.length === 0) {
      throw new AuditFailure(
        `There is no shard ${shard}: there are ${placed.map((one) => one.shard).join(', ') || 'none'}.`,
      );
    }
    await exportEvents(exported, commandLine.stdout, { after, limit });
  });
}
