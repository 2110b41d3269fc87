import { Command } from 'commander';
import { CommandLine } from '../command-line/command-line';
import { JSON_HELP } from '../command-line/options';
import { timedReport } from '../report/timed-report';
import { replay } from './replay';
import { replayReport } from './replay.report';

export function addReplayCommand(program: Command, commandLine: CommandLine): void {
  program
    .command('replay')
    .description('Rebuilds every projection from the log and compares it with the live one, byte for byte')
    .option('--keep', 'leave the rebuilt tables behind, in the schema that is named at the end')
    .option('--json', JSON_HELP)
    .action(({ json, keep }: { json?: boolean; keep?: boolean }) =>
      commandLine.print(json, (ledgers) =>
        timedReport((onStart) => replay(ledgers, new Date(), { keep, onStart }), replayReport),
      ),
    );
}
