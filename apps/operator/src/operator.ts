import { Writable } from 'node:stream';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../operator-error';
import { CommandContext } from './command-context';
import { addCustomerCommands } from './customer-commands';
import { addDocumentCommands } from './document-commands';
import { addKeyCommands } from './key-commands';
import { addRotationCommands } from './rotation-commands';

const EXIT = { done: 0, refused: 1, failure: 2 } as const;
const HELP = `
Exit codes: 0 done, 1 it can't be done (no such merchant, no such key, …), 2 wrong usage or an outage.
What went wrong is one line on stderr.`;

/**
 * The operator's command line: merchants, their keys, what people decide about customers, what compliance reads of them,
 * and the change of keys. It works on the database alone, so the services may be up or down.
 */
export function createOperator(env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable) {
  const context: CommandContext = {
    env,
    print(result, options) {
      stdout.write(`${options && !options.json ? options.table(result) : JSON.stringify(result)}\n`);
    },
    tell: (line) => void stderr.write(`${line}\n`),
  };
  const root = new Command('customer')
    .description('Manages merchants and their API keys, decides about customers, reads their documents, changes keys.')
    .addHelpText('after', HELP)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  addKeyCommands(root, context);
  addCustomerCommands(root, context);
  addDocumentCommands(root, context);
  addRotationCommands(root, context);

  const run = async (args: readonly string[]): Promise<number> => {
    try {
      await root.parseAsync(args, { from: 'user' });
      return EXIT.done;
    } catch (error) {
      // Commander has said by itself what is wrong, and where help is.
      if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.failure;
      const refusal = refusalOf(error);
      stderr.write(`error: ${refusal ?? failureOf(error)}\n`);
      return refusal === undefined ? EXIT.failure : EXIT.refused;
    }
  };
  return { run };
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Refusal && error.code === 'not_found') return 'The merchant has no such customer.';
  return undefined;
}

/** Internals, connection strings among them, stay out of what is printed. */
function failureOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.message.split('\n').join('; ');
  if (databaseFailure(error).kind === 'unknown') return 'The customer database does not answer: check its URL.';
  const { name, message } = error as Error;
  return `Unexpected ${name}: ${message.trim().split('\n').at(-1)}`;
}
