/** An index that lacks rows: the ledger does not find them, and a comparison that reads the table does. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { INDEXES } from './made-by-migrations';
import { TABLES } from './schema-check';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;
beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());

const verified = () => database.audit((ledger) => verify(ledger));
const kept = (index: string, isKept: boolean) =>
  database.owner.$executeRawUnsafe(
    `UPDATE pg_index SET indisready = ${isKept} WHERE indexrelid = '${index}'::regclass`,
  );

/** As a superuser does it: the row goes, and comes back while the index is not kept. */
async function lacking<Result>(index: string, table: string, work: () => Promise<Result>): Promise<Result> {
  const { owner } = database;
  await kept(index, false);
  await owner.$executeRawUnsafe(`DO $$ DECLARE kept ${table}%ROWTYPE; BEGIN
    SELECT * INTO kept FROM ${table} LIMIT 1;
    DELETE FROM ${table} WHERE ctid = (SELECT ctid FROM ${table} LIMIT 1);
    INSERT INTO ${table} SELECT kept.*; END $$`);
  await kept(index, true);
  try {
    return await work();
  } finally {
    await owner.$executeRawUnsafe(`REINDEX INDEX ${index}`);
  }
}

it('those that the migrations have made, and that are not unique, are the ones that are known as theirs', async () => {
  const made = await database.owner.$transaction(async (sql) => {
    // Then what is of another schema is named with it.
    await sql.$executeRaw`SET LOCAL search_path TO pg_catalog, pg_temp`;
    return sql.$queryRaw<{ of: string; definition: string }[]>`
      SELECT relname AS of, substring(pg_get_indexdef(indexrelid) FROM ' (USING .*)') AS definition
      FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'public'::regnamespace AND relname = ANY (${TABLES}::text[]) AND NOT indisunique`;
  });
  const named = ({ of, definition }: { of: string; definition: string }) => `${of} ${definition}`;
  const known = Object.entries(INDEXES).flatMap(([of, all]) => all.map((definition) => named({ of, definition })));
  expect(known.toSorted()).toEqual(made.map(named).toSorted());
});

it('indexes of an intact ledger are read, each by itself, and find what their tables have', async () => {
  const { ok, indexes } = await verified();
  expect({ ok, faults: indexes.faults }).toEqual({ ok: true, faults: [] });
  // No right to read; of another kind; and of small tables Postgres reads the other one that begins with the same columns.
  expect(indexes.unread).toEqual([
    ...['command_results_by_time', 'ledger_instances_pkey'],
    ...['transaction_search_by_part', 'transactions_by_customer'],
  ]);
  expect(indexes.read).toBeGreaterThan(25);
});

it.each([
  ['transactions_by_merchant', 'transactions'],
  ['transactions_pkey', 'transactions'],
  ['command_results_pkey', 'command_results'],
  ['wallets_one_per_owner_and_currency', 'wallets'],
  ['deposit_addresses_by_address', 'deposit_addresses'],
])('%s without a row of %s: found, with one sentence', async (index, table) => {
  const found = await lacking(index, table, verified);
  expect(found.ok).toBe(false);
  const problem = expect.stringMatching(
    new RegExp(`^index ${index} finds \\d+ rows, of \\d+ that the table has$`),
  ) as unknown;
  expect(found.indexes.faults).toEqual([{ of: table, problem }]);
  const { text } = verificationReport(found, 1);
  expect(text).toContain(`!! ${table}: index ${index} finds`);
  expect(text).toContain('(REINDEX)');
});

it('one that is used and not kept: found before a row is missing', async () => {
  await kept('transactions_by_reference', false);
  try {
    const { indexes } = await verified();
    const problem = 'index transactions_by_reference is used, and does not get the rows that are written';
    expect(indexes.faults).toEqual([{ of: 'transactions', problem }]);
  } finally {
    await kept('transactions_by_reference', true);
  }
});

