import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const FILES_AT_ONCE = 8;

/** Handles the items of a list, FILES_AT_ONCE at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item, done: number) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      await work(item, items.length - queue.length);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
}

/** Syncs everything in a folder to disk. Called after all is written, which costs far less than file by file. */
export async function syncFolder(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((entry) => join(folder, entry));
  await eachOf([...entries, folder], sync);
}

/** Syncs a file, or a folder's entries. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
