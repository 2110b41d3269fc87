import { isDeepStrictEqual } from 'node:util';
import { postgresAdapter } from '@stablecoin/persistence/postgres';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Prisma, PrismaClient } from './generated/client';
import { LedgerDatabase } from './ledger-database';

let files: TestDatabase;
let database: LedgerDatabase;
let client: PrismaClient;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  const options = { url: files.url, applicationName: 'test', poolSize: 2 };
  database = new LedgerDatabase(options);
  client = new PrismaClient({ adapter: postgresAdapter(options) });
});

afterAll(async () => {
  await Promise.all([database.$disconnect(), client.$disconnect()]);
  await files.drop();
});

/** What Prisma's client and the SQL past it answer to the same statement. */
async function both(statement: Prisma.Sql): Promise<[unknown, unknown]> {
  return [await database.$queryRaw(statement), await client.$queryRaw(statement)];
}

describe("a raw statement past Prisma's client", () => {
  it.each([
    [
      'numbers',
      Prisma.sql`SELECT 1::int2 AS a, 2::int4 AS b, 9007199254740993::int8 AS c, 1.5::float8 AS d, 7::oid AS e`,
    ],
    ['decimals', Prisma.sql`SELECT 12345678901234567890.12345678::numeric AS a, NULL::numeric AS b`],
    [
      'times',
      Prisma.sql`SELECT '2026-01-02 03:04:05.678+02'::timestamptz AS a, '2026-01-02'::date AS b, '03:04:05'::time AS c`,
    ],
    ['bytes', Prisma.sql`SELECT '\\x00ff10'::bytea AS a, ''::bytea AS b`],
    ['JSON', Prisma.sql`SELECT '{"a": [1, null]}'::jsonb AS a, 'null'::json AS b`],
    ['texts', Prisma.sql`SELECT 'ä' AS a, true AS b, '6f1c5d0e-3f7b-4a55-8a2b-1d7a7c5d9c11'::uuid AS c`],
    [
      'lists',
      Prisma.sql`SELECT ARRAY[1, NULL]::int4[] AS a, ARRAY[9007199254740993, NULL]::int8[] AS b,
        ARRAY[1.50]::numeric[] AS c, ARRAY['2026-01-02T03:04:05Z']::timestamptz[] AS d, ARRAY['{"a": 1}']::jsonb[] AS e,
        ARRAY['\\x00ff']::bytea[] AS f, ARRAY['a', NULL]::text[] AS g, ARRAY['2026-01-02']::date[] AS h`,
    ],
    ['no rows', Prisma.sql`SELECT 1 AS a WHERE false`],
  ])('is answered with the same %s', async (_what, statement) => {
    const [past, through] = await both(statement);
    expect(past).toStrictEqual(through);
  });

  it.each([
    ['number', 7, 'int4'],
    ['large number', 9_007_199_254_740_993n, 'int8'],
    ['decimal', new Prisma.Decimal('0.00000001'), 'numeric'],
    ['date', new Date('2026-01-02T03:04:05.678Z'), 'timestamptz'],
    ['bytes', Buffer.from([0, 255, 16]), 'bytea'],
    ['empty bytes', new Uint8Array(), 'bytea'],
    ['truth', false, 'bool'],
    ['nothing', null, 'text'],
    ['object', { a: [1, 'x'] }, 'jsonb'],
    ['list of texts', ['a', '', 'with "quotes", {braces} and \\'], 'text[]'],
    ['list of large numbers', [1n, 2n], 'int8[]'],
    ['list of dates', [new Date('2026-01-02T03:04:05.678Z')], 'timestamptz[]'],
    ['empty list', [], 'int4[]'],
  ])('takes the same for a %s', async (_what, value, type) => {
    const [past, through] = await both(Prisma.sql`SELECT ${value}::${Prisma.raw(type)} AS value`);
    expect(past).toStrictEqual(through);
  });

  it('may hold fragments, and is a template like any other', async () => {
    const condition = Prisma.sql`${2}::int > ${1}::int`;
    await expect(
      database.$queryRaw`SELECT ${'x'} AS x WHERE ${condition} AND ${Prisma.empty} ${true}`,
    ).resolves.toEqual([{ x: 'x' }]);
    await expect(database.$executeRaw`SELECT ${'x'}`).resolves.toBe(1);
  });
});

it("a raw statement in one of the client's own transactions stays in it", async () => {
  const within = await database.$transaction(async (transaction) => {
    await transaction.$executeRaw`SET LOCAL application_name = 'within'`;
    const [row] = await transaction.$queryRaw<{ name: string }[]>`SELECT current_setting('application_name') AS name`;
    await transaction.wallet.count();
    return row?.name;
  });
  expect(within).toBe('within');
});

it('typed queries go through the client, raw ones do not', async () => {
  const clientsCode = 'P2010';
  await expect(client.$queryRaw`SELECT 1 / ${0}::int`).rejects.toHaveProperty('code', clientsCode);
  await expect(database.$queryRaw`SELECT 1 / ${0}::int`).rejects.not.toHaveProperty('code', clientsCode);
  await expect(database.$executeRaw`SELECT 1 / ${0}::int`).rejects.not.toHaveProperty('code', clientsCode);
  await expect(database.wallet.count()).resolves.toBe(0);
});

it('its connections end with it, also those that the client has not used', async () => {
  const name = 'raw statements alone';
  const other = new LedgerDatabase({ url: files.url, applicationName: name, poolSize: 1 });
  const connections = async () =>
    database.$queryRaw`SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = ${name}`;
  await other.$queryRaw`SELECT 1`;
  await expect(connections()).resolves.toEqual([{ count: 1 }]);
  await other.$disconnect();
  await eventually('it has none', async () => isDeepStrictEqual(await connections(), [{ count: 0 }]));
});
