import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { databaseFailure } from './database-error';
import { clientWithAnswerTimeout } from './client-with-answer-timeout';
import { postgresAdapter } from './postgres';

/** As long as a statement may take in these tests; half a second later its connection is given up. */
const STATEMENT_TIMEOUT_MS = 1_000;
const GIVEN_UP_WITHIN_MS = 2_500;

let database: TestDatabase;
let proxy: TcpProxy;
let adapter: Awaited<ReturnType<ReturnType<typeof postgresAdapter>['connect']>>;

beforeAll(async () => {
  database = await createTestDatabase('ledger');
});

afterAll(() => database.drop());

beforeEach(async () => {
  const before = await TcpProxy.inFrontOf(database.url);
  proxy = before.proxy;
  const options = { url: before.through, applicationName: 'half-open', poolSize: 1 };
  adapter = await postgresAdapter({ ...options, statementTimeoutMs: STATEMENT_TIMEOUT_MS }).connect();
});

afterEach(async () => {
  await proxy.close();
  await adapter.dispose();
});

const one = { sql: 'SELECT 1 AS one', args: [], argTypes: [] };
const rowsOf = async () => (await adapter.queryRaw(one)).rows;

/** How long it took to fail, and with what. */
async function failure(work: () => Promise<unknown>) {
  const startedAt = performance.now();
  try {
    await work();
  } catch (error) {
    return { ms: performance.now() - startedAt, error };
  }
  throw new Error('it did not fail');
}

describe.each([
  ['carries nothing any more', 'freeze'],
  ['the database has lost', 'halve'],
] as const)('a connection that %s', (_, fault) => {
  it('is closed, as if it had been cut, and its place in the pool is free again', async () => {
    expect(await rowsOf()).toEqual([[1]]);
    proxy.open().forEach((passage) => passage[fault]());

    const { ms, error } = await failure(rowsOf);
    expect(ms).toBeGreaterThan(STATEMENT_TIMEOUT_MS);
    expect(ms).toBeLessThan(GIVEN_UP_WITHIN_MS);
    expect(databaseFailure(error)).toEqual({ kind: 'unknown' });
    expect(await rowsOf()).toEqual([[1]]);
  });

  it('is closed in the middle of a transaction too', async () => {
    const transaction = await adapter.startTransaction();
    proxy.open().forEach((passage) => passage[fault]());

    const { ms, error } = await failure(() => transaction.executeRaw({ ...one, sql: 'COMMIT' }));
    expect(ms).toBeLessThan(GIVEN_UP_WITHIN_MS);
    expect(databaseFailure(error)).toEqual({ kind: 'unknown' });
    await transaction.rollback();
    expect(await rowsOf()).toEqual([[1]]);
  });
});

it('a connection whose statements were answered stays open, however long it is idle', async () => {
  await rowsOf();
  const [before] = proxy.open();
  await new Promise((end) => setTimeout(end, GIVEN_UP_WITHIN_MS));
  expect(await rowsOf()).toEqual([[1]]);
  expect(proxy.open()).toEqual([before]);
});

it('a statement that queued behind another one on its connection ends with it', async () => {
  const Impatient = clientWithAnswerTimeout(STATEMENT_TIMEOUT_MS);
  const client = new Impatient(database.url);
  await client.connect();
  const asked = ['SELECT 1', `SELECT pg_sleep(${(2 * GIVEN_UP_WITHIN_MS) / 1_000})`].map((sql) => client.query(sql));
  const { ms, error } = await failure(() => Promise.all(asked));
  expect(ms).toBeLessThan(GIVEN_UP_WITHIN_MS);
  expect(databaseFailure(error)).toEqual({ kind: 'unknown' });
});

describe('a connection that ends while it is idle', () => {
  it('fails the next statement, and ends no process', async () => {
    const Impatient = clientWithAnswerTimeout(GIVEN_UP_WITHIN_MS);
    const client = new Impatient(database.url);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise((done) => client.once('end', done));
    await adapter.executeRaw({ ...one, sql: `SELECT pg_terminate_backend(${rows[0]?.pid})` });
    await ended;
    await expect(client.query('SELECT 1')).rejects.toThrow('not queryable');
  });
});
