// Applies prisma/<name>/migrations/<stamp>_<name>/migration.sql in order, each in a transaction of its own together with
// its row in _prisma_migrations, exactly as Prisma records it: `prisma migrate deploy` on a connected machine agrees.
//
// Services work meanwhile. So a statement waits for a table no longer than LOCK_TIMEOUT_MS, because whatever writes there
// waits behind it; it gives way and tries again, LOCK_ATTEMPTS times. An index of a large table is made beside its writers:
// a migration that is one CREATE INDEX CONCURRENTLY IF NOT EXISTS runs without a transaction, and what an interrupted one
// left is dropped first.
//
// One migrator at a time (Prisma's own advisory lock); others wait. They ask for it again and again rather than in one
// statement, which would hold a snapshot for which CREATE INDEX CONCURRENTLY would wait in turn. An applied file that was
// edited since is an error with its name. Migrations that only the database knows are reported, not refused: migrations
// only add, so the version before them goes on working.

import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import type { Tell } from '@stablecoin/command-line/terminal';
import type pg from 'pg';
import { connectOrCreate, ensureRole, operatorErrorOf, takeTurn } from './connection';
import { type DatabaseName, grantedRolesOf } from './databases';

/** Well below the deadline of the requests that may wait behind it. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 15;
const LOCK_PAUSE_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 600_000;
const INDEX_TIMEOUT_MS = 6 * 3_600_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** The one kind of migration that runs outside of a transaction. */
const CONCURRENT_INDEX = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+"?(\w+)"?\s[^;]*;?$/i;
const LIMITS_OF_STATEMENTS = `SET lock_timeout = ${LOCK_TIMEOUT_MS}; SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`;
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

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface RecordedMigration {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

interface LockLimits {
  attempts: number;
  timeoutMs: number;
  pauseMs: number;
}

export interface MigrationRequest {
  name: DatabaseName;
  /** Of the database's owner. */
  url: string;
  folder?: string;
  /** Called with what takes long. */
  tell?: Tell;
  /** For tests. */
  locks?: Partial<LockLimits>;
}

export interface MigrationResult {
  database: DatabaseName;
  applied: string[];
  /** Those that the database has and this checkout doesn't. */
  newer: string[];
  total: number;
}

/** The migrations in a folder, oldest first. */
export function readMigrations(folder: string): Migration[] {
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

export const migrationsFolder = (name: DatabaseName) => join(ROOT, 'prisma', name, 'migrations');

/** Brings one database up to date. */
export async function migrate(request: MigrationRequest): Promise<MigrationResult> {
  const { name, url, folder = migrationsFolder(name), tell = () => undefined, locks = {} } = request;
  const migrations = readMigrations(folder);
  const client = await connectOrCreate(name, url);
  try {
    await client.query(`${LIMITS_OF_STATEMENTS}; SET client_min_messages = warning`);
    await takeTurn(client, name, tell);
    for (const role of grantedRolesOf(name)) await ensureRole(client, role);
    await client.query(TABLE);
    const { rows } = await client.query<RecordedMigration>(
      'SELECT * FROM "_prisma_migrations" WHERE rolled_back_at IS NULL ORDER BY started_at, migration_name',
    );
    const { pending, newer } = compare(name, migrations, rows);
    const limits = { attempts: LOCK_ATTEMPTS, timeoutMs: LOCK_TIMEOUT_MS, pauseMs: LOCK_PAUSE_MS, ...locks };
    for (const migration of pending) await apply({ client, name, migration, limits, tell });
    return { database: name, applied: pending.map((migration) => migration.name), newer, total: migrations.length };
  } catch (error) {
    throw operatorErrorOf(name, error);
  } finally {
    await client.end().catch(() => undefined); // Ends the advisory lock with the session.
  }
}

function compare(name: DatabaseName, migrations: readonly Migration[], rows: readonly RecordedMigration[]) {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const file = byName.get(row.migration_name);
    if (row.finished_at === null) {
      throw new OperatorError(
        `Migration ${row.migration_name} of the ${name} database was begun and never finished: ` +
          'repair it, then mark it with prisma migrate resolve.',
      );
    }
    if (file !== undefined && file.checksum !== row.checksum) {
      throw new OperatorError(
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

interface Application {
  client: pg.Client;
  name: DatabaseName;
  migration: Migration;
  limits: LockLimits;
  tell: Tell;
}

/** One migration, tried again while another session holds a table that it needs. */
async function apply({ client, name, migration, limits, tell }: Application): Promise<void> {
  const index = concurrentIndexOf(migration.sql);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await (index === undefined
        ? inTransaction(client, migration, limits.timeoutMs)
        : besideWriters(client, migration, index));
      return;
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE || attempt >= limits.attempts) throw failure(name, migration, error);
      tell(`${migration.name} gives way to who holds its tables, attempt ${attempt} of ${limits.attempts}`);
      await sleep(limits.pauseMs);
    }
  }
}

async function inTransaction(client: pg.Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  const startedAt = new Date();
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.sql);
    await record(client, migration, startedAt);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** It waits for older transactions without a bound, since no writer waits for it. */
async function besideWriters(client: pg.Client, migration: Migration, index: string): Promise<void> {
  const startedAt = new Date();
  await client.query(`SET lock_timeout = 0; SET statement_timeout = ${INDEX_TIMEOUT_MS}`);
  try {
    const { rows } = await client.query<{ indisvalid: boolean }>(
      'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)',
      [index],
    );
    if (rows[0]?.indisvalid === false) await client.query(`DROP INDEX CONCURRENTLY ${client.escapeIdentifier(index)}`);
    await client.query(migration.sql);
    await record(client, migration, startedAt);
  } finally {
    await client.query(LIMITS_OF_STATEMENTS).catch(() => undefined);
  }
}

/** The name of the index that a migration makes beside the writers, if it does that and nothing else. */
export function concurrentIndexOf(sql: string): string | undefined {
  return CONCURRENT_INDEX.exec(sql.replace(/--.*$/gm, '').trim())?.[1];
}

async function record(client: pg.Client, migration: Migration, startedAt: Date): Promise<void> {
  await client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, logs, rolled_back_at, started_at, applied_steps_count)
     VALUES ($1, $2, now(), $3, NULL, NULL, $4, 1)`,
    [randomUUID(), migration.checksum, migration.name, startedAt],
  );
}

function failure(name: DatabaseName, migration: Migration, error: unknown): OperatorError {
  const what = `Migration ${migration.name} of the ${name} database`;
  if (errorCode(error) === LOCK_NOT_AVAILABLE) {
    return new OperatorError(
      `${what} gave way every time, because others hold its tables; nothing was changed. A long transaction, or a backup, is ` +
        'under way (pg_stat_activity shows it): wait for it or end it, then run the migrations again.',
    );
  }
  const position = (error as { position?: string } | undefined)?.position;
  const at = position ? ` at line ${migration.sql.slice(0, Number(position)).split('\n').length}` : '';
  return new OperatorError(
    `${what} failed${at} and was rolled back: ${errorMessage(error)}. The database is as it was before, and services go on with it. ` +
      'Mend what the message names, in the file if need be (it was never applied), and run the migrations again.',
  );
}
