/** The command line that makes projections anew. Apart from the auditor's, because it writes. */
import { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { onlineRebuild } from '../online-rebuild/online-rebuild';
import { onlineRebuildReport } from '../online-rebuild/online-rebuild.report';
import { messageOf, timed } from './auditor';
import { OWNER_ENVIRONMENT, withLedger } from './ledger';
import { AuditFailure, EXIT } from './report';

const HELP = `
Works beside running services. Without --switch nothing but a schema of its own is written, and dropped again.
Database: ${OWNER_ENVIRONMENT.join(', else ')}, the owner of the tables.
Exit codes: 0 the tables are as the log says, 1 they are not, or the log is at fault, 2 wrong usage or an outage.`;

export async function runRebuilder(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: Writable,
  stderr: Writable,
): Promise<number> {
  let exitCode: number = EXIT.ok;
  const rebuilder = new Command('rebuild')
    .description('Makes every projection anew from the log and compares it with the live one, byte for byte.')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride()
    .option('--switch', 'puts the new tables in place of the live ones, while the ledger works')
    .option('--json', 'one JSON object on stdout')
    .action(async (options: { switch?: boolean; json?: boolean }) => {
      const work = (database: LedgerDatabase) =>
        timed(
          (onStart) => onlineRebuild(database, new Date(), { switch: options.switch, onStart }),
          onlineRebuildReport,
        );
      const report = await withLedger(env, work, OWNER_ENVIRONMENT);
      stdout.write(options.json ? `${JSON.stringify({ ok: report.ok, ...report.json })}\n` : `${report.text}\n`);
      if (!report.ok) exitCode = EXIT.finding;
    });
  try {
    await rebuilder.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.failure;
    stderr.write(`${messageOf(error)}\n`);
    return error instanceof AuditFailure ? error.exitCode : EXIT.failure;
  }
}
