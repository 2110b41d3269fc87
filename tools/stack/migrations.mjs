// Applies prisma/<name>/migrations/<stamp>_<name>/migration.sql in order, each in a transaction of its own together with
// its row in _prisma_migrations, exactly as Prisma records it: `prisma migrate deploy` on a connected machine agrees.
// One migrator at a time (Prisma's own advisory lock). An applied file that was edited since, or a database that knows a
// migration this checkout doesn't, is an error with its name. Bounded by CONNECT_, LOCK_ and STATEMENT_TIMEOUT_MS.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolesOf } from './databases.mjs';
import { ROOT } from './paths.mjs';
import { Refusal } from './terminal.mjs';

const PRISMA_LOCK = 72707369;
const CONNECT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 120_000;
const STATEMENT_TIMEOUT_MS = 600_000;
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

/** Brings one database up to date; resolves to {database, applied: [names], total}. */
export async function migrate({ name, url, folder = migrationsFolder(name) }) {
  const migrations = readMigrations(folder);
  const client = await connectOrCreate(name, url);
  try {
    await client.query(
      `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET client_min_messages = warning`,
    );
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
    for (const role of rolesOf(name)) await ensureRole(client, role);
    await client.query(TABLE);
    const { rows } = await client.query(
      'SELECT * FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name',
    );
    const pending = pendingOf(name, migrations, rows);
    for (const migration of pending) await apply(client, name, migration);
    return { database: name, applied: pending.map((migration) => migration.name), total: migrations.length };
  } catch (error) {
    throw refusalOf(name, error);
  } finally {
    await client.end().catch(() => undefined); // Ends the advisory lock with the session.
  }
}

function pendingOf(name, migrations, rows) {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const file = byName.get(row.migration_name);
    if (row.finished_at === null) {
      throw new Refusal(
        `Migration ${row.migration_name} of the ${name} database was begun and never finished: ` +
          'repair it, then mark it with prisma migrate resolve.',
      );
    }
    if (file === undefined) {
      throw new Refusal(
        `The ${name} database has the migration ${row.migration_name}, which this checkout lacks: ` +
          'update the checkout, or use another database.',
      );
    }
    if (file.checksum !== row.checksum) {
      throw new Refusal(
        `Migration ${row.migration_name} of the ${name} database was edited after it had been applied: ` +
          'restore the file and put the change into a new migration.',
      );
    }
  }
  const applied = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client, name, migration) {
  const startedAt = new Date();
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, logs, rolled_back_at, started_at, applied_steps_count)
       VALUES ($1, $2, now(), $3, NULL, NULL, $4, 1)`,
      [randomUUID(), migration.checksum, migration.name, startedAt],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const at = error.position ? ` at line ${migration.sql.slice(0, Number(error.position)).split('\n').length}` : '';
    throw new Refusal(
      `Migration ${migration.name} of the ${name} database failed${at} and was rolled back: ${error.message}`,
    );
  }
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
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK]);
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
  '55P03': 'another migration has held the lock for two minutes: wait for it to end and try again',
};

function refusalOf(name, error) {
  if (error instanceof Refusal) return error;
  const wayOut = WAYS_OUT[error.code];
  return wayOut === undefined
    ? error
    : new Refusal(`The ${name} database can't be migrated: ${error.message || error.code}; ${wayOut}.`);
}
