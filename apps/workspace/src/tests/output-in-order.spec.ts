import { Writable } from 'node:stream';
import { OutputInOrder } from './output-in-order';

describe('the output of programs side by side', () => {
  let shown = '';
  let output: OutputInOrder;

  beforeEach(() => {
    shown = '';
    const target = new Writable({
      write(chunk: Buffer, _encoding, done) {
        shown += chunk.toString();
        done();
      },
    });
    output = new OutputInOrder(target);
  });

  const written = (to: Writable, text: string) => new Promise((done) => to.write(text, done));
  const ended = (share: Writable) => new Promise<void>((done) => share.end(done));

  it('of the first is shown at once, of the next when the first has ended', async () => {
    const [first, second] = [output.next(), output.next()];
    await written(second, 'b1 ');
    await written(first, 'a1 ');
    expect(shown).toBe('a1 ');
    await written(first, 'a2 ');
    await ended(first);
    expect(shown).toBe('a1 a2 b1 ');
    await written(second, 'b2 ');
    expect(shown).toBe('a1 a2 b1 b2 ');
  });

  it('of a program that ended early is shown whole in its place, then that of the next', async () => {
    const [first, second, third] = [output.next(), output.next(), output.next()];
    await written(third, 'c ');
    await written(second, 'b ');
    await ended(second);
    expect(shown).toBe('');
    await ended(first);
    expect(shown).toBe('b c ');
    await ended(third);
    await written(output.next(), 'd');
    expect(shown).toBe('b c d');
  });
});
