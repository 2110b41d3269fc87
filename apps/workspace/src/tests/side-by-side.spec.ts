import { runSideBySide } from './side-by-side';

interface Task {
  name: string;
  processors: number;
}

/** Tasks that the test ends, and the list of those that have begun. */
function controlled() {
  const begun: string[] = [];
  const endings = new Map<string, (error?: Error) => void>();
  const run = ({ name }: Task) =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      endings.set(name, (error) => {
        if (error === undefined) resolve(`${name} done`);
        else reject(error);
      });
    });
  const end = async (name: string, error?: Error) => {
    endings.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { begun, run, end };
}

const tasks = (...processors: number[]): Task[] =>
  processors.map((each, index) => ({ name: String.fromCharCode('a'.charCodeAt(0) + index), processors: each }));

describe('tasks side by side', () => {
  it('begin in order, as soon as there are processors for the next one', async () => {
    const { begun, run, end } = controlled();
    const all = runSideBySide(tasks(1, 1, 1, 2, 1), 2, run);
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(begun).toEqual(['a', 'b', 'c']);
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await end('d');
    await end('e');
    expect(await all).toEqual(['a done', 'b done', 'c done', 'd done', 'e done']);
  });

  it('run alone when they need more processors than there are', async () => {
    const { begun, run, end } = controlled();
    const all = runSideBySide(tasks(2, 2), 1, run);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'b']);
    await end('b');
    expect(await all).toHaveLength(2);
  });

  it('go on when one fails, and the failure is reported in the end', async () => {
    const { begun, run, end } = controlled();
    const all = runSideBySide(tasks(1, 1, 1), 1, run);
    const failed = expect(all).rejects.toThrow('no room on the disk');
    await end('a', new Error('no room on the disk'));
    await end('b');
    await end('c');
    expect(begun).toEqual(['a', 'b', 'c']);
    await failed;
  });
});
