import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretFrom } from './secret-files';

const folder = mkdtempSync(join(tmpdir(), 'secret-files-'));

afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return file;
}

it('is the variable, or the file without its line end, and nothing when neither is set', () => {
  expect(secretFrom({ KEY: 'a' }, 'KEY')).toBe('a');
  expect(secretFrom({ KEY: '', KEY_FILE: fileWith('b\n') }, 'KEY')).toBe('b');
  expect(secretFrom({ KEY_FILE: fileWith('\n') }, 'KEY')).toBeUndefined();
  expect(secretFrom({}, 'KEY')).toBeUndefined();
});

it('refuses both at once, and a file that is not there, by name', () => {
  expect(() => secretFrom({ KEY: 'a', KEY_FILE: fileWith('b') }, 'KEY')).toThrow(/KEY and KEY_FILE are both set/);
  const missing = { KEY_FILE: join(folder, 'nowhere') };
  expect(() => secretFrom(missing, 'KEY')).toThrow(/KEY_FILE names .* can't be read \(ENOENT\)/);
});
