import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { OpenSpan, Tracer, useTracer } from '@stablecoin/telemetry/traces/tracing';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { Client } from 'pg';
import { databaseFailure } from './database-error';
import { ObservedPrismaPg } from './observed-pool';
import { postgresAdapter } from './postgres';
import { Sql } from './sql';
import { SqlDatabase } from './sql-database';

const POOL_SIZE = 2;
let files: TestDatabase;
let owner: Client;
let adapter: ObservedPrismaPg;
let database: SqlDatabase;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  await owner.query(`
    CREATE TABLE notes (id int PRIMARY KEY, note int NOT NULL);
    CREATE TABLE late_checks (id int CONSTRAINT one_each UNIQUE DEFERRABLE INITIALLY DEFERRED);
    GRANT ALL ON notes, late_checks TO PUBLIC`);
});

afterAll(async () => {
  await owner.end();
  await files.drop();
});

beforeEach(async () => {
  await owner.query('TRUNCATE notes, late_checks');
  adapter = postgresAdapter({ url: files.url, applicationName: 'sql', poolSize: POOL_SIZE });
  database = new SqlDatabase(adapter);
});

afterEach(() => adapter.disconnect());

const kindOf = (error: unknown) => databaseFailure(error).kind;
const add = async (sql: Sql, id: number) => sql.$executeRaw`INSERT INTO notes VALUES (${id}, 7)`;
const stored = async () =>
  (await owner.query<{ id: number }>('SELECT id FROM notes ORDER BY id')).rows.map(({ id }) => id);
/** All connections are free and in no transaction. */
async function expectAllFree(): Promise<void> {
  const states = await Promise.all(
    Array.from({ length: POOL_SIZE }, () =>
      database.$transaction(
        async (sql) => {
          await sql.$queryRaw`SELECT pg_sleep(0.05)::text`;
          return 'free';
        },
        { maxWait: 1_000 },
      ),
    ),
  );
  expect(states).toEqual(['free', 'free']);
}

describe('a transaction', () => {
  it('is committed when its work is done, and rolled back when that fails', async () => {
    await expect(database.$transaction((sql) => add(sql, 1))).resolves.toBe(1);
    const failing = database.$transaction(async (sql) => {
      await add(sql, 2);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await stored()).toEqual([1]);
    await expectAllFree();
  });

  it('that takes longer than it may is rolled back, its later statements are refused, and nothing is committed', async () => {
    let late: unknown;
    const slow = database.$transaction(
      async (sql) => {
        await add(sql, 1);
        await delay(150);
        late = await add(sql, 2).catch(kindOf);
      },
      { timeout: 50 },
    );
    await expect(slow.catch(kindOf)).resolves.toBe('unknown');
    expect(late).toBe('unknown');
    expect(await stored()).toEqual([]);
    await expectAllFree();
  });

  it.each([
    ['READ COMMITTED', [1]],
    ['REPEATABLE READ', []],
  ] as const)('in %s sees what was committed meanwhile, or nothing of it', async (isolationLevel, expected) => {
    const seen = await database.$transaction(
      async (sql) => {
        await sql.$queryRaw`SELECT id FROM notes`;
        await owner.query('INSERT INTO notes VALUES (1, 7)');
        return sql.$queryRaw<{ id: number }[]>`SELECT id FROM notes`;
      },
      { isolationLevel },
    );
    expect(seen.map(({ id }) => id)).toEqual(expected);
  });

  it('takes statements that are put together, with values and without', async () => {
    const found = await database.$transaction(async (sql) => {
      await sql.$executeRawUnsafe('INSERT INTO notes VALUES ($1, $2)', 1, 7);
      await sql.$executeRawUnsafe('INSERT INTO notes VALUES (2, 8)');
      return sql.$queryRawUnsafe('SELECT id, note::bigint AS note FROM notes WHERE id = ANY ($1) ORDER BY id', [1, 2]);
    });
    expect(found).toEqual([
      { id: 1, note: 7n },
      { id: 2, note: 8n },
    ]);
  });

  it('refuses a statement that comes after its end', async () => {
    let kept: Sql | undefined;
    await database.$transaction(async (sql) => {
      kept = sql;
      await add(sql, 1);
    });
    await expect((async () => add(kept as Sql, 2))().catch(kindOf)).resolves.toBe('unknown');
    expect(await stored()).toEqual([1]);
  });

  it('that gets no connection in time begins nothing, and keeps none that it gets later', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holders = Array.from({ length: POOL_SIZE }, () => database.$transaction(() => held));
    const late = database.$transaction(() => Promise.resolve('begun'), { maxWait: 50 });
    // Not the pool's own limit, which is longer.
    await expect(late).rejects.toHaveProperty('code', 'P2028');
    await expect(late.catch(kindOf)).resolves.toBe('unknown');
    release();
    await Promise.all(holders);
    await expectAllFree();
  });

  it('begins nothing for a request whose deadline has passed, and no statement either', async () => {
    const late = <Result>(work: () => Promise<Result>) =>
      withRequestContext({ requestId: randomUUID(), deadline: Date.now() }, work);
    await expect(late(() => database.$transaction((sql) => add(sql, 1))).catch(kindOf)).resolves.toBe('unknown');
    await expect(late(() => add(database, 2)).catch(kindOf)).resolves.toBe('unknown');
    expect(await stored()).toEqual([]);
  });

  it('whose connection is lost while it commits has an unknown outcome, and gives its place back', async () => {
    const { proxy, through } = await TcpProxy.inFrontOf(files.url);
    const cut = postgresAdapter({ url: through, applicationName: 'sql', poolSize: 1 });
    const broken = new SqlDatabase(cut);
    const outcome = broken.$transaction(async (sql) => {
      await add(sql, 1);
      proxy.open().forEach((passage) => passage.freeze());
      setTimeout(() => proxy.open().forEach((passage) => passage.cut()), 50);
    });
    await expect(outcome.catch(kindOf)).resolves.toBe('unknown');
    await expect(broken.$queryRaw`SELECT 1 AS one`).resolves.toEqual([{ one: 1 }]);
    await cut.disconnect();
    await proxy.close();
  });
});

