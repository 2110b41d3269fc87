/**
 * The migration runner (libs/migrations) on its own Postgres without any role: order, records, idempotence, edited
 * files, failures, two runs at once, and tables that are in use.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@stablecoin/migrations/migrations';
import { Client } from 'pg';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { dataPaths, makeDataDir } from './paths';
import { type PostgresServer, startPostgres } from './postgres';
import { loadSecrets } from './secrets';

const POLL_MS = 20;
const STARTS_WITHIN_MS = 10_000;
const folders = new TemporaryFolders();
let folder: string;
let postgres: PostgresServer;

beforeAll(async () => {
  folder = folders.make();
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  postgres = await startPostgres(paths, loadSecrets(paths));
});

afterAll(async () => {
  await postgres.stop();
  await folders.remove();
});

function migrationsOf(name: string, files: Record<string, string>): string {
  const root = join(folder, name);
  for (const [migration, sql] of Object.entries(files)) {
    mkdirSync(join(root, migration), { recursive: true });
    writeFileSync(join(root, migration, 'migration.sql'), sql);
  }
  return root;
}

async function connected(database: string): Promise<Client> {
  const client = new Client({ connectionString: postgres.url(database) });
  await client.connect();
  return client;
}

async function query<Row extends object>(database: string, statement: string): Promise<Row[]> {
  const client = await connected(database);
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until a statement like this one is under way in the database. */
async function started(database: string, pattern: string): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity
    WHERE datname = '${database}' AND state = 'active' AND query ILIKE '${pattern}' AND pid <> pg_backend_pid()`;
  const until = Date.now() + STARTS_WITHIN_MS;
  while ((await query('postgres', sql)).length === 0) {
    if (Date.now() > until) throw new Error(`no statement ${pattern} in ${database}`);
    await sleep(POLL_MS);
  }
}

const FIRST = 'CREATE TABLE account (id int PRIMARY KEY); GRANT SELECT ON account TO ledger_app;';
const FILES = {
  '20260101000000_first': FIRST,
  '20260102000000_second': 'ALTER TABLE account ADD COLUMN name text;',
};

it('makes database and role, applies in order, records like Prisma, and does nothing the second time', async () => {
  const job = { name: 'ledger', url: postgres.url('fresh'), folder: migrationsOf('fresh', FILES) } as const;
  expect((await migrate(job)).applied).toEqual(Object.keys(FILES));
  expect((await migrate(job)).applied).toEqual([]);
  const rows = await query<object>('fresh', 'SELECT * FROM _prisma_migrations ORDER BY migration_name');
  const record = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    finished_at: expect.any(Date) as Date,
    rolled_back_at: null,
    logs: null,
    applied_steps_count: 1,
  };
  expect(rows).toMatchObject(Object.keys(FILES).map((name) => ({ ...record, migration_name: name })));
  expect(rows[0]).toMatchObject({ checksum: createHash('sha256').update(FIRST).digest('hex') });
});

it('refuses an applied migration that was edited, by its name', async () => {
  const url = postgres.url('edited');
  await migrate({ name: 'ledger', url, folder: migrationsOf('edited', FILES) });
  const source = migrationsOf('edited', { '20260101000000_first': 'CREATE TABLE account (id bigint PRIMARY KEY);' });
  await expect(migrate({ name: 'ledger', url, folder: source })).rejects.toThrow(
    /20260101000000_first of the ledger database was edited after it had been applied/,
  );
});

it('reports a database that is ahead of the checkout, and does not change it', async () => {
  const url = postgres.url('ahead');
  await migrate({ name: 'ledger', url, folder: migrationsOf('ahead', FILES) });
  const source = migrationsOf('behind', {
    '20260101000000_first': FIRST,
    '20260101120000_between': 'CREATE TABLE between_them (id int);',
  });
  const result = await migrate({ name: 'ledger', url, folder: source });
  expect(result).toMatchObject({ applied: ['20260101120000_between'], newer: ['20260102000000_second'] });
  expect((await migrate({ name: 'ledger', url, folder: source })).applied).toEqual([]);
});

it('undoes a migration that fails halfway, and keeps the earlier ones', async () => {
  const url = postgres.url('failing');
  const broken = 'CREATE TABLE half (id int);\nSELECT nonsense FROM nowhere;';
  const source = migrationsOf('failing', { ...FILES, '20260103000000_broken': broken });
  await expect(migrate({ name: 'ledger', url, folder: source })).rejects.toThrow(
    /20260103000000_broken of the ledger database failed at line 2 and was rolled back/,
  );
  expect(
    await query('failing', `SELECT to_regclass('half') AS half, to_regclass('account') IS NOT NULL AS account`),
  ).toEqual([{ half: null, account: true }]);
  await expect(migrate({ name: 'ledger', url, folder: source })).rejects.toThrow(
    /as it was before.*Mend.*run the migrations again/,
  );
  migrationsOf('failing', { '20260103000000_broken': 'CREATE TABLE half (id int);' });
  expect((await migrate({ name: 'ledger', url, folder: source })).applied).toEqual(['20260103000000_broken']);
});

it('waits for another job that runs at the same time, and finds nothing left to do', async () => {
  const slow = 'CREATE TABLE slow AS SELECT 1 AS id FROM pg_sleep(1);';
  const job = {
    name: 'ledger',
    url: postgres.url('waiting'),
    folder: migrationsOf('waiting', { '20260101000000_slow': slow }),
  } as const;
  const details: string[] = [];
  const first = migrate(job);
  await started('waiting', 'CREATE TABLE slow%');
  const second = await migrate({ ...job, tell: (detail) => details.push(detail) });
  expect([(await first).applied, second.applied]).toEqual([['20260101000000_slow'], []]);
  expect(details[0]).toBe('waiting for another migration to end');
});

it('gives way to a session that locks a table, so that writers wait only briefly, and reports it in the end', async () => {
  const url = postgres.url('held');
  const source = migrationsOf('held', FILES);
  await migrate({ name: 'ledger', url, folder: migrationsOf('held-first', { '20260101000000_first': FIRST }) });
  const locks = { attempts: 3, timeoutMs: 100, pauseMs: 300 };
  const holder = await connected('held');
  try {
    await holder.query('BEGIN; SELECT * FROM account');
    const giving = expect(migrate({ name: 'ledger', url, folder: source, locks })).rejects.toThrow(
      /20260102000000_second of the ledger database gave way every time.*nothing was changed.*run the migrations again/,
    );
    await started('held', 'ALTER TABLE account%');
    await query('held', 'SET statement_timeout = 2000; INSERT INTO account VALUES (1)');
    await giving;
    let attempts = 0;
    const tell = () => void (attempts += 1);
    const patient = migrate({ name: 'ledger', url, folder: source, locks: { ...locks, attempts: 50 }, tell });
    while (attempts === 0) await sleep(POLL_MS);
    await holder.query('COMMIT');
    expect((await patient).applied).toEqual(['20260102000000_second']);
  } finally {
    await holder.end();
  }
});

const INDEX = '-- found by name\nCREATE INDEX CONCURRENTLY IF NOT EXISTS account_name ON account (name);';

it('makes an index of a large table beside its writers, also while another job waits for its turn', async () => {
  const url = postgres.url('indexed');
  const source = migrationsOf('indexed', FILES);
  await migrate({ name: 'ledger', url, folder: source });
  migrationsOf('indexed', { '20260103000000_index': INDEX });
  const writer = await connected('indexed');
  try {
    await writer.query("BEGIN; INSERT INTO account VALUES (1, 'first')");
    const jobs = [1, 2].map(() => migrate({ name: 'ledger', url, folder: source }));
    await started('indexed', '%CREATE INDEX%');
    await query('indexed', "SET statement_timeout = 2000; INSERT INTO account VALUES (2, 'meanwhile')");
    await writer.query('COMMIT');
    const applied = (await Promise.all(jobs)).flatMap((result) => result.applied);
    expect(applied).toEqual(['20260103000000_index']);
  } finally {
    await writer.end();
  }
  expect(await query('indexed', "SELECT indisvalid FROM pg_index WHERE indexrelid = 'account_name'::regclass")).toEqual(
    [{ indisvalid: true }],
  );
});

it('replaces an index that an interrupted run left invalid', async () => {
  const url = postgres.url('interrupted');
  const source = migrationsOf('interrupted', FILES);
  await migrate({ name: 'ledger', url, folder: source });
  await query('interrupted', "INSERT INTO account VALUES (1, 'twice'), (2, 'twice')");
  await expect(
    query('interrupted', 'CREATE UNIQUE INDEX CONCURRENTLY account_name ON account (name)'),
  ).rejects.toThrow();
  migrationsOf('interrupted', { '20260103000000_index': INDEX });
  expect((await migrate({ name: 'ledger', url, folder: source })).applied).toEqual(['20260103000000_index']);
  expect(
    await query(
      'interrupted',
      "SELECT indisvalid, indisunique FROM pg_index WHERE indexrelid = 'account_name'::regclass",
    ),
  ).toEqual([{ indisvalid: true, indisunique: false }]);
});

it('applies each migration exactly once when several jobs begin at once without a database', async () => {
  const job = { name: 'ledger', url: postgres.url('racing'), folder: migrationsOf('racing', FILES) } as const;
  const results = await Promise.all([1, 2, 3, 4].map(() => migrate(job)));
  expect(results.flatMap((result) => result.applied)).toHaveLength(2);
});

it('says what to do when no server answers', async () => {
  await expect(migrate({ name: 'swap', url: 'postgresql://a:b@127.0.0.1:1/swap', folder })).rejects.toThrow(
    /swap database can't be migrated: .*no server answers there/,
  );
});
