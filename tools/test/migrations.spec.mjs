// The migration runner on a real Postgres: order, records, idempotence, edited files, failures, two at a time, and tables
// that are in use.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Until a statement like this one is under way in the database. */
async function started(database, pattern) {
  const sql = `SELECT 1 FROM pg_stat_activity
    WHERE datname = '${database}' AND state = 'active' AND query ILIKE '${pattern}' AND pid <> pg_backend_pid()`;
  const until = Date.now() + 10_000;
  while ((await query('postgres', sql)).length === 0) {
    assert.ok(Date.now() < until, `no statement ${pattern} in ${database}`);
    await sleep(20);
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

test('a database that is ahead of the checkout is told of and left as it is', async () => {
  const url = postgres.url('ahead');
  await migrate({ name: 'ledger', url, folder: migrationsOf('ahead', FILES) });
  const source = migrationsOf('behind', {
    '20260101000000_first': FILES['20260101000000_first'],
    '20260101120000_between': 'CREATE TABLE between_them (id int);',
  });
  const result = await migrate({ name: 'ledger', url, folder: source });
  assert.deepEqual([result.applied, result.newer], [['20260101120000_between'], ['20260102000000_second']]);
  assert.deepEqual((await migrate({ name: 'ledger', url, folder: source })).applied, []);
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
  await assert.rejects(
    migrate({ name: 'ledger', url, folder: source }),
    /as it was before.*Mend.*run the migrations again/,
  );
  migrationsOf('failing', { '20260103000000_broken': 'CREATE TABLE half (id int);' });
  assert.deepEqual((await migrate({ name: 'ledger', url, folder: source })).applied, ['20260103000000_broken']);
});

test('a second job at the same time waits for the first, and finds nothing left to do', async () => {
  const source = migrationsOf('waiting', { '20260101000000_slow': 'CREATE TABLE slow AS SELECT 1 AS id FROM pg_sleep(1);' });
  const url = postgres.url('waiting');
  const told = [];
  const first = migrate({ name: 'ledger', url, folder: source });
  await started('waiting', 'CREATE TABLE slow%');
  const second = await migrate({ name: 'ledger', url, folder: source, tell: (detail) => told.push(detail) });
  assert.deepEqual([(await first).applied, second.applied], [['20260101000000_slow'], []]);
  assert.equal(told[0], 'waiting for another migration to end');
});

test('a table that somebody holds: it gives way, so that writers wait for moments only, and says so in the end', async () => {
  const url = postgres.url('held');
  const source = migrationsOf('held', FILES);
  await migrate({
    name: 'ledger',
    url,
    folder: migrationsOf('held-first', { '20260101000000_first': FILES['20260101000000_first'] }),
  });
  const locks = { attempts: 3, timeoutMs: 100, pauseMs: 300 };
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  try {
    await holder.query('BEGIN; SELECT * FROM account');
    const giving = assert.rejects(
      migrate({ name: 'ledger', url, folder: source, locks }),
      /20260102000000_second of the ledger database gave way every time.*nothing was changed.*run the migrations again/,
    );
    await started('held', 'ALTER TABLE account%');
    await query('held', 'SET statement_timeout = 2000; INSERT INTO account VALUES (1)');
    await giving;
    let attempts = 0;
    const patient = migrate({
      name: 'ledger',
      url,
      folder: source,
      locks: { ...locks, attempts: 50 },
      tell: () => (attempts += 1),
    });
    while (attempts === 0) await sleep(20);
    await holder.query('COMMIT');
    assert.deepEqual((await patient).applied, ['20260102000000_second']);
  } finally {
    await holder.end();
  }
});

const INDEX = '-- found by name\nCREATE INDEX CONCURRENTLY IF NOT EXISTS account_name ON account (name);';

test('an index of a large table is made beside its writers, also while another job waits for its turn', async () => {
  const url = postgres.url('indexed');
  const source = migrationsOf('indexed', FILES);
  await migrate({ name: 'ledger', url, folder: source });
  migrationsOf('indexed', { '20260103000000_index': INDEX });
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  try {
    await writer.query("BEGIN; INSERT INTO account VALUES (1, 'first')");
    const jobs = [1, 2].map(() => migrate({ name: 'ledger', url, folder: source }));
    await started('indexed', '%CREATE INDEX%');
    await query('indexed', "SET statement_timeout = 2000; INSERT INTO account VALUES (2, 'meanwhile')");
    await writer.query('COMMIT');
    const applied = (await Promise.all(jobs)).flatMap((result) => result.applied);
    assert.deepEqual(applied, ['20260103000000_index']);
  } finally {
    await writer.end();
  }
  assert.deepEqual(
    await query('indexed', "SELECT indisvalid FROM pg_index WHERE indexrelid = 'account_name'::regclass"),
    [{ indisvalid: true }],
  );
});

test('what an interrupted index left behind is made anew', async () => {
  const url = postgres.url('interrupted');
  const source = migrationsOf('interrupted', FILES);
  await migrate({ name: 'ledger', url, folder: source });
  await query('interrupted', "INSERT INTO account VALUES (1, 'twice'), (2, 'twice')");
  await assert.rejects(query('interrupted', 'CREATE UNIQUE INDEX CONCURRENTLY account_name ON account (name)'));
  migrationsOf('interrupted', { '20260103000000_index': INDEX });
  assert.deepEqual((await migrate({ name: 'ledger', url, folder: source })).applied, ['20260103000000_index']);
  assert.deepEqual(
    await query(
      'interrupted',
      "SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'account_name'::regclass",
    ),
    [{ indisvalid: true, indisunique: false }],
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
