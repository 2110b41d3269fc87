// The journal on real files: what a kill leaves, and what else is found in a folder.

import { spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Logger } from '@nestjs/common';
import { Journal } from './journal';

const APPENDING = join(__dirname, '../../../../dist/apps/signer/src/testing/appending.main.js');
const KILLS = 12;

let directory: string;
const path = (name: string) => join(directory, name);
const lines = () => readFileSync(path('journal'), 'utf8').split('\n').slice(0, -1);

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'journal-'))));
afterEach(() => rmSync(directory, { recursive: true }));

interface Opened {
  journal: Journal;
  numbers: number[];
}

async function opened(of = 'test'): Promise<Opened> {
  const numbers: number[] = [];
  const journal = await Journal.open({
    directory,
    of,
    onEntry: (entry) => numbers.push((entry as { number: number }).number),
  });
  return { journal, numbers };
}

/** What is read at a start, and closed again. */
async function numbersRead(of?: string): Promise<number[]> {
  const { journal, numbers } = await opened(of);
  await journal.close();
  return numbers;
}

/** A journal with the entries 1 to `count`. */
async function written(count: number): Promise<void> {
  const { journal } = await opened();
  for (let number = 1; number <= count; number += 1) await journal.append({ number });
  await journal.close();
}

const startError = async (of?: string) => String(await numbersRead(of).catch((error: unknown) => error));

it('a start reads what was appended, in order', async () => {
  await written(3);
  expect(await numbersRead()).toEqual([1, 2, 3]);
  expect(statSync(path('journal')).mode & 0o777).toBe(0o600);
});

