// Telling our own processes from others. Every process of a stack carries that stack's data folder in its command line
// (postgres -D, nats-server -c, a service's --stack), so leftovers of a killed launcher are found without a record that
// could be stale, and a process id that another program got since is never touched. Every wait here has an end.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;
const LIST_TIMEOUT_MS = 5_000;

export const stackArgument = (dataDir) => `--stack=${dataDir}`;

/** Every process that this machine lets us see, as {pid, args}. */
function listProcesses() {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), args: argumentsOf(name) }))
      .filter(({ args }) => args.length > 0);
  }
  const lines = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8', timeout: LIST_TIMEOUT_MS }).split('\n');
  return lines.filter(Boolean).map((line) => {
    const [pid, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), args };
  });
}

function argumentsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return []; // It ended while we looked.
  }
}

/** What role, if any, a command line has in the stack of this data folder. */
export function roleOf(args, dataDir) {
  const program = basename(args[0] ?? '');
  const follows = (flag, value) => args.some((argument, index) => argument === flag && args[index + 1] === value);
  if (
    program === 'postgres' &&
    (follows('-D', join(dataDir, 'postgres')) || follows('-D', join(dataDir, 'postgres.unfinished')))
  )
    return 'postgres';
  if (program === 'nats-server' && follows('-c', join(dataDir, 'nats', 'server.conf'))) return 'nats-server';
  if (args.includes(stackArgument(dataDir))) return 'service';
  return undefined;
}

/** The processes that a launcher of this data folder started and that still run. */
export function processesOfStack(dataDir) {
  return listProcesses()
    .map(({ pid, args }) => ({ pid, role: roleOf(args, dataDir) }))
    .filter(({ role }) => role !== undefined);
}

/** Backends outlive a killed postmaster for a moment; while one works in the folder, no other server may start there. */
export function processesWorkingIn(folder) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** When a process started: together with its id this names it for ever, ids alone are used again. */
export function startOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    }
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: LIST_TIMEOUT_MS }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export async function waitUntil(condition, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Asks a process to end, and after `timeoutMs` ends it. Resolves to whether it went by itself. */
export async function endProcess(pid, { gently = 'SIGTERM', timeoutMs = 10_000 } = {}) {
  signal(pid, gently);
  if (await waitUntil(() => !isAlive(pid), timeoutMs)) return true;
  signal(pid, 'SIGKILL');
  await waitUntil(() => !isAlive(pid), 5_000);
  return false;
}

/** Ends what a killed launcher left behind: services first, then NATS, then Postgres (SIGINT is its fast shutdown). */
export async function endLeftovers(dataDir) {
  const left = processesOfStack(dataDir);
  const ofRole = (role) => left.filter((entry) => entry.role === role);
  await Promise.all(ofRole('service').map(({ pid }) => endProcess(pid)));
  await Promise.all(ofRole('nats-server').map(({ pid }) => endProcess(pid)));
  await Promise.all(ofRole('postgres').map(({ pid }) => endProcess(pid, { gently: 'SIGINT', timeoutMs: 30_000 })));
  await waitUntil(() => processesWorkingIn(join(dataDir, 'postgres')).length === 0, 15_000);
  return left.length;
}
