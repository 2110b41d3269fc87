// Applies prisma/<name>/migrations/<stamp>_<name>/migration.sql in order, each in a transaction of its own together with
// its row in _prisma_migrations, exactly as Prisma records it: `prisma migrate deploy` on a connected machine agrees.
//
// Services work meanwhile. So a statement waits for a table no longer than LOCK_TIMEOUT_MS, because whoever writes there
// waits behind it; it gives way and tries again, LOCK_ATTEMPTS times. An index of a large table is made beside its writers:
// a migration that is one CREATE INDEX CONCURRENTLY IF NOT EXISTS runs without a transaction, and what an interrupted one
// left is dropped first.
//
// One migrator at a time (Prisma's own advisory lock); others wait. They ask for it again and again rather than in one
// statement, which would hold a snapshot for which CREATE INDEX CONCURRENTLY would wait in turn. An applied file that was
// edited since is an error with its name. A database that knows migrations which this checkout doesn't is told of, not
// refused: migrations only add, so the version before them goes on working.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolesOf } from './databases.mjs';
import { ROOT } from './paths.mjs';
import { Refusal } from './terminal.mjs';

const PRISMA_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
const TURN_TIMEOUT_MS = 600_000;
const TURN_POLL_MS = 250;
/** Well below the deadline of the requests that may wait behind it. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 15;
const LOCK_PAUSE_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 600_000;
const INDEX_TIMEOUT_MS = 6 * 3_600_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** The one kind of migration that runs outside of a transaction. */
const CONCURRENT_INDEX = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"?(\w+)"?\s[^;]*;?$/i;
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/** The migrations in a folder, oldest first. */
export function readMigrations(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name, 'migration.sql'));
      return { name, sql: bytes.toString('utf8'), checksum: createHash('sha256').update(bytes).digest('hex') };
    });
}

export const migrationsFolder = (name) => join(ROOT, 'prisma', name, 'migrations');

/**
 * Brings one database up to date; resolves to {database, applied: [names], newer: [names], total}, where `newer` are those
 * that the database has and this checkout doesn't. `tell` is called with what takes long. `locks` is for tests.
 */
export async function migrate({ name, url, folder = migrationsFolder(name), tell = () => undefined, locks = {} }) {
  const migrations = readMigrations(folder);
  const client = await connectOrCreate(name, url);
  try {
    await client.query(
      `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET client_min_messages = warning`,
    );
    await takeTurn(client, name, tell);
    for (const role of rolesOf(name)) await ensureRole(client, role);
    await client.query(TABLE);
    const { rows } = await client.query(
      'SELECT * FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name',
    );
    const { pending, newer } = compare(name, migrations, rows);
    const limits = { attempts: LOCK_ATTEMPTS, timeoutMs: LOCK_TIMEOUT_MS, pauseMs: LOCK_PAUSE_MS, ...locks };
    for (const migration of pending) await apply({ client, name, migration, limits, tell });
    return { database: name, applied: pending.map((migration) => migration.name), newer, total: migrations.length };
  } catch (error) {
    throw refusalOf(name, error);
  } finally {
    await client.end().catch(() => undefined); // Ends the advisory lock with the session.
  }
}

/** Waits until no other migrator works on this database. */
async function takeTurn(client, name, tell) {
  const until = Date.now() + TURN_TIMEOUT_MS;
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS mine', [PRISMA_LOCK]);
    if (rows[0].mine) return;
    if (Date.now() > until) {
      throw new Refusal(
        `Another migration of the ${name} database has been running for ${TURN_TIMEOUT_MS / 60_000} minutes: ` +
          'wait for it to end (pg_stat_activity shows it as "migrate"), then try again.',
      );
    }
    tell('waiting for another migration to end');
    await sleep(TURN_POLL_MS);
  }
}

function compare(name, migrations, rows) {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const file = byName.get(row.migration_name);
    if (row.finished_at === null) {
      throw new Refusal(
        `Migration ${row.migration_name} of the ${name} database was begun and never finished: ` +
          'repair it, then mark it with prisma migrate resolve.',
      );
    }
    if (file !== undefined && file.checksum !== row.checksum) {
      throw new Refusal(
        `Migration ${row.migration_name} of the ${name} database was edited after it had been applied: ` +
          'restore the file and put the change into a new migration.',
      );
    }
  }
  const applied = new Set(rows.map((row) => row.migration_name));
  return {
    pending: migrations.filter((migration) => !applied.has(migration.name)),
    newer: [...applied].filter((migration) => !byName.has(migration)),
  };
}

