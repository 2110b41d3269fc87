/** The program `rebuild`, which makes projections anew. Apart from the auditor, because it writes. */
import { Writable } from 'node:stream';
import { CommandLine } from './command-line/command-line';
import { JSON_HELP } from './command-line/options';
import { OWNER_ENVIRONMENT } from './database/ledger';
import { onlineRebuild } from './online-rebuild/online-rebuild';
import { onlineRebuildReport } from './online-rebuild/online-rebuild.report';
import { timedReport } from './report/timed-report';

const HELP = `
Works beside running services. Without --switch nothing but a schema of its own is written, and dropped again.
Database: ${OWNER_ENVIRONMENT.join(', else ')}, the owner of the tables.
Exit codes: 0 the tables are as the log says, 1 they are not, or the log is at fault, 2 wrong usage or an outage.`;

export function runRebuilder(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: Writable,
  stderr: Writable,
): Promise<number> {
  const commandLine = new CommandLine(env, stdout, stderr, OWNER_ENVIRONMENT);
  const rebuilder = commandLine
    .program(
      'rebuild',
      'Makes every projection anew from the log and compares it with the live one, byte for byte.',
      HELP,
    )
    .option('--switch', 'puts the new tables in place of the live ones, while the ledger works')
    .option('--json', JSON_HELP)
    .action((options: { switch?: boolean; json?: boolean }) =>
      commandLine.print(options.json, (database) =>
        timedReport(
          (onStart) => onlineRebuild(database, new Date(), { switch: options.switch, onStart }),
          onlineRebuildReport,
        ),
      ),
    );
  return commandLine.run(rebuilder, args);
}
