import { randomUUID } from 'node:crypto';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { databaseFailure } from './database-error';
import { DeadlinePool } from './deadline-pool';

let files: TestDatabase;
let pool: DeadlinePool;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  pool = new DeadlinePool({ connectionString: files.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await files.drop();
});

const until = <Result>(deadline: number, work: () => Promise<Result>) =>
  withRequestContext({ requestId: randomUUID(), deadline }, work);
const refused = (error: unknown) => databaseFailure(error).kind;
const askFor = (what: string) => () => pool.query(`SELECT ${what} AS found`).then(({ rows }) => String(rows[0].found));
const lend = () => pool.connect();

describe('a request whose deadline', () => {
  it('is still to come gets its answer, and so does work outside of any request', async () => {
    await expect(until(Date.now() + 5_000, askFor('1'))).resolves.toBe('1');
    await expect(askFor('2')()).resolves.toBe('2');
  });

  it('has passed begins no query and no transaction, nor waits for a connection', async () => {
    const lent = await pool.connect();
    await expect(until(Date.now(), askFor("nextval('nothing')")).catch(refused)).resolves.toBe('unknown');
    await expect(until(Date.now(), lend).catch(refused)).resolves.toBe('unknown');
    lent.release();
  });

  it.each([
    ['query', askFor('1')],
    ['transaction', lend],
  ])('passes while it waits for a connection begins no %s, and keeps none', async (_what, work) => {
    const lent = await pool.connect();
    const waiting = until(Date.now() + 50, work as () => Promise<unknown>).catch(refused);
    await new Promise((late) => setTimeout(late, 100));
    lent.release();
    await expect(waiting).resolves.toBe('unknown');
    await expect(askFor('3')()).resolves.toBe('3');
  });
});
