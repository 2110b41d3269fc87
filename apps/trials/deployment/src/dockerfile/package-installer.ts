// Executes `npm ci` of the Dockerfile. It takes more time than all other steps together, and its outcome depends only
// on the lock file, so packages that were installed once are not installed again:
//
//   the checkout's own lock file          its packages are in the checkout's node_modules, where npm ci put them: linked
//   an image's manifest, the first time   npm ci itself, in the image's folder; a stamp keeps the manifest's hash
//   the same manifest again               each package of its lock file, in the same place, from the checkout's node_modules
//
// No service can change the checkout's files through a hard link: as root it runs as another user, and the trial compares
// the images' contents before and after.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { LOCK_FILE, linkPackages, placePackages } from '@stablecoin/local-stack/linked-packages';
import { runInShell, type Installation } from './image-folders';

const STAMPS = join(ROOT, 'node_modules', '.cache', 'image-manifests');
const DONE = { code: 0, output: '' };

/** `node` is the program that npm runs on: packages are installed anew for another one. */
export function packageInstaller(node: string) {
  return async (installation: Installation): Promise<{ code: number; output: string }> => {
    const { cwd } = installation;
    if (readFileSync(join(cwd, LOCK_FILE), 'utf8') === readFileSync(join(ROOT, LOCK_FILE), 'utf8')) {
      linkPackages(cwd);
      return DONE;
    }
    const { file, hash } = stampOf(installation, node);
    const isKnown = existsSync(file) && readFileSync(file, 'utf8') === hash;
    if (isKnown && placePackages(cwd) === undefined) return DONE;
    const outcome = await runInShell(installation);
    if (outcome.code === 0) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, hash);
    }
    return outcome;
  };
}

/** One for each manifest's name, which is the image's. */
function stampOf({ command, cwd, env }: Installation, node: string): { file: string; hash: string } {
  const manifest = readFileSync(join(cwd, 'package.json'), 'utf8');
  const lock = readFileSync(join(cwd, LOCK_FILE), 'utf8');
  const { name } = JSON.parse(manifest) as { name: string };
  const inputs = [command, node, env['NODE_ENV'], manifest, lock];
  return {
    file: join(STAMPS, `${name}.sha256`),
    hash: createHash('sha256').update(JSON.stringify(inputs)).digest('hex'),
  };
}
