import { Writable } from 'node:stream';
import { Operator } from './operator';

/** Runs the command of the process's arguments and sets its exit code. */
export async function runOperator(
  create: (env: NodeJS.ProcessEnv, stdout: Writable, stderr: Writable) => Operator,
): Promise<void> {
  // The reader of a pipe may stop reading at any time: the rest of the output is then dropped.
  process.stdout.on('error', () => undefined);
  process.exitCode = await create(process.env, process.stdout, process.stderr).run(process.argv.slice(2));
}