/** One migration, tried again while a table that it needs is held by somebody else. */
async function apply({ client, name, migration, limits, tell }) {
  const run = concurrentIndexOf(migration.sql) === undefined ? inTransaction : besideWriters;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(client, migration, limits);
    } catch (error) {
      if (error.code !== LOCK_NOT_AVAILABLE || attempt >= limits.attempts) throw failure(name, migration, error);
      tell(`${migration.name} gives way to who holds its tables, attempt ${attempt} of ${limits.attempts}`);
      await sleep(limits.pauseMs);
    }
  }
}

async function inTransaction(client, migration, { timeoutMs }) {
  const startedAt = new Date();
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${timeoutMs}`);
    await client.query(migration.sql);
    await record(client, migration, startedAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Waits for older transactions, but nobody waits for it: it has time. */
async function besideWriters(client, migration) {
  const startedAt = new Date();
  const index = concurrentIndexOf(migration.sql);
  await client.query(`SET lock_timeout = 0; SET statement_timeout = ${INDEX_TIMEOUT_MS}`);
  try {
    const { rows } = await client.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [index]);
    if (rows[0]?.indisvalid === false) await client.query(`DROP INDEX CONCURRENTLY ${client.escapeIdentifier(index)}`);
    await client.query(migration.sql);
    await record(client, migration, startedAt);
  } finally {
    const limits = `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`;
    await client.query(limits).catch(() => undefined);
  }
}

/** The name of the index that a migration makes beside the writers, if it does that and nothing else. */
export function concurrentIndexOf(sql) {
  return CONCURRENT_INDEX.exec(sql.replace(/--.*$/gm, '').trim())?.[1];
}

async function record(client, migration, startedAt) {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, logs, rolled_back_at, started_at, applied_steps_count)
     VALUES ($1, $2, now(), $3, NULL, NULL, $4, 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}

function failure(name, migration, error) {
  const what = `Migration ${migration.name} of the ${name} database`;
  if (error.code === LOCK_NOT_AVAILABLE) {
    return new Refusal(
      `${what} gave way every time, because others hold its tables; nothing was changed. A long transaction, or a backup, is ` +
        'under way (pg_stat_activity shows it): wait for it or end it, then run the migrations again.',
    );
  }
  const at = error.position ? ` at line ${migration.sql.slice(0, Number(error.position)).split('\n').length}` : '';
  return new Refusal(
    `${what} failed${at} and was rolled back: ${error.message}. The database is as it was before, and services go on with it. ` +
      'Mend what the message names, in the file if need be (it was never applied), and run the migrations again.',
  );
}

// -- databases and roles ------------------------------------------------------------------------------------------

async function connect(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'migrate',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function connectOrCreate(name, url) {
  try {
    return await connect(url);
  } catch (error) {
    if (error.code !== '3D000') throw refusalOf(name, error);
  }
  try {
    await createDatabase(url, name);
    return await connect(url);
  } catch (error) {
    throw refusalOf(name, error);
  }
}

/** Only its own roles may connect to a database that we make. */
async function createDatabase(url, name) {
  const target = new URL(url);
  const database = decodeURIComponent(target.pathname.slice(1));
  target.pathname = '/postgres';
  const client = await connect(target.href);
  try {
    const quoted = client.escapeIdentifier(database);
    await takeTurn(client, name, () => undefined);
    for (const role of rolesOf(name)) await ensureRole(client, role);
    const roles = rolesOf(name).map((role) => client.escapeIdentifier(role));
    await ignoring(['42P04', '23505'], () => client.query(`CREATE DATABASE ${quoted}`));
    await client.query(
      `REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC; GRANT CONNECT ON DATABASE ${quoted} TO ${roles.join(', ')}`,
    );
  } finally {
    await client.end();
  }
}

async function ensureRole(client, role) {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (rowCount > 0) return;
  await ignoring(['42710', '23505'], () => client.query(`CREATE ROLE ${client.escapeIdentifier(role)} NOLOGIN`));
}

async function ignoring(codes, work) {
  try {
    await work();
  } catch (error) {
    if (!codes.includes(error.code)) throw error;
  }
}

const WAYS_OUT = {
  ECONNREFUSED: 'no server answers there: start it (npm start for the local stack), or correct the URL',
  ENOTFOUND: 'the host is unknown: correct the URL',
  '28P01': 'the password is wrong: correct the URL',
  28000: "this login is not allowed: correct the URL, or the server's pg_hba.conf",
  42501:
    'the role may not do this: use the owner of the database, or have an administrator create the database and its roles first',
};

function refusalOf(name, error) {
  if (error instanceof Refusal) return error;
  const wayOut = WAYS_OUT[error.code];
  return wayOut === undefined
    ? error
    : new Refusal(`The ${name} database can't be migrated: ${error.message || error.code}; ${wayOut}.`);
}