it('of a process killed at any moment, every entry that it answered for is read again', async () => {
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const process_ = spawn(process.execPath, [APPENDING, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
    const until = answered + 3 + 7 * kill;
    for await (const line of createInterface(process_.stdout)) {
      if (line.startsWith('opened')) {
        expect(Number(line.split(' ')[1])).toBeGreaterThanOrEqual(answered);
        continue;
      }
      answered = Number(line);
      if (answered >= until) process_.kill('SIGKILL');
    }
  }
  const numbers = await numbersRead();
  expect(numbers.length).toBeGreaterThanOrEqual(answered);
  // One at the most was written and not answered for.
  expect(numbers.length).toBeLessThanOrEqual(answered + 1);
  expect(numbers).toEqual(numbers.map((_, position) => position + 1));
}, 120_000);

describe('a line that was not answered for', () => {
  it.each([1, 40, 64, 65, 77])('is cut off where only %i bytes of it were written', async (bytes) => {
    await written(2);
    const head = readFileSync(path('head'));
    await written(1);
    const length = statSync(path('journal')).size - Buffer.byteLength(`${lines().at(-1)}\n`);
    writeFileSync(path('head'), head);
    truncateSync(path('journal'), length + bytes);
    expect(await numbersRead()).toEqual([1, 2]);
    expect(statSync(path('journal')).size).toBe(length);
    await written(0);
  });

  it('is cut off where the disk has zeros in its place', async () => {
    await written(2);
    appendFileSync(path('journal'), Buffer.alloc(300));
    expect(await numbersRead()).toEqual([1, 2]);
  });

  it('is kept where it is whole', async () => {
    await written(2);
    const head = readFileSync(path('head'));
    const { journal } = await opened();
    await journal.append({ number: 3 });
    await journal.close();
    writeFileSync(path('head'), head);
    expect(await numbersRead()).toEqual([1, 2, 3]);
    // And its number counts as answered for from then on.
    truncateSync(path('journal'), statSync(path('journal')).size - 10);
    expect(await startError()).toContain('it ends after line 3, and 4 were answered for');
  });
});

it('a head whose last record was cut short counts by the one before', async () => {
  await written(2);
  const head = readFileSync(path('head'));
  // Three lines: the second sector has the last record.
  head.fill(0, 512 + 40, 512 + 90);
  writeFileSync(path('head'), head);
  expect(await numbersRead()).toEqual([1, 2]);
});

describe('a start is refused, and says what to do', () => {
  const damaged = async (change: () => void, what: string) => {
    await written(5);
    change();
    const error = await startError();
    expect(error).toContain(`the journal in ${directory} was changed: ${what}`);
    expect(error).toContain('"The signer\'s journal" in docs/OPERATIONS.md');
    expect(error.split('\n')).toHaveLength(1);
    // As often as it is tried.
    expect(await startError()).toBe(error);
  };
  const editLine = (index: number, edit: (line: string) => string) =>
    writeFileSync(
      path('journal'),
      `${lines()
        .map((line, i) => (i === index ? edit(line) : line))
        .join('\n')}\n`,
    );

  it.each([0, 2, 5])('where line %i was edited', (index) =>
    damaged(
      () => editLine(index, (line) => line.replace(/.(?=}$)/, (digit) => (digit === '9' ? '8' : '9'))),
      `line ${index + 1} is not as it was written`,
    ),
  );

  it('where a line was taken out', () =>
    damaged(() => {
      writeFileSync(
        path('journal'),
        `${lines()
          .filter((_, i) => i !== 3)
          .join('\n')}\n`,
      );
    }, 'line 4 is not as it was written'));

  it('where the end was cut off at a line', () =>
    damaged(() => {
      writeFileSync(path('journal'), `${lines().slice(0, -2).join('\n')}\n`);
    }, 'it ends after line 4, and 6 were answered for'));

  it('where the end was cut off within a line', () =>
    damaged(
      () => truncateSync(path('journal'), statSync(path('journal')).size - 5),
      'it ends after line 5, and 6 were',
    ));

  it('where the journal was emptied', () =>
    damaged(() => truncateSync(path('journal'), 0), 'it ends after line 0, and 6 were answered for'));

  it('where its head is gone', () => damaged(() => rmSync(path('head')), 'its head file is missing or unreadable'));

  it('where its head is an older copy', async () => {
    await written(1);
    copyFileSync(path('head'), path('copy'));
    await damaged(
      () => copyFileSync(path('copy'), path('head')),
      'its head file is older than it, by more than a line',
    );
  });

  it('where another journal lies under its head', async () => {
    await written(5);
    const other = lines();
    rmSync(path('journal'));
    rmSync(path('head'));
    const { journal } = await opened();
    for (let number = 1; number <= 5; number += 1) await journal.append({ number: number * 10 });
    await journal.close();
    writeFileSync(path('journal'), `${other.join('\n')}\n`);
    expect(await startError()).toContain('line 6 is not the one that was answered for');
  });

  it('where something was appended to it', () =>
    damaged(() => appendFileSync(path('journal'), 'one\ntwo\n'), 'line 7 is none of its own'));

  it('where it is of other keys', async () => {
    await written(1);
    expect(await startError('others')).toContain(
      `the journal in ${directory} is of other keys (test); name the one of these`,
    );
  });

  it('where another signer has it, until that ends', async () => {
    const first = await opened();
    expect(await startError()).toContain(`another signer works with ${directory}; end it first`);
    await first.journal.append({ number: 1 });
    await first.journal.close();
    expect(await numbersRead()).toEqual([1]);
  });

  it('where its path is too long for the lock', async () => {
    const before = directory;
    directory = join(before, 'x'.repeat(100));
    expect(await startError()).toContain('is too long for a socket in it; name a shorter path');
    directory = before;
  });
});

it('a lock that a killed signer left keeps no other out', async () => {
  const process_ = spawn(process.execPath, [APPENDING, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(process_.stdout)) if (line === '3') process_.kill('SIGKILL');
  expect(statSync(path('lock')).isSocket()).toBe(true);
  expect((await numbersRead()).length).toBeGreaterThanOrEqual(3);
});

it('of two that write in spite of the lock, at the most one has an answer for a line, and then neither goes on', async () => {
  const first = await opened();
  rmSync(path('lock'));
  const second = await opened();
  await first.journal.append({ number: 1 });
  await expect(second.journal.append({ number: 1 })).rejects.toThrow('Another process writes into the journal');
  await expect(first.journal.append({ number: 2 })).rejects.toThrow('Another process writes into the journal');
  expect([first.journal.takesEntries, second.journal.takesEntries]).toEqual([false, false]);
  await expect(first.journal.append({ number: 2 })).rejects.toThrow('takes no entries');
  await first.journal.close();
  await second.journal.close();
});

it('an append that fails is the last one', async () => {
  const { journal } = await opened();
  await expect(journal.append({ filler: 'x'.repeat(20_000) })).rejects.toThrow('longer than a line');
  expect(journal.takesEntries).toBe(false);
  await expect(journal.append({ number: 1 })).rejects.toThrow('takes no entries');
  await journal.close();
  expect(await numbersRead()).toEqual([]);
});
