import { createTestDatabase, DatabaseName, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { databaseChecks } from './readiness';
import { Sql } from './sql';

let files: TestDatabase;
let app: Client;
let owner: Client;

const connected = async (connectionString: string) => {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
};

async function open(name: DatabaseName): Promise<void> {
  files = await createTestDatabase(name);
  app = await connected(files.url);
  owner = await connected(files.ownerUrl);
}

afterEach(async () => {
  await Promise.all([app.end(), owner.end()]);
  await files.drop();
});

/** The service's connection as Prisma would speak to it. */
const sql = (): Sql => ({
  $queryRaw: async <Rows>(query: TemplateStringsArray) => (await app.query(query.join(''))).rows as Rows,
  $executeRaw: () => Promise.reject(new Error('a check changes nothing')),
});

async function applied(): Promise<string[]> {
  const { rows } = await owner.query<{ migration_name: string }>('SELECT migration_name FROM _prisma_migrations');
  return rows.map(({ migration_name }) => migration_name);
}

async function found(migrations: readonly string[]) {
  const checks = databaseChecks(sql(), migrations).map(async ({ name, look }) => [name, await look()]);
  return Object.fromEntries(await Promise.all(checks)) as Record<string, string | undefined>;
}

it.each(['customer', 'ledger', 'payout', 'swap'] as const)(
  'the role of the service may see that the %s database has its migrations',
  async (name) => {
    await open(name);
    const names = await applied();
    expect(names.length).toBeGreaterThan(1);
    expect(await found(names)).toEqual({ database: undefined, migrations: undefined });
  },
);

describe('a database', () => {
  beforeEach(() => open('swap'));

  it('that lacks a migration is said to', async () => {
    const names = [...(await applied()), '20990101000000_later'];
    expect((await found(names))['migrations']).toBe('lack 20990101000000_later: run the migrations');
  });

  it('with a migration that was begun or taken back lacks it', async () => {
    await owner.query(`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, rolled_back_at)
      VALUES ('1', 'x', '20990101000000_begun', NULL, NULL), ('2', 'x', '20990102000000_taken_back', now(), now())`);
    const names = ['20990101000000_begun', '20990102000000_taken_back'];
    expect((await found(names))['migrations']).toContain(`lack ${names.join(', ')}`);
  });

  it('that is newer than the service is as good', async () => {
    expect((await found((await applied()).slice(0, 1)))['migrations']).toBeUndefined();
  });

  it.each([
    ['is older than the right to see them', 'REVOKE SELECT (migration_name) ON _prisma_migrations FROM swap_app'],
    ['was never migrated', 'DROP TABLE _prisma_migrations'],
  ])('that %s lacks them all', async (_, statement) => {
    const names = await applied();
    await owner.query(statement);
    expect((await found(names))['migrations']).toContain(`lack ${names.join(', ')}`);
  });

  it('is looked at anew until it has them all', async () => {
    const [, check] = databaseChecks(sql(), ['20990101000000_later']);
    expect(await check?.look()).toContain('lack');
    await owner.query(`
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', 'x', '20990101000000_later', now())`);
    expect(await check?.look()).toBeUndefined();
  });
});
