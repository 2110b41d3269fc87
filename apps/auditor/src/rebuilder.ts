/** The program `rebuild`, which makes projections anew. Apart from the auditor, because it writes. */
import { Writable } from 'node:stream';
import { CommandLine } from './command-line/command-line';
import { JSON_HELP } from './command-line/options';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { HOME_DATABASE } from '@stablecoin/service-host/repeated-settings';
import { LedgerDatabases, OWNER_ENVIRONMENT } from './database/ledger';
import { onlineRebuild } from './online-rebuild/online-rebuild';
import { onlineRebuildReport } from './online-rebuild/online-rebuild.report';
import { AuditFailure } from './report/report';
import { timedReport } from './report/timed-report';

const HELP = `
Works beside running services. Without --switch nothing but a schema of its own is written, and dropped again.
Database: ${OWNER_ENVIRONMENT.join(', else ')}, the owner of the tables; with --database one of LEDGER_MIGRATION_DATABASES.
Of a ledger on several databases it makes the shards of one. What that one has of shards on others is left out, and is not in the new
tables: it is evidence in those that are kept, and made anew if the shard comes back. Not while a shard is being moved there.
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
    .option('--database <name>', 'the one of the ledger’s databases whose shards it makes', HOME_DATABASE)
    .option('--json', JSON_HELP)
    .action((options: { switch?: boolean; database: string; json?: boolean }) =>
      commandLine.print(options.json, (ledgers) =>
        timedReport(
          (onStart) => onlineRebuild(named(ledgers, options.database), new Date(), { switch: options.switch, onStart }),
          onlineRebuildReport,
        ),
      ),
    );
  return commandLine.run(rebuilder, args);
}

function named(ledgers: LedgerDatabases, name: string): LedgerDatabase {
  const found = ledgers.find((one) => one.name === name);
  if (found) return found.database;
  throw new AuditFailure(`There is no database ${name}: there are ${ledgers.map((one) => one.name).join(', ')}.`);
}
