// The process behind ProgramProcess: runs a command-line program in itself, once for each message, and answers with what the
// program printed and its exit code. It ends when its parent does.

import { Writable } from 'node:stream';
import type { CommandAnswer, CommandMessage } from './program-process';

/** Makes the program, for one command line. */
type Program = (
  env: NodeJS.ProcessEnv,
  stdout: Writable,
  stderr: Writable,
) => { run(args: readonly string[]): Promise<number> };

class Printed extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function answerTo({ id, args, env }: CommandMessage, program: Program): Promise<CommandAnswer> {
  const [stdout, stderr] = [new Printed(), new Printed()];
  const code = await program({ ...process.env, ...env }, stdout, stderr).run(args);
  return { id, code, stdout: stdout.text, stderr: stderr.text };
}

const [, , file = '', name = ''] = process.argv;
const loaded = import(file) as Promise<Record<string, Program>>;

process.on('message', (message: CommandMessage) => {
  void loaded.then(async ({ [name]: program }) => {
    if (program === undefined) throw new Error(`${file} exports no ${name}`);
    process.send?.(await answerTo(message, program));
  });
});
process.on('disconnect', () => process.exit());
