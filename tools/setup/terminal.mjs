// How the set-up speaks: progress goes to stderr, and an expected failure is one sentence with the way out. The commands
// themselves, once they are built, have libs/command-line.

const HEARTBEAT_MS = 5_000;

/** An expected failure: its message is all that a person reads, so it names the cause and the way out. */
export class OperatorError extends Error {}

export const say = (text) => void process.stderr.write(`${text}\n`);
const seconds = (startedAt) => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;

/** Runs one named step, which repeats itself while it takes long, so that long work never looks dead. */
export async function step(title, work) {
  const startedAt = Date.now();
  const heartbeat = setInterval(() => say(`  ${title} … ${seconds(startedAt)}`), HEARTBEAT_MS);
  try {
    const result = await work();
    say(`  ${title} (${seconds(startedAt)})`);
    return result;
  } catch (error) {
    say(`  ${title} failed after ${seconds(startedAt)}`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs `main` and turns its outcome into the exit code, if it has one. Only unexpected errors show a stack. */
export async function runCommand(main) {
  try {
    const code = await main(process.argv.slice(2));
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    say(error instanceof OperatorError ? `\n${error.message}` : `\nUnexpected: ${error?.stack ?? error}`);
    process.exitCode = 1;
  }
}
