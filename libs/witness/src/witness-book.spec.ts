import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrownLog } from './testing/grown-log';
import { WitnessBook } from './witness-book';

const log = new GrownLog();
const forged = new GrownLog(log.origin, 'forged ');
let directory: string;
let book: WitnessBook;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'witness-'));
  book = new WitnessBook({
    directory,
    keysOf: (origin) => (origin === log.origin ? [{ publicKey: log.signer.publicKey }] : []),
  });
});
afterEach(() => rm(directory, { recursive: true }));

const file = async (end: 'seen' | 'refused') => {
  const name = (await readdir(directory)).find((entry) => entry.endsWith(`.${end}`));
  return name ? join(directory, name) : undefined;
};

describe('a witness', () => {
  it('takes a log from its beginning, and then only what extends what it has', async () => {
    for (const [from, to] of [
      [0, 1],
      [1, 7],
      [7, 200],
    ] as const) {
      expect(await book.submit(await log.request(from, to))).toMatchObject({ answer: 'taken' });
    }
    expect(await book.newest(log.origin)).toBe(log.checkpoint(200));
    expect(await book.origins()).toEqual([log.origin]);
    expect(await book.refused(log.origin)).toEqual([]);
  });

  it('takes the same checkpoint again, and says which size it has where the proof begins elsewhere', async () => {
    await book.submit(await log.request(0, 7));
    expect(await book.submit(await log.request(7, 7))).toMatchObject({ answer: 'taken' });
    expect(await book.submit(await log.request(0, 9))).toEqual({ answer: 'other_size', size: 7 });
    expect(await book.submit(await log.request(3, 5))).toEqual({ answer: 'other_size', size: 7 });
  });

  it('refuses a second root of one size, and keeps both: the key has signed two logs', async () => {
    await book.submit(await log.request(0, 5));
    await book.submit(await log.request(5, 9));
    for (const size of [9, 5]) {
      const answered = await book.submit({ oldSize: size, path: [], note: forged.checkpoint(size) });
      expect(answered).toMatchObject({ answer: 'refused', why: 'other_root', size: 9 });
    }
    expect(await book.newest(log.origin)).toBe(log.checkpoint(9));
    expect(await book.refused(log.origin)).toMatchObject([
      {
        is_proof: true,
        note: forged.checkpoint(9),
        problem: expect.stringContaining('of 9 events with another root') as unknown,
      },
      { is_proof: true, note: forged.checkpoint(5) },
    ]);
  });

  it('refuses a log that was rewritten and grew, and keeps what it was sent once', async () => {
    await book.submit(await log.request(0, 5));
    for (let time = 0; time < 3; time += 1) {
      expect(await book.submit(await forged.request(5, 9))).toMatchObject({ answer: 'refused', why: 'inconsistent' });
    }
    expect(await book.refused(log.origin)).toMatchObject([{ is_proof: false, note: forged.checkpoint(9) }]);
    expect(await book.newest(log.origin)).toBe(log.checkpoint(5));
  });

  it.each<[string, GrownLog, string]>([
    ['a log that it does not know', new GrownLog('ledger.test/shard/1'), 'unknown_log'],
    ['a key that it does not know', new GrownLog(log.origin, '', 4), 'not_signed'],
  ])('%s: nothing is taken and nothing kept', async (_name, other, why) => {
    expect(await book.submit(await other.request(0, 5))).toMatchObject({ answer: 'refused', why });
    expect(await readdir(directory)).toEqual([]);
  });

  it('what is no checkpoint, or smaller than the old size, is malformed', async () => {
    expect(await book.submit({ oldSize: 0, path: [], note: 'hello\n' })).toMatchObject({ why: 'malformed' });
    expect(await book.submit({ oldSize: 9, path: [], note: log.checkpoint(5) })).toMatchObject({ why: 'malformed' });
  });

  it('answers requests that arrive at once one after the other: never two logs', async () => {
    const requests = await Promise.all([
      log.request(0, 5),
      forged.request(0, 5),
      log.request(0, 6),
      forged.request(0, 6),
    ]);
    const answers = await Promise.all(requests.map((request) => book.submit(request)));
    expect(answers.map(({ answer }) => answer)).toEqual(['taken', 'refused', 'other_size', 'other_size']);
  });
});

describe('what a witness has seen', () => {
  it('is there after a restart, and only lines are added', async () => {
    await book.submit(await log.request(0, 5));
    const before = await readFile((await file('seen')) ?? '', 'utf8');
    const again = new WitnessBook({ directory });
    expect(await again.submit(await log.request(0, 9))).toEqual({ answer: 'other_size', size: 5 });
    await again.submit(await log.request(5, 9));
    expect((await readFile((await file('seen')) ?? '', 'utf8')).startsWith(before)).toBe(true);
    expect(await book.newest(log.origin)).toBe(log.checkpoint(9));
  });

  it('a line that a crash cut off was never answered: the one before it counts, and the next is added after it', async () => {
    await book.submit(await log.request(0, 5));
    await appendFile((await file('seen')) ?? '', '{"origin":"ledger.test/shard/0","at":"2026-');
    expect(await book.newest(log.origin)).toBe(log.checkpoint(5));
    await book.submit(await log.request(5, 9));
    expect(await book.newest(log.origin)).toBe(log.checkpoint(9));
  });

  it.each(['nonsense\n', '{"origin":"ledger.test/shard/0","at":"x","note":"y"}\n'])(
    'a file that is damaged does not pass for an empty one',
    async (text) => {
      await book.submit(await log.request(0, 5));
      await writeFile((await file('seen')) ?? '', text);
      await expect(book.newest(log.origin)).rejects.toThrow(/damaged|another log/);
      await expect(book.submit(await log.request(0, 9))).rejects.toThrow(/damaged|another log/);
    },
  );

  it('of a long history the newest lines are read', async () => {
    for (let size = 1; size < 200; size += 1) await book.submit(await log.request(size - 1, size));
    const all = await readFile((await file('seen')) ?? '', 'utf8');
    const long = `${all.split('\n')[0]}\n`.repeat(5_000);
    await writeFile((await file('seen')) ?? '', long + all);
    expect(await book.newest(log.origin)).toBe(log.checkpoint(199));
  });

  it('a log begins anew only by a decision, which stays in the file with all that was seen', async () => {
    await book.submit(await log.request(0, 9));
    await book.submit({ oldSize: 9, path: [], note: forged.checkpoint(9) });
    await book.beginAnew(log.origin, 'restored by Ada, case 12');
    expect(await book.newest(log.origin)).toBeUndefined();
    expect(await book.refused(log.origin)).toEqual([]);
    expect(await book.submit(await forged.request(0, 4))).toMatchObject({ answer: 'taken' });
    const kept = await readFile((await file('seen')) ?? '', 'utf8');
    expect(kept).toContain('restored by Ada, case 12');
    expect(kept).toContain(JSON.stringify(log.checkpoint(9)));
  });
});
