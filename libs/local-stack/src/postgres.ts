// The embedded Postgres of one data folder: initdb on the first start (into a folder that is renamed only when it is
// complete, so that a kill leaves nothing half made), then a postmaster on loopback with fsync and password login.

import { type ChildProcess, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import pg from 'pg';
import { isExecutable } from './executable';
import { lastLines, rotateLog } from './log-files';
import { type DataPaths, userId } from './paths';
import { rememberedPort } from './ports';
import { nativeFolder, planRun, type RunPlan } from './postgres-account';
import { endProcess, isAlive } from './processes';
import { type Secrets, writeOwnerOnly } from './secrets';
import { serverProcess, type ServerProcess, spawnServer, watchEnd } from './server-process';

export const OWNER_ROLE = 'stablecoin_owner';
const INITDB_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 120_000; // Recovery after a kill replays the write-ahead log.
const READY_POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 2_000;
const START_ATTEMPTS_MAX = 3;
const START_PAUSE_MS = 500;
const STOP_TIMEOUT_MS = 60_000;
const CONNECTIONS_MAX = 200;
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: String(CONNECTIONS_MAX),
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // After a checkpoint the first change of every page writes the whole page to the log, so checkpoints are rare.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  // Before a recovery Postgres syncs all files: with one call for all, instead of opening each of thousands.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  log_timezone: 'UTC',
  timezone: 'UTC',
  jit: 'off',
};

export interface PostgresServer extends ServerProcess {
  port: number;
  /** Connects as the owner. */
  url(database: string): string;
  /** Postgres' immediate shutdown: nothing is flushed, and the next start recovers. For fault tests. */
  stopAtOnce(): void;
}

/** Starts Postgres and waits until it answers. */
export async function startPostgres(
  paths: DataPaths,
  secrets: Pick<Secrets, 'postgres_owner_password'>,
): Promise<PostgresServer> {
  const plan = planRun(paths);
  const password = secrets.postgres_owner_password;
  makeExecutable();
  rotateLog(paths.postgresLog);
  requireOwnFolder(paths, plan);
  initialise(paths, plan, password);
  removeStalePidFile(paths); // The launcher's lock and endLeftovers() ensure that no server of this folder runs.
  for (let attempt = 1; ; attempt += 1) {
    const port = await rememberedPort(paths.ports, 'postgres');
    const url = (database: string) => `postgresql://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`;
    const child = launch(paths, plan, port);
    if (await untilReady(child, url('postgres'))) {
      const server = serverProcess(child, { gently: 'SIGINT', timeoutMs: STOP_TIMEOUT_MS });
      return { ...server, port, url, stopAtOnce: () => stopAtOnce(paths, plan) };
    }
    if (attempt === START_ATTEMPTS_MAX)
      throw new OperatorError(
        `Postgres does not start; its last words in ${paths.postgresLog}: ${lastLines(paths.postgresLog)}`,
      );
    await sleep(START_PAUSE_MS * attempt);
  }
}

// -- the data folder ----------------------------------------------------------------------------------------------

function initialise(paths: DataPaths, plan: RunPlan, password: string): void {
  if (existsSync(join(paths.postgres, 'PG_VERSION'))) return;
  rmSync(paths.postgresUnfinished, { recursive: true, force: true });
  mkdirSync(paths.postgresUnfinished, { mode: 0o700 });
  if (plan.account) chownSync(paths.postgresUnfinished, plan.account.uid, plan.account.gid);
  const passwordFile = writePasswordFile(paths, plan, password);
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'initdb'), [
    ...['-D', paths.postgresUnfinished, `--username=${OWNER_ROLE}`, `--pwfile=${passwordFile}`],
    ...['--auth=scram-sha-256', '--encoding=UTF8'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ]);
  try {
    execFileSync(command, args, { ...options, stdio: 'pipe', timeout: INITDB_TIMEOUT_MS });
  } catch (error) {
    throw new OperatorError(`Postgres could not set up ${paths.postgres}: ${lastWords(error)}`);
  } finally {
    rmSync(passwordFile);
  }
  renameSync(paths.postgresUnfinished, paths.postgres);
}

function lastWords(error: unknown): string {
  const said = String((error as { stderr?: Buffer } | undefined)?.stderr ?? '') || errorMessage(error);
  return said.trim().split('\n').slice(-2).join(' ');
}

function writePasswordFile(paths: DataPaths, plan: RunPlan, password: string): string {
  const file = join(paths.dataDir, 'postgres.password');
  writeOwnerOnly(file, `${password}\n`);
  if (plan.account) chownSync(file, plan.account.uid, plan.account.gid);
  return file;
}

/** A crash leaves postmaster.pid behind; if another program has its process id by now, Postgres would not start. */
function removeStalePidFile(paths: DataPaths): void {
  const file = join(paths.postgres, 'postmaster.pid');
  if (existsSync(file) && isAlive(Number(readFileSync(file, 'utf8').split('\n')[0]))) rmSync(file);
}

function requireOwnFolder(paths: DataPaths, plan: RunPlan): void {
  if (!existsSync(paths.postgres)) return;
  const owner = statSync(paths.postgres).uid;
  if (owner === (plan.account?.uid ?? userId())) return;
  if (plan.account) {
    execFileSync('chown', ['-R', `${plan.account.uid}:${plan.account.gid}`, paths.postgres]);
    return;
  }
  throw new OperatorError(
    `${paths.postgres} belongs to another user (id ${owner}): sudo chown -R "$(id -u)" ${paths.dataDir}, ` +
      'or choose another folder with DATA_DIR.',
  );
}

// -- start and stop -----------------------------------------------------------------------------------------------

function makeExecutable(): void {
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(nativeFolder(), 'bin', program);
    if (!isExecutable(file)) chmodSync(file, 0o755);
  }
}

function launch(paths: DataPaths, plan: RunPlan, port: number): ChildProcess {
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'postgres'), [
    ...['-D', paths.postgres],
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  return spawnServer(command, args, paths.postgresLog, {
    ...options,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
  });
}

async function untilReady(child: ChildProcess, url: string): Promise<boolean> {
  const hasEnded = watchEnd(child);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!hasEnded() && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      await sleep(READY_POLL_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  if (!hasEnded() && child.pid !== undefined) await endProcess(child.pid, { gently: 'SIGINT' });
  return false;
}

function stopAtOnce(paths: DataPaths, plan: RunPlan): void {
  const flags = ['stop', '-D', paths.postgres, '-m', 'immediate', '-W'];
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'pg_ctl'), flags);
  execFileSync(command, args, { ...options, cwd: '/', stdio: 'pipe', timeout: STOP_TIMEOUT_MS });
}
