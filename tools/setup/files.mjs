// The checkout's files, and content hashes of them, to know whether a step's inputs changed since it last succeeded. Times
// are not asked: a checkout, a branch switch or a copy changes them without changing a byte.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Every file under a folder of the checkout that `wanted` accepts, by its path in the checkout, sorted. */
export function filesUnder(folder, wanted = () => true) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesUnder(path, wanted);
      return wanted(path) ? [path] : [];
    })
    .sort();
}

export function hashOf(files, salt = '') {
  const hash = createHash('sha256').update(salt);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

export const readOr = (file, otherwise) => (existsSync(file) ? readFileSync(file, 'utf8') : otherwise);