it("one of the owner's with a condition that calls a function is named, and not read, so that the function does not run", async () => {
  await database.owner.$executeRawUnsafe(`CREATE INDEX own ON transactions (id) WHERE length(status) > 3`);
  try {
    const { ok, unread, faults } = await indexesFound();
    expect({ ok, unread: unread.includes('own') }).toEqual({ ok: false, unread: true });
    expect(faults).toContainEqual({ of: 'transactions', problem: UNSEEN });
  } finally {
    await database.owner.$executeRawUnsafe('DROP INDEX own');
  }
});

const UNSEEN =
  "index own is none that the ledger's migrations have made, and whether it finds its rows can not be seen";
const indexesFound = async () => {
  const { ok, indexes } = await verified();
  return { ok, ...indexes };
};

it.each([
  ['of another kind', 'CREATE INDEX own ON command_results USING hash (command_id)'],
  ['of an expression', 'CREATE INDEX own ON command_results ((command_id::text))'],
])("one of the owner's %s, by which Postgres answers as well: found, with one sentence", async (_name, made) => {
  await database.owner.$executeRawUnsafe(made);
  try {
    const found = await lacking('own', 'command_results', verified);
    expect({ ok: found.ok, faults: found.indexes.faults }).toEqual({
      ok: false,
      faults: [{ of: 'command_results', problem: UNSEEN }],
    });
    expect(verificationReport(found, 1).text).toContain('or drop it where no migration has made it');
  } finally {
    await database.owner.$executeRawUnsafe('DROP INDEX own');
  }
});

describe('in a table of which the auditor reads only some columns, an index of one that a later version has added', () => {
  beforeAll(() => database.owner.$executeRawUnsafe('ALTER TABLE command_results ADD COLUMN later integer'));
  afterAll(() => database.owner.$executeRawUnsafe('ALTER TABLE command_results DROP COLUMN later'));
  afterEach(() => database.owner.$executeRawUnsafe('DROP INDEX own'));

  it.each(['(later)', '(later) WHERE later IS NOT NULL'])('%s is none by which this version answers', async (of) => {
    await database.owner.$executeRawUnsafe(`CREATE INDEX own ON command_results ${of}`);
    expect(await indexesFound()).toMatchObject({ ok: true, faults: [] });
  });

  it.each([
    '(later) INCLUDE (command_id)',
    '(later) WHERE command_id IS NOT NULL',
    "(later) WHERE result <> ''",
    '((later + 1))',
  ])('%s is found', async (of) => {
    await database.owner.$executeRawUnsafe(`CREATE INDEX own ON command_results ${of}`);
    expect(await indexesFound()).toMatchObject({
      ok: false,
      faults: [{ of: 'command_results', problem: UNSEEN }],
    });
  });
});

it("one of the owner's that is read in the place of one of ours: found", async () => {
  await database.owner.$executeRawUnsafe('CREATE INDEX own ON transactions (reference_id) INCLUDE (merchant_id)');
  try {
    const { ok, unread, faults } = await indexesFound();
    const hides = "index own is none that the ledger's migrations have made, and because of it can not be seen whether";
    expect({ ok, hidden: unread.includes('transactions_by_reference'), faults }).toEqual({
      ...{ ok: false, hidden: true },
      faults: [{ of: 'transactions', problem: `${hides} transactions_by_reference finds its rows` }],
    });
  } finally {
    await database.owner.$executeRawUnsafe('DROP INDEX own');
  }
});

it("one of the owner's that stands in the way of one of ours is named; one that is read is no finding", async () => {
  const { owner } = database;
  await owner.$executeRawUnsafe('CREATE INDEX own ON transactions (reference_id)');
  await owner.$executeRawUnsafe('CREATE INDEX other ON transactions (amount) INCLUDE (fee)');
  try {
    const { ok, faults } = await indexesFound();
    const names = '(own is like transactions_by_reference|transactions_by_reference is like own)';
    const problem = expect.stringMatching(`^index ${names}, and whether it finds its rows`) as unknown;
    expect({ ok, faults }).toEqual({ ok: false, faults: [{ of: 'transactions', problem }] });
    await owner.$executeRawUnsafe('DROP INDEX own');
    expect(await indexesFound()).toMatchObject({ ok: true, faults: [] });
  } finally {
    await owner.$executeRawUnsafe('DROP INDEX IF EXISTS own');
    await owner.$executeRawUnsafe('DROP INDEX other');
  }
});
