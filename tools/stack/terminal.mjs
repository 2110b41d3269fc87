// How every command of tools/ speaks: progress goes to stderr, results to stdout, and an expected failure is one
// sentence with the way out (Refusal) instead of a stack trace. A step that takes longer than HEARTBEAT_MS repeats
// itself, so that long work never looks dead. On a terminal the running step is one line that is rewritten.

const HEARTBEAT_MS = 5_000;

/** An expected failure: its message is all that the user gets to read, so it names the cause and the way out. */
export class Refusal extends Error {}

const interactive = () => process.stderr.isTTY === true && process.env.CI === undefined;

export function say(text = '') {
  process.stderr.write(`${text}\n`);
}

const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Runs one named step; `work` may call its argument with a detail to show while it runs. Its result is returned. */
export async function step(title, work, { quiet = false } = {}) {
  if (quiet) return work(() => undefined);
  const startedAt = Date.now();
  let detail = '';
  const draw = (end) => process.stderr.write(`${interactive() ? '\r\x1b[2K' : ''}  ${title}${detail}${end}`);
  const heartbeat = setInterval(
    () => draw(` … ${seconds(startedAt)}${interactive() ? '' : '\n'}`),
    interactive() ? 1_000 : HEARTBEAT_MS,
  );
  if (interactive()) draw(' …');
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

/** Runs a command's main function and turns its outcome into the exit code. Only unexpected errors show a stack. */
export async function runCommand(main) {
  try {
    process.exitCode = (await main(process.argv.slice(2))) ?? 0;
  } catch (error) {
    say(error instanceof Refusal ? `\n${error.message}` : `\nUnexpected: ${error?.stack ?? error}`);
    process.exitCode = 1;
  }
}

/** The flags of one command: booleans and strings by name; anything else is refused with the way to the help. */
export async function parseFlags(argv, options, help) {
  const { parseArgs } = await import('node:util');
  let parsed;
  try {
    parsed = parseArgs({
      args: argv,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new Refusal(`${error.message.split('. ')[0]}. Try --help.`);
  }
  if (parsed.values.help) {
    process.stdout.write(`${help.trim()}\n`);
    return undefined;
  }
  return parsed;
}

/** What a flag says, as a number. */
export function wholeNumber(flag, text, { least, most }) {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw new Refusal(`--${flag} takes a whole number from ${least} to ${most}, not "${text}".`);
}
