// How every command speaks: progress goes to stderr, results to stdout, and an expected failure is one sentence with the way
// out (OperatorError) instead of a stack trace. A step that takes longer than HEARTBEAT_MS repeats itself, so that long work
// never looks dead. On a terminal the running step is one line that is rewritten.

import { parseArgs, type ParseArgsConfig } from 'node:util';
import { OperatorError } from './operator-error';

const HEARTBEAT_MS = 5_000;
const TERMINAL_HEARTBEAT_MS = 1_000;

/** Shows a detail of the running step. */
export type Tell = (detail: string) => void;

const isInteractive = () => process.stderr.isTTY && process.env['CI'] === undefined;

export function say(text = ''): void {
  process.stderr.write(`${text}\n`);
}

const seconds = (startedAt: number) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Runs one named step; `work` may call its argument with a detail to show while it runs. Its result is returned. */
export async function step<Result>(
  title: string,
  work: (tell: Tell) => Result | Promise<Result>,
  { quiet = false } = {},
): Promise<Result> {
  if (quiet) return work(() => undefined);
  const interactive = isInteractive();
  const startedAt = Date.now();
  let detail = '';
  const draw = (end: string) => process.stderr.write(`${interactive ? '\r\x1b[2K' : ''}  ${title}${detail}${end}`);
  const heartbeat = setInterval(
    () => draw(` … ${seconds(startedAt)}${interactive ? '' : '\n'}`),
    interactive ? TERMINAL_HEARTBEAT_MS : HEARTBEAT_MS,
  );
  if (interactive) draw(' …');
  try {
    const result = await work((text) => {
      detail = `: ${text}`;
    });
    draw(` (${seconds(startedAt)})\n`);
    return result;
  } catch (error) {
    draw(` failed after ${seconds(startedAt)}\n`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** A command: what it resolves to is its exit code if that is a number. */
export type Main = (argv: string[]) => unknown;

/** Runs a command's main function and turns its outcome into the exit code. Only unexpected errors show a stack. */
export async function runCommand(main: Main): Promise<void> {
  try {
    const code = await main(process.argv.slice(2));
    // Left alone otherwise: a program that this one has loaded may have failed already.
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    say(error instanceof OperatorError ? `\n${error.message}` : `\nUnexpected: ${described(error)}`);
    process.exitCode = 1;
  }
}

const described = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

type Options = NonNullable<ParseArgsConfig['options']>;
const HELP_OPTION = { help: { type: 'boolean', short: 'h' } } as const;

/**
 * The flags of one command: booleans and strings by name; anything else is refused with the way to the help. Undefined when
 * the help was asked for and printed.
 */
export function parseFlags<Flags extends Options>(argv: string[], options: Flags, help: string) {
  const parsed = parsedFlags(argv, options);
  if ((parsed.values as { help?: boolean }).help) {
    process.stdout.write(`${help.trim()}\n`);
    return undefined;
  }
  return parsed;
}

function parsedFlags<Flags extends Options>(argv: string[], options: Flags) {
  try {
    return parseArgs({ args: argv, options: { ...options, ...HELP_OPTION }, allowPositionals: true });
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new OperatorError(`${reason}. Try --help.`);
  }
}

/** What a flag says, as a number. */
export function wholeNumber(flag: string, text: string, { least, most }: { least: number; most: number }): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw new OperatorError(`--${flag} takes a whole number from ${least} to ${most}, not "${text}".`);
}
