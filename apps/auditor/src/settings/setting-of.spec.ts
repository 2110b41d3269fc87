import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingOf } from './setting-of';

const folder = mkdtempSync(join(tmpdir(), 'setting-of-'));
const file = join(folder, 'url');
writeFileSync(file, 'postgresql://from-the-file\n');
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  [{ URL: 'postgresql://given' }, 'postgresql://given'],
  [{ URL_FILE: file }, 'postgresql://from-the-file'],
  [{ URL: 'postgresql://given', URL_FILE: file }, 'postgresql://given'],
  [{}, undefined],
])('%j gives %s', (env, value) => {
  expect(settingOf(env, 'URL')).toBe(value);
});

it('says which variable names a file that is not there', () => {
  expect(() => settingOf({ URL_FILE: join(folder, 'nowhere') }, 'URL')).toThrow(
    "URL_FILE names a file that can't be read (ENOENT).",
  );
});
