import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { linkPackages, placePackages, versionIn } from './linked-packages';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'linked-packages-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

it('linkPackages links installed packages; files that tools write beside them stay apart', () => {
  for (const path of ['pg/index.js', '@nestjs/core/index.js', '.bin/tool', '.cache/stamp', '.package-lock.json'])
    write(join('from', path));
  mkdirSync(join(folder, 'to'));
  linkPackages(join(folder, 'to'), join(folder, 'from'));
  const linked = (path: string) => join(folder, 'to', 'node_modules', path);
  expect(realpathSync(linked('@nestjs/core/index.js'))).toBe(realpathSync(join(folder, 'from/@nestjs/core/index.js')));
  expect(existsSync(linked('.bin/tool'))).toBe(true);
  expect(existsSync(linked('.cache'))).toBe(false);
  expect(lstatSync(linked('.package-lock.json')).isSymbolicLink()).toBe(false);
});

describe('placePackages', () => {
  const version = versionIn(join(ROOT, 'node_modules/reflect-metadata'));
  const lock = (packages: object) => write('package-lock.json', JSON.stringify({ packages: { '': {}, ...packages } }));

  it('places separate files where the lock file has them, and writes npm’s record', () => {
    lock({
      'node_modules/reflect-metadata': { version },
      'node_modules/a/node_modules/reflect-metadata': { version },
      'node_modules/absent': { version: '1.0.0', optional: true },
    });
    expect(placePackages(folder)).toBeUndefined();
    const placed = join(folder, 'node_modules/a/node_modules/reflect-metadata/Reflect.js');
    const ours = join(ROOT, 'node_modules/reflect-metadata/Reflect.js');
    expect(lstatSync(placed).isFile()).toBe(true);
    expect(readFileSync(placed).equals(readFileSync(ours))).toBe(true);
    expect(statSync(dirname(placed)).ino).not.toBe(statSync(dirname(ours)).ino);
    const record = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as object;
    expect(record).toHaveProperty('packages', {
      'node_modules/reflect-metadata': { version },
      'node_modules/a/node_modules/reflect-metadata': { version },
    });
  });

  it('names a package that this checkout lacks in that version, and places nothing', () => {
    lock({ 'node_modules/pg': { version: '0.0.1' }, 'node_modules/reflect-metadata': { version } });
    expect(placePackages(folder)).toBe('pg 0.0.1');
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  });
});
