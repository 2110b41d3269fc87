import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { CommanderError } from 'commander';

/** The exit codes of commands, which the root's help lists too. */
export const EXIT = { done: 0, refused: 1, failure: 2 } as const;

export const EXIT_CODES_HELP = `
Exit codes: 0 done, 1 it can't be done (no such merchant, no such key, …), 2 wrong usage or an outage.
What went wrong is one line on stderr.`;

/** Scripts rely on exit code 1 of these for every error; `facts` ends with 2 when the service does not answer. */
const ENDING_WITH_1 = new Set(['facts', 'backup', 'restore', 'migrate', 'secrets']);

/** Something that the command needs does not answer: its message says what, and what to do. */
export class Outage extends Error {}

export interface Ending {
  code: number;
  /** For stderr, unless Commander has already printed it. */
  message?: string;
}

/** How the command that begins with the word `first` ends after `error`. */
export function endingOf(error: unknown, first: string | undefined): Ending {
  const failure = first !== undefined && ENDING_WITH_1.has(first) ? EXIT.refused : EXIT.failure;
  // Commander has already printed the mistake and where help is.
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? EXIT.done : failure };
  const refusal = refusalOf(error);
  return refusal === undefined
    ? { code: failure, message: failureOf(error) }
    : { code: EXIT.refused, message: refusal };
}

function refusalOf(error: unknown): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof Refusal && error.code === 'not_found') return 'The merchant has no such customer.';
  return undefined;
}

/** A message without internals such as connection strings. */
function failureOf(error: unknown): string {
  if (error instanceof Outage) return error.message;
  if (error instanceof ConfigurationError) return error.message.split('\n').join('; ');
  if (databaseFailure(error).kind === 'unknown') return 'The database does not answer: check its URL.';
  const { name, message } = error as Error;
  return `Unexpected ${name}: ${message.trim().split('\n').at(-1)}`;
}
