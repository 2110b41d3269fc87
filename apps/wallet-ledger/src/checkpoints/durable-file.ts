import { randomUUID } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** A new file, flushed, then renamed, and the directory flushed: it is there as a whole or not at all, also after a crash. */
export async function writeDurably(directory: string, place: string, state: object): Promise<void> {
  const written = `${place}.${randomUUID()}`;
  await flushed(written, 'wx', `${JSON.stringify(state, null, 2)}\n`);
  await rename(written, place);
  await flushed(directory, 'r');
}

/** @throws when there is a file that can't be read: a memory that is damaged must not pass for one that is empty */
export async function readIfThere(place: string): Promise<string | undefined> {
  return readFile(place, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

async function flushed(path: string, flags: 'wx' | 'r', text?: string): Promise<void> {
  const file = await open(path, flags);
  try {
    if (text !== undefined) await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
