// One set-up at a time per checkout: two commands started side by side on a fresh clone would otherwise install into the
// same node_modules. The lock file names its holder by process id and start time, so that a killed holder's lock is free at
// once; it is created by link(), all or nothing. A dead holder's lock is moved aside by rename, which succeeds for one
// newcomer alone, and put back when it turns out to be another's that was taken in between.

import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './files.mjs';
import { OperatorError, say } from './terminal.mjs';

const FILE = join(ROOT, '.data', 'setup.lock');
const WAIT_MAX_MS = 900_000;
const WAIT_POLL_MS = 200;

/** Runs `work` alone in this checkout; waits, visibly and at most WAIT_MAX_MS, for another command to finish the same. */
export async function alone(work) {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  const deadline = Date.now() + WAIT_MAX_MS;
  for (let waits = 0; !tryLock(); waits += 1) {
    if (waits === 1) say('  Waiting for the set-up that another command is doing in this checkout');
    if (Date.now() > deadline)
      throw new OperatorError(`${FILE} is held by another program: wait for it to end and try again.`);
    await sleep(WAIT_POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(FILE, { force: true });
  }
}

function tryLock() {
  const own = `${FILE}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`);
  try {
    return tryLink(own, FILE) || (removeDead(), false);
  } finally {
    rmSync(own, { force: true });
  }
}

function tryLink(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function removeDead() {
  const holder = read(FILE);
  if (holder === undefined || isAlive(holder)) return;
  const aside = `${FILE}.${process.pid}.dead`;
  try {
    renameSync(FILE, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return; // Another newcomer was quicker.
    throw error;
  }
  if (read(aside) !== holder) tryLink(aside, FILE);
  rmSync(aside, { force: true });
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(holder) {
  const [pid, start] = holder.split(' ');
  return startOf(pid) === start;
}

/** When a process started, where the system says it; else whether it is there. */
function startOf(pid) {
  try {
    process.kill(Number(pid), 0);
    if (process.platform !== 'linux') return 'running';
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    return error.code === 'EPERM' ? 'running' : undefined;
  }
}
