import { Writable } from 'node:stream';
import { Command } from 'commander';
import { CommandContext, CommandGroup } from './command-context';
import { EXIT, EXIT_CODES_HELP, endingOf } from './exit-codes';

/** The place where the program runs, and the commands that are available there. */
export interface Place {
  env: NodeJS.ProcessEnv;
  stdout: Writable;
  stderr: Writable;
  groups: readonly CommandGroup[];
  settings: () => Promise<NodeJS.ProcessEnv>;
  /** The login of the person on this machine, where there is one. */
  localUser: () => string | undefined;
  /** How a person types `words`, a command with its arguments. */
  typed: (words: string) => string;
}

export interface Operator {
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>;
}

/** Commands that had no area before, by the names that scripts may still call them by. */
const EARLIER_NAMES: Readonly<Partial<Record<string, readonly string[]>>> = {
  create: ['merchants', 'create'],
  'add-key': ['merchants', 'add-key'],
  'rotate-key': ['merchants', 'rotate-key'],
  'revoke-key': ['merchants', 'revoke-key'],
  'list-keys': ['merchants', 'list-keys'],
  'set-kyc-status': ['customers', 'set-kyc-status'],
  'erase-customer': ['customers', 'erase'],
  'rewrap-keys': ['customers', 'rewrap-keys'],
  reindex: ['customers', 'reindex'],
};

/**
 * The operator's command line: merchants and their keys, decisions about customers, documents for compliance, facts
 * that a service could not handle, and the databases. They use only the databases, so the services may be up or down. What
 * is on chains the chain service alone knows, and policies are the ledger's: the commands of those areas ask over the bus.
 */
export function createOperator({ env, stdout, stderr, groups, settings, localUser, typed }: Place): Operator {
  let code: number = EXIT.done;
  const context: CommandContext = {
    env,
    settings,
    localUser,
    typed,
    print: (result, options) =>
      void stdout.write(`${options && !options.json ? options.table(result) : JSON.stringify(result)}\n`),
    tell: (line) => void stderr.write(`${line}\n`),
    exitWith: (other) => void (code = other),
  };
  const root = new Command('operator')
    .description('Everything that an operator types.')
    .addHelpText('after', `\nFor example: ${typed('merchants create --name NAME')}\n${EXIT_CODES_HELP}`)
    .configureHelp({ commandUsage: (of) => typed(usageOf(of)) })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  for (const addCommands of groups) addCommands(root, context);

  const run = async (args: readonly string[]): Promise<number> => {
    const words = renamed(args);
    code = EXIT.done;
    try {
      await root.parseAsync(words, { from: 'user' });
    } catch (error) {
      const ending = endingOf(error, words[0]);
      if (ending.message !== undefined) context.tell(`error: ${ending.message}`);
      code = ending.code;
    }
    return code;
  };
  return { run };
}

/** The words of a command below the root, and how its flags follow. */
function usageOf(of: Command): string {
  const names: string[] = [];
  for (let each = of; each.parent !== null; each = each.parent) names.unshift(each.name());
  return [...names, of.usage()].join(' ');
}

function renamed([first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [...(EARLIER_NAMES[first] ?? [first]), ...rest];
}
