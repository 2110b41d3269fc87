import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { lockHolder, takeLock } from './lock';

const NO_PROCESS = 2 ** 22 + 1;
const folders = new TemporaryFolders();
const lockFile = () => join(folders.make(), 'lock');

afterEach(() => folders.remove());

it('has one holder at a time, and is free again afterwards', async () => {
  const file = lockFile();
  const release = await takeLock(file, '/data');
  expect(lockHolder(file)).toBe(process.pid);
  await expect(takeLock(file, '/data')).rejects.toThrow(/already running/);
  release();
  (await takeLock(file, '/data'))();
  expect(existsSync(file)).toBe(false);
});

it('ignores a dead holder, a reused process id and a half-written file', async () => {
  const file = lockFile();
  for (const left of [
    JSON.stringify({ pid: NO_PROCESS, startedAt: '1' }),
    JSON.stringify({ pid: process.pid, startedAt: 'another time' }),
    '{"pid":',
  ]) {
    writeFileSync(file, left);
    (await takeLock(file, '/data'))();
  }
});

it('goes to exactly one of many that find a dead holder', async () => {
  const file = lockFile();
  writeFileSync(file, JSON.stringify({ pid: NO_PROCESS, startedAt: '1' }));
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(file, '/data')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
