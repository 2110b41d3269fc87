import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { databaseFailure } from './database-error';
import { postgresAdapter } from './postgres';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('ledger');
});

afterAll(() => database.drop());

it('a failed write to a database that is read-only at the moment may be retried', async () => {
  const options = { url: database.url, applicationName: 'read-only', poolSize: 1 };
  const adapter = await postgresAdapter(options).connect();
  try {
    const run = (sql: string) => adapter.executeRaw({ sql, args: [], argTypes: [] });
    await run('SET default_transaction_read_only = on');
    const error = await run('UPDATE ledger_shards SET holder = NULL').catch((refused: unknown) => refused);
    expect(databaseFailure(error)).toEqual({ kind: 'retry' });
  } finally {
    await adapter.dispose();
  }
});
