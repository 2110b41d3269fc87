import { Command } from 'commander';
import { CLI_VERSION } from './cli-version';
import { addListenCommand } from './events/listen.command';
import { EXIT_CODES, ExitCode, failureOf, failureText } from './failures';
import type { Terminal } from './output/terminal';
import { addProfileCommands } from './profiles/profile-commands';
import { addLogsCommand } from './request-log/logs.command';
import { addResourceCommands } from './resources/resource-commands';
import { addTriggerCommand } from './sandbox/trigger.command';

const AFTER = `
Amounts are decimal texts. Lists take --limit, --page and --all; every command takes --help, and those that answer take --json.

Exit codes: 0 done; 1 the service refused; 2 wrong usage; 3 no answer, and a write may have taken effect: repeat it with the key
that the message names. Messages go to stderr, with --json as one line {"error":{"code","message",…}}; results to stdout.

Example:
  stablecoin payouts create-to-bank --currency USDT --amount 10 --account-number 0123456789 --bank-code 011 \\
    --recipient-name 'Ada Obi' --idempotency-key order-4711`;

/** Runs one command and gives its exit code. Only a bug is thrown. */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = programOf(terminal);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT_CODES.done;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    if (failure.message !== '') process.stderr.write(failureText(failure, argv.includes('--json')));
    return failure.exitCode;
  }
}

export function programOf(terminal: Terminal): Command {
  const program = new Command('stablecoin')
    .description('Stablecoin accounts: customers, wallets, swaps, payouts, webhooks and proofs.')
    .version(CLI_VERSION)
    .showSuggestionAfterError()
    .showHelpAfterError('Try --help.')
    .exitOverride()
    .addHelpText('after', AFTER);
  addProfileCommands(program, terminal);
  addResourceCommands(program, terminal);
  addListenCommand(program, terminal);
  addTriggerCommand(program, terminal);
  addLogsCommand(program, terminal);
  return program;
}
