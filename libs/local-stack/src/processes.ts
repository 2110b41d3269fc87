// Distinguishes our processes from others. Every process of a stack has that stack's data folder in its command line
// (postgres -D, nats-server -c, anvil's --cache-path, a service's --stack), so that leftovers of a killed launcher are found
// without a record that could be stale, and a reused process id is never touched. Every wait here is bounded.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { errorCode } from '@stablecoin/command-line/error-code';
import { CHAIN_FOLDER_FLAG, statesFolder } from './chains/chain-folder';

const POLL_MS = 25;
const LIST_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 10_000;
const KILL_TIMEOUT_MS = 5_000;
const POSTGRES_END_TIMEOUT_MS = 30_000;
const BACKENDS_END_TIMEOUT_MS = 15_000;

export type ProcessRole = 'postgres' | 'nats-server' | 'chain' | 'service';

export const stackArgument = (dataDir: string) => `--stack=${dataDir}`;

/** Every process that this user may see. */
function listProcesses(): { pid: number; args: string[] }[] {
  if (process.platform === 'linux') {
    return processIds()
      .map((pid) => ({ pid, args: argumentsOf(pid) }))
      .filter(({ args }) => args.length > 0);
  }
  const lines = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8', timeout: LIST_TIMEOUT_MS }).split('\n');
  return lines.filter(Boolean).map((line) => {
    const [pid, ...args] = line.trim().split(/\s+/);
    return { pid: Number(pid), args };
  });
}

/** Only on Linux. */
const processIds = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return []; // It ended in the meantime.
  }
}

/** The role of a process with this command line in the stack of this data folder, if it has one. */
export function roleOf(args: readonly string[], dataDir: string): ProcessRole | undefined {
  const program = basename(args[0] ?? '');
  const follows = (flag: string, value: string) =>
    args.some((argument, index) => argument === flag && args[index + 1] === value);
  if (
    program === 'postgres' &&
    (follows('-D', join(dataDir, 'postgres')) || follows('-D', join(dataDir, 'postgres.unfinished')))
  )
    return 'postgres';
  if (EVM_NETWORKS.some((network) => follows(CHAIN_FOLDER_FLAG, statesFolder(join(dataDir, 'chains', network)))))
    return 'chain';
  if (program === 'nats-server' && follows('-c', join(dataDir, 'nats', 'server.conf'))) return 'nats-server';
  if (args.includes(stackArgument(dataDir))) return 'service';
  return undefined;
}

/** The running processes that a launcher of this data folder has started. */
export function processesOfStack(dataDir: string): { pid: number; role: ProcessRole; args: string[] }[] {
  return listProcesses().flatMap(({ pid, args }) => {
    const role = roleOf(args, dataDir);
    return role === undefined ? [] : [{ pid, role, args }];
  });
}

/** Backends outlive a killed postmaster for a moment; while one works in the folder, no other server may start there. */
export function processesWorkingIn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return processIds().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** When a process started: with its id this names it uniquely, because ids alone are reused. */
export function startOf(pid: number): string | undefined {
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

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Resolves to whether the condition came true in time. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Asks a process to end, and kills it after `timeoutMs`. Resolves to whether it ended without that. */
export async function endProcess(
  pid: number,
  { gently = 'SIGTERM', timeoutMs = END_TIMEOUT_MS }: { gently?: NodeJS.Signals; timeoutMs?: number } = {},
): Promise<boolean> {
  signal(pid, gently);
  if (await waitUntil(() => !isAlive(pid), timeoutMs)) return true;
  signal(pid, 'SIGKILL');
  await waitUntil(() => !isAlive(pid), KILL_TIMEOUT_MS);
  return false;
}

/** Ends the processes of a killed launcher: services, then NATS and chains, then Postgres (SIGINT is its fast shutdown). */
export async function endLeftovers(dataDir: string): Promise<number> {
  const left = processesOfStack(dataDir);
  const end = (role: ProcessRole, how?: Parameters<typeof endProcess>[1]) =>
    Promise.all(left.filter((entry) => entry.role === role).map(({ pid }) => endProcess(pid, how)));
  await end('service');
  await Promise.all([end('nats-server'), end('chain')]);
  await end('postgres', { gently: 'SIGINT', timeoutMs: POSTGRES_END_TIMEOUT_MS });
  await waitUntil(() => processesWorkingIn(join(dataDir, 'postgres')).length === 0, BACKENDS_END_TIMEOUT_MS);
  return left.length;
}
