// Allows one launcher per data folder. The lock file names its holder by process id and start time and is created by
// link() (all or nothing). A dead holder's lock is broken under a second, short-lived lock: otherwise two launchers
// could both break it, and one remove the other's new lock.

import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { startOf } from './processes';

const ATTEMPTS_MAX = 40;
const ATTEMPT_PAUSE_MS = 50;
const BREAKING_STALE_MS = 5_000;

interface Holder {
  pid: number;
  startedAt: string;
}

/** The id of the process that holds the lock; undefined when no living process does. */
export function lockHolder(file: string): number | undefined {
  const holder = readHolder(file);
  return holder !== undefined && startOf(holder.pid) === holder.startedAt ? holder.pid : undefined;
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Takes the lock or refuses with one sentence; returns the function that releases it. */
export async function takeLock(file: string, dataDir: string): Promise<() => void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    if (tryCreate(file)) return () => rmSync(file, { force: true });
    const holder = lockHolder(file);
    if (holder !== undefined) {
      throw new OperatorError(
        `The stack in ${dataDir} is already running (process ${holder}): stop that one first, ` +
          'or start a second one of its own with DATA_DIR=/another/folder PORT=3001 npm start.',
      );
    }
    breakLock(file);
    await sleep(ATTEMPT_PAUSE_MS);
  }
  throw new OperatorError(`Another program keeps changing ${file}: wait for it to end and try again.`);
}

function tryCreate(file: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) }), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

function breakLock(file: string): void {
  const breaking = `${file}.breaking`;
  try {
    writeFileSync(breaking, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    removeStaleBreaking(breaking);
    return;
  }
  try {
    if (lockHolder(file) === undefined) rmSync(file, { force: true });
  } finally {
    rmSync(breaking, { force: true });
  }
}

function removeStaleBreaking(breaking: string): void {
  const ageMs = Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (ageMs > BREAKING_STALE_MS) rmSync(breaking, { force: true });
}