describe('an error', () => {
  it('of a unique constraint names it, in a statement and at COMMIT', async () => {
    await add(database, 1);
    const again = await add(database, 1).catch(databaseFailure);
    expect(again).toEqual({ kind: 'constraint', constraint: 'notes_pkey' });
    const atCommit = database.$transaction(
      async (sql) => sql.$executeRaw`INSERT INTO late_checks VALUES (${1}), (${1})`,
    );
    await expect(atCommit.catch(databaseFailure)).resolves.toEqual({ kind: 'constraint', constraint: 'one_each' });
    await expectAllFree();
  });

  it('of a conflict at COMMIT may be retried', async () => {
    await add(database, 1);
    await add(database, 2);
    /** Each reads what the other writes: one of them can't be committed. */
    const both = await Promise.all([1, 2].map(() => begun()));
    for (const [turn, { sql }] of both.entries()) {
      await sql.$queryRaw`SELECT sum(note)::int FROM notes`;
      await sql.$executeRaw`UPDATE notes SET note = note + 1 WHERE id = ${turn + 1}`;
    }
    for (const { finish } of both) finish();
    const outcomes = await Promise.all(both.map(({ outcome }) => outcome.then(() => 'done', kindOf)));
    expect(outcomes.sort()).toEqual(['done', 'retry']);
  });
});

/** A serializable transaction that waits to be committed. */
async function begun(): Promise<{ sql: Sql; finish: () => void; outcome: Promise<unknown> }> {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let outcome: Promise<unknown> = Promise.resolve();
  const sql = await new Promise<Sql>((resolve) => {
    outcome = database.$transaction(async (transaction) => {
      await transaction.$executeRaw`SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`;
      resolve(transaction);
      await finished;
    });
  });
  return { sql, finish, outcome };
}

describe('in a trace', () => {
  const spans: string[] = [];
  const span: OpenSpan = {
    ...{ traceparent: '', sampled: true },
    within: (work) => work(),
    ...{ linkTo: () => undefined, set: () => undefined, end: () => undefined },
  };
  const tracer: Tracer = {
    begin: (name) => [span, spans.push(name)][0] as OpenSpan,
    current: () => span,
    outside: (work) => work(),
  };
  beforeEach(() => useTracer(tracer));
  afterEach(() => useTracer(undefined));

  it('a statement, and each of a transaction with its begin and its end, has a span', async () => {
    await add(database, 1);
    await database.$transaction((sql) => add(sql, 2));
    const failing = database.$transaction(async (sql) => add(sql, 2));
    await expect(failing.catch(kindOf)).resolves.toBe('constraint');
    const within = (end: string) => ['BEGIN', 'INSERT notes', end];
    expect(spans).toEqual(['INSERT notes', ...within('COMMIT'), ...within('ROLLBACK')]);
  });
});

describe('after a change of the schema', () => {
  const note = (sql: Sql) => sql.$queryRaw`SELECT note FROM notes WHERE id = ${1}`;
  const inAll = (work: (sql: Sql) => PromiseLike<unknown>) =>
    Promise.all(
      Array.from({ length: POOL_SIZE }, () =>
        database.$transaction(async (sql) => [await work(sql), await delay(50)][0]),
      ),
    );

  it('a statement and a transaction are done once more, and their caller notices nothing', async () => {
    await owner.query('INSERT INTO notes VALUES (1, 7)');
    for (let turn = 0; turn < 3; turn += 1) await inAll(note);
    await owner.query('ALTER TABLE notes ALTER COLUMN note TYPE bigint');
    await expect(note(database)).resolves.toEqual([{ note: 7n }]);

    for (let turn = 0; turn < 3; turn += 1) await inAll(note);
    await owner.query('ALTER TABLE notes ALTER COLUMN note TYPE int');
    let attempts = 0;
    const found = await database.$transaction(async (sql) => {
      attempts += 1;
      await add(sql, 2);
      return note(sql);
    });
    expect(found).toEqual([{ note: 7 }]);
    expect(attempts).toBe(2);
    // What the first attempt had inserted was rolled back: the second one would have found it in its way.
    expect(await stored()).toEqual([1, 2]);
  });

  it('a transaction whose work is done once is rolled back, and its caller decides', async () => {
    await owner.query('INSERT INTO notes VALUES (1, 7)');
    await inAll(note);
    await owner.query('ALTER TABLE notes ALTER COLUMN note TYPE bigint');
    let attempts = 0;
    const failing = database.$transaction(
      async (sql) => {
        attempts += 1;
        await add(sql, 2);
        return note(sql);
      },
      { isDoneOnce: true },
    );
    await expect(failing.catch(kindOf)).resolves.toBe('retry');
    expect(attempts).toBe(1);
    expect(await stored()).toEqual([1]);
    await owner.query('ALTER TABLE notes ALTER COLUMN note TYPE int');
  });
});
