import { watch } from 'chokidar';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { isSource } from './source-compiler';

const FOLDERS = ['apps', 'libs'];
const NEVER_WATCHED = /\/(node_modules|generated|dist|schemas)(\/|$)/;

/** Calls `changed` with each source that is written, added or removed from now on, by its path in the checkout. */
export async function watchSources(changed: (source: string) => void): Promise<{ close(): Promise<void> }> {
  const watcher = watch(
    FOLDERS.map((folder) => join(ROOT, folder)),
    { ignoreInitial: true, ignored: (path) => NEVER_WATCHED.test(relative(ROOT, path)) },
  );
  watcher.on('all', (_, path) => {
    const file = relative(ROOT, path);
    if (isSource(file)) changed(file);
  });
  await once(watcher, 'ready');
  return watcher;
}
