import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from '../output/terminal';

/** One line of a person, which the terminal does not show, or all of what another program sends. */
export async function readSecret({ stdin, note }: Terminal, question: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).trim();
  note(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((answered, gaveUp) => {
      lines.once('line', (line) => answered(line.trim()));
      lines.once('SIGINT', () => gaveUp(new Error('interrupted')));
    });
  } finally {
    lines.close();
  }
}
