import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { databaseFailure } from './database-error';
import { postgresAdapter, PostgresOptions } from './postgres';

let database: TestDatabase;
let owner: Client;

beforeAll(async () => {
  database = await createTestDatabase('ledger');
  owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  await owner.query('CREATE TABLE prepared_notes (id int PRIMARY KEY, note int NOT NULL)');
  await owner.query('INSERT INTO prepared_notes VALUES (1, 7); GRANT SELECT ON prepared_notes TO PUBLIC');
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** An adapter of one connection. */
async function withAdapter(
  options: Partial<PostgresOptions>,
  work: (adapter: Awaited<ReturnType<ReturnType<typeof postgresAdapter>['connect']>>) => Promise<void>,
): Promise<void> {
  const adapter = await postgresAdapter({
    ...{ url: database.url, applicationName: 'prepared', poolSize: 1 },
    ...options,
  }).connect();
  await work(adapter).finally(() => adapter.dispose());
}

const noteOf = {
  sql: 'SELECT note FROM prepared_notes WHERE id = $1',
  args: [1],
  argTypes: [{ scalarType: 'int' as const, arity: 'scalar' as const }],
};
const without = (sql: string) => ({ sql, args: [], argTypes: [] });

describe('a statement with values', () => {
  it('is prepared once in a connection when it comes again', async () => {
    await withAdapter({}, async (adapter) => {
      for (let turn = 0; turn < 4; turn += 1) expect((await adapter.queryRaw(noteOf)).rows).toEqual([[7]]);

      const prepared = await adapter.queryRaw(
        without("SELECT count(*)::int FROM pg_prepared_statements WHERE statement LIKE '%prepared_notes%id = $1'"),
      );
      expect(prepared.rows).toEqual([[1]]);
    });
  });

  it('is refused to be tried again after its result changed its type, once and within a transaction too', async () => {
    await withAdapter({}, async (adapter) => {
      for (let turn = 0; turn < 3; turn += 1) await adapter.queryRaw(noteOf);
      await owner.query('ALTER TABLE prepared_notes ALTER COLUMN note TYPE bigint');

      const transaction = await adapter.startTransaction();
      const failure = await transaction.queryRaw(noteOf).catch((error: unknown) => error);
      await transaction.executeRaw(without('ROLLBACK'));
      await transaction.rollback();

      expect(databaseFailure(failure)).toEqual({ kind: 'retry' });
      expect((await adapter.queryRaw(noteOf)).rows).toEqual([['7']]);
    });
  });
});

describe('the sessions of a pool', () => {
  const planning = async (options: Partial<PostgresOptions>) => {
    let mode: unknown;
    await withAdapter(options, async (adapter) => {
      mode = (await adapter.queryRaw(without('SHOW plan_cache_mode'))).rows[0]?.[0];
    });
    return mode;
  };

  it('that only read plan a list for its values each time; others as Postgres sees fit', async () => {
    expect(await planning({ poolName: 'reads' })).toBe('force_custom_plan');
    expect(await planning({})).toBe('auto');
  });
});
