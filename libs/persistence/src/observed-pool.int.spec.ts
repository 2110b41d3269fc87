import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { postgresAdapter } from './postgres';

type Adapter = Awaited<ReturnType<ReturnType<typeof postgresAdapter>['connect']>>;

const POOL_SIZE = 3;
/** The key of an advisory lock: a session that asks for it waits while another one holds it. */
const KEY = 42;
let files: TestDatabase;
let adapter: Adapter;
let other: Client;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  other = new Client({ connectionString: files.url });
  await other.connect();
  adapter = await postgresAdapter({ url: files.url, applicationName: 'test', poolSize: POOL_SIZE }).connect();
});
afterAll(async () => {
  await other.end();
  await files.drop();
});

const query = (sql: string) => adapter.queryRaw({ sql, args: [], argTypes: [] });

async function told(): Promise<Record<string, string>> {
  const lines = (await metricsText()).split('\n').filter((line) => line.startsWith('database_pool_'));
  return Object.fromEntries(lines.map((line) => line.split(' ') as [string, string]));
}

const pool = (inUse: number, idle: number, waiting: number) => ({
  'database_pool_connections{pool="main",state="in_use"}': String(inUse),
  'database_pool_connections{pool="main",state="idle"}': String(idle),
  'database_pool_waiting{pool="main"}': String(waiting),
  'database_pool_size{pool="main"}': String(POOL_SIZE),
});

/** The database's view, beside the pool's own counts: the pool's connections, and how many of them are at work. */
async function seenByTheDatabase(): Promise<{ connections: number; atWork: number }> {
  const { rows } = await other.query<{ connections: number; atWork: number }>(`
    SELECT count(*)::int AS connections, count(*) FILTER (WHERE state <> 'idle')::int AS "atWork"
    FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'test'`);
  return rows[0] as { connections: number; atWork: number };
}

describe('the gauges of a pool', () => {
  it('show the connections in use, the idle ones and the callers that wait, as the database sees them', async () => {
    expect(await told()).toEqual(pool(0, 0, 0));
    await query('SELECT 1');
    expect(await told()).toEqual(pool(0, 1, 0));

    await other.query(`SELECT pg_advisory_lock(${KEY})`);
    const held = Array.from({ length: POOL_SIZE + 2 }, () =>
      query(`SELECT true AS held FROM pg_advisory_xact_lock(${KEY})`),
    );
    await eventually('all connections are at work', async () => (await seenByTheDatabase()).atWork === POOL_SIZE);
    expect(await told()).toEqual(pool(POOL_SIZE, 0, 2));
    expect((await seenByTheDatabase()).connections).toBe(POOL_SIZE);

    await other.query(`SELECT pg_advisory_unlock(${KEY})`);
    await Promise.all(held);
    expect(await told()).toEqual(pool(0, POOL_SIZE, 0));
  });

  it('count a transaction for as long as it is open, whether it does anything or not', async () => {
    const transaction = await adapter.startTransaction();
    expect(await told()).toEqual(pool(1, POOL_SIZE - 1, 0));
    await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] });
    await transaction.rollback();
    expect(await told()).toEqual(pool(0, POOL_SIZE, 0));
  });

  it('are gone with the pool', async () => {
    await adapter.dispose();
    expect(await told()).toEqual({});
  });
});
