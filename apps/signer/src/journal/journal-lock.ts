// One signer per journal: its process listens on a socket in the journal's folder. The kernel closes it with the process,
// however that ends, so that nothing stale keeps the next one out; containers that share a volume share the socket too,
// where process ids would say nothing. What two starts in the same millisecond could slip past is found when a line is
// appended (journal.ts).

import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JournalRefusal } from './journal-refusal';

/** A socket's path has 107 bytes at the most (Linux; 103 on macOS). */
const PATH_BYTES_MAX = 103;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 50;

/** @returns releases the lock @throws JournalRefusal while another process holds it */
export async function lockJournal(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'lock');
  if (Buffer.byteLength(path) > PATH_BYTES_MAX)
    throw new JournalRefusal(
      `SIGNER_JOURNAL_DIRECTORY: ${directory} is too long for a socket in it; name a shorter path.`,
    );
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const server = await listening(path);
    if (server !== undefined) return () => new Promise((closed) => server.close(() => closed()));
    if (await answers(path))
      throw new JournalRefusal(
        `SIGNER_JOURNAL_DIRECTORY: another signer works with ${directory}; end it first, or give this one a folder and keys of its own.`,
      );
    rmSync(path, { force: true });
    await sleep(PAUSE_MS);
  }
  throw new JournalRefusal(
    `SIGNER_JOURNAL_DIRECTORY: ${path} comes and goes; see which processes use it, and start one.`,
  );
}

/** Undefined where something is at the path already. */
function listening(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy());
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(path, () => resolve(server.unref()));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = connect(path);
    const end = (answer: boolean) => {
      caller.destroy();
      resolve(answer);
    };
    caller.on('connect', () => end(true)).on('error', () => end(false));
  });
}
