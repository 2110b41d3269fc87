// One launcher per data folder. The lock file names its holder by process id and start time, is created by link() (all or
// nothing), and a dead holder's lock is broken under a second, short-lived lock, so that two newcomers can't both break it
// and one of them remove the other's new lock.

import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOf } from './processes.mjs';
import { Refusal } from './terminal.mjs';

const ATTEMPTS_MAX = 40;
const ATTEMPT_PAUSE_MS = 50;
const BREAKING_STALE_MS = 5_000;

/** Who holds the lock now: its process id, or undefined when nobody alive does. */
export function lockHolder(file) {
  let holder;
  try {
    holder = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
  return startOf(holder.pid) === holder.startedAt ? holder.pid : undefined;
}

/** Takes the lock or refuses with one sentence; returns the function that gives it back. */
export async function takeLock(file, dataDir) {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (tryCreate(file)) return () => rmSync(file, { force: true });
    const holder = lockHolder(file);
    if (holder !== undefined) {
      throw new Refusal(
        `The stack in ${dataDir} is already running (process ${holder}): stop that one first, ` +
          'or start a second one of its own with DATA_DIR=/another/folder PORT=3001 npm start.',
      );
    }
    breakLock(file);
    await sleep(ATTEMPT_PAUSE_MS);
  }
  throw new Refusal(`Another program keeps changing ${file}: wait for it to end and try again.`);
}

function tryCreate(file) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) }), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function breakLock(file) {
  const breaking = `${file}.breaking`;
  try {
    writeFileSync(breaking, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    removeStaleBreaking(breaking);
    return;
  }
  try {
    if (lockHolder(file) === undefined) rmSync(file, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
}

function removeStaleBreaking(breaking) {
  const age = Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > BREAKING_STALE_MS) rmSync(breaking, { force: true });
}
