import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { postgresAdapter } from './postgres';

let database: TestDatabase;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase('ledger');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('CREATE SCHEMA ahead');
  await owner.query('CREATE TABLE ahead.wallets (id text)');
  await owner.query('GRANT USAGE ON SCHEMA ahead TO PUBLIC');
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

it.each([
  ['its login', 'ALTER ROLE ledger_app IN DATABASE %I'],
  ['the database', 'ALTER DATABASE %I'],
])('reads the tables of the migrations, whatever path is set for %s', async (_, what) => {
  const set = (path: string) =>
    owner.query(`DO $$ BEGIN EXECUTE format('${what} ${path}', current_database()); END $$`);
  await set('SET search_path = ahead, public');
  const options = { url: database.url, applicationName: 'search-path', poolSize: 1 };
  for (const poolName of ['main', 'reads'] as const) {
    const adapter = await postgresAdapter({ ...options, poolName }).connect();
    const sql = `SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'wallets'::regclass`;
    expect((await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows).toEqual([['public']]);
    await adapter.dispose();
  }
  await set('RESET search_path');
});

it('reads times as they are, whatever form is set for its login', async () => {
  const set = (form: string) =>
    owner.query(
      `DO $$ BEGIN EXECUTE format('ALTER ROLE ledger_app IN DATABASE %I ${form}', current_database()); END $$`,
    );
  await set(`SET "DateStyle" = ''SQL, DMY''`);
  const adapter = await postgresAdapter({ url: database.url, applicationName: 'times', poolSize: 1 }).connect();
  const sql = `SELECT '2026-11-04T12:00:00Z'::timestamptz::text`;
  expect((await adapter.queryRaw({ sql, args: [], argTypes: [] })).rows).toEqual([['2026-11-04 12:00:00+00']]);
  await adapter.dispose();
  await set('RESET "DateStyle"');
});
