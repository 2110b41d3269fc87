// The migration runner on a real Postgres: order, records, idempotence, edited files, failures, and two at a time.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { migrate } from '../stack/migrations.mjs';
import { dataPaths, makeDataDir } from '../stack/paths.mjs';
import { startPostgres } from '../stack/postgres.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

const folder = temporaryFolder({ after });
let postgres;

before(async () => {
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  postgres = await startPostgres(paths, loadSecrets(paths));
});
after(() => postgres.stop());

function migrationsOf(name, files) {
  const root = join(folder, name);
  for (const [migration, sql] of Object.entries(files)) {
    mkdirSync(join(root, migration), { recursive: true });
    writeFileSync(join(root, migration, 'migration.sql'), sql);
  }
  return root;
}

async function query(database, statement) {
  const client = new pg.Client({ connectionString: postgres.url(database) });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const FILES = {
  '20260101000000_first': 'CREATE TABLE account (id int PRIMARY KEY); GRANT SELECT ON account TO ledger_app;',
  '20260102000000_second': 'ALTER TABLE account ADD COLUMN name text;',
};

test('makes the database and its role, applies in order, records as Prisma does, and does nothing the second time', async () => {
  const source = migrationsOf('fresh', FILES);
  const job = { name: 'ledger', url: postgres.url('fresh'), folder: source };
  assert.deepEqual((await migrate(job)).applied, Object.keys(FILES));
  assert.deepEqual((await migrate(job)).applied, []);
  const rows = await query('fresh', 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
  assert.deepEqual(
    rows.map((row) => row.migration_name),
    Object.keys(FILES),
  );
  assert.equal(rows[0].checksum, createHash('sha256').update(FILES['20260101000000_first']).digest('hex'));
  assert.match(rows[0].id, /^[0-9a-f-]{36}$/);
  assert.ok(
    rows.every(
      (row) =>
        row.finished_at !== null && row.rolled_back_at === null && row.logs === null && row.applied_steps_count === 1,
    ),
  );
});

test('refuses when an applied migration was edited, naming it', async () => {
  const url = postgres.url('edited');
  await migrate({ name: 'ledger', url, folder: migrationsOf('edited', FILES) });
  const source = migrationsOf('edited', { '20260101000000_first': 'CREATE TABLE account (id bigint PRIMARY KEY);' });
  await assert.rejects(
    migrate({ name: 'ledger', url, folder: source }),
    /20260101000000_first of the ledger database was edited after it had been applied/,
  );
});

test('refuses when the database is ahead of the checkout', async () => {
  const url = postgres.url('ahead');
  await migrate({ name: 'ledger', url, folder: migrationsOf('ahead', FILES) });
  const source = migrationsOf('behind', { '20260101000000_first': FILES['20260101000000_first'] });
  await assert.rejects(
    migrate({ name: 'ledger', url, folder: source }),
    /has the migration 20260102000000_second, which this checkout lacks/,
  );
});

test('a migration that fails halfway leaves nothing, and the ones before it stay', async () => {
  const url = postgres.url('failing');
  const source = migrationsOf('failing', {
    ...FILES,
    '20260103000000_broken': 'CREATE TABLE half (id int);\nSELECT nonsense FROM nowhere;',
  });
  await assert.rejects(
    migrate({ name: 'ledger', url, folder: source }),
    /20260103000000_broken of the ledger database failed at line 2 and was rolled back/,
  );
  assert.deepEqual(
    await query('failing', `SELECT to_regclass('half') AS half, to_regclass('account') IS NOT NULL AS account`),
    [{ half: null, account: true }],
  );
});

test('several at once on a database that is not there yet: each migration is applied exactly once', async () => {
  const source = migrationsOf('racing', FILES);
  const results = await Promise.all(
    [1, 2, 3, 4].map(() => migrate({ name: 'ledger', url: postgres.url('racing'), folder: source })),
  );
  assert.equal(results.flatMap((result) => result.applied).length, 2);
});

test('a server that is not there is one sentence', async () => {
  await assert.rejects(
    migrate({ name: 'swap', url: 'postgresql://a:b@127.0.0.1:1/swap', folder }),
    /swap database can't be migrated: .*no server answers there/,
  );
});
