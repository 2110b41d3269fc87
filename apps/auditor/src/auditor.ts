/** The program `audit`: its commands, each defined in a folder of its name. It reads the ledger and writes nothing. */
import { Writable } from 'node:stream';
import { OFFLINE_COMMANDS, runOfflineCommand } from '@stablecoin/event-proofs/offline-commands';
import { addBalanceCommand } from './balance/balance.command';
import { addCheckpointCommand } from './checkpoint/checkpoint.command';
import { CommandLine } from './command-line/command-line';
import { ENVIRONMENT } from './database/ledger';
import { addExplainCommand } from './explain/explain.command';
import { addExportCommand } from './export/export.command';
import { addCheckpointsCommand, addProveCommand, addProveConsistencyCommand } from './prove/prove.commands';
import { addLiabilitiesCommand } from './liabilities/liabilities.command';
import { addReplayCommand } from './replay/replay.command';
import { addSolvencyCommand } from './solvency/solvency.command';
import { addVerifyCommand } from './verify/verify.command';
import { addWitnessesCommand } from './witnesses/witnesses.command';

export function createAuditor(env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable) {
  const commandLine = new CommandLine(env, stdout, stderr);
  const program = commandLine.program('audit', 'Proves the ledger from its log, reading only.', HELP);
  addVerifyCommand(program, commandLine);
  addReplayCommand(program, commandLine);
  addBalanceCommand(program, commandLine);
  addExplainCommand(program, commandLine);
  addCheckpointsCommand(program, commandLine);
  addCheckpointCommand(program, commandLine);
  addWitnessesCommand(program, commandLine);
  addProveCommand(program, commandLine);
  addProveConsistencyCommand(program, commandLine);
  addLiabilitiesCommand(program, commandLine);
  addSolvencyCommand(program, commandLine);
  addExportCommand(program, commandLine);

  const run = async (args: readonly string[]): Promise<number> => {
    if (!OFFLINE_COMMANDS.includes(args[0] ?? '')) return commandLine.run(program, args);
    const { code, out, err } = runOfflineCommand(args);
    stdout.write(out);
    stderr.write(err);
    return code;
  };
  return { run };
}

const HELP = `
Without a database or a network (try --help with each):
  verify-proof FILE --key PUBLIC_KEY            checks a proof
  verify-consistency OLD NEW --key PUBLIC_KEY   checks that a log has only grown
  verify-liability FILE --key PUBLIC_KEY        checks that a wallet is counted in what is owed

Database: ${ENVIRONMENT.join(', else ')}.
The ledger's further databases, where its shards lie on several: AUDIT_DATABASES, NAME=URL separated by commas, beside AUDIT_DATABASE_URL.
Exit codes: 0 all is well, 1 a finding, 2 wrong usage or an outage.`;
