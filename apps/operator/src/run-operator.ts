import { Writable } from 'node:stream';
import { Operator } from './operator';

/** Runs what the process was asked to, and lets it end with the exit code. */
export async function runOperator(
  create: (env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable) => Operator,
): Promise<void> {
  // The reader of a pipe may stop reading at any time: then the rest of what would be said is dropped.
  process.stdout.on('error', () => undefined);
  process.exitCode = await create(process.env, process.stdout, process.stderr).run(process.argv.slice(2));
}
