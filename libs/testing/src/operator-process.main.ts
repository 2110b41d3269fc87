// The process behind OperatorProcess: runs the operator's program in itself, once for each message, and answers with what the
// program printed and its exit code. It ends when its parent does.

import { Writable } from 'node:stream';
import type { CommandAnswer, CommandMessage } from './operator-process';

interface OperatorModule {
  checkoutOperator(
    env: NodeJS.ProcessEnv,
    stdout: Writable,
    stderr: Writable,
  ): { run(args: readonly string[]): Promise<number> };
}

class Printed extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

async function answerTo({ id, args }: CommandMessage, { checkoutOperator }: OperatorModule): Promise<CommandAnswer> {
  const [stdout, stderr] = [new Printed(), new Printed()];
  const code = await checkoutOperator(process.env, stdout, stderr).run(args);
  return { id, code, stdout: stdout.text, stderr: stderr.text };
}

const [, , file = ''] = process.argv;
const operator = import(file) as Promise<OperatorModule>;

process.on('message', (message: CommandMessage) => {
  void operator.then(async (loaded) => process.send?.(await answerTo(message, loaded)));
});
process.on('disconnect', () => process.exit());
