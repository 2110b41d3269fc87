// Content hashes, to know whether a step's inputs changed since it last succeeded. Times are not asked: a checkout, a
// branch switch or a copy changes them without changing a byte.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './paths.mjs';

/** Every file under `path` (relative to the checkout) that `wanted` accepts, sorted. */
export function filesUnder(path, wanted = () => true, skipFolders = []) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute, { withFileTypes: true })
    .filter((entry) => !skipFolders.includes(entry.name))
    .flatMap((entry) => {
      const child = relative(ROOT, join(absolute, entry.name));
      if (entry.isDirectory()) return filesUnder(child, wanted, skipFolders);
      return wanted(child) ? [child] : [];
    })
    .sort();
}

export function hashOf(files, salt = '') {
  const hash = createHash('sha256').update(salt);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

export const readStamp = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
export const writeStamp = (file, value) => writeFileSync(file, value);
