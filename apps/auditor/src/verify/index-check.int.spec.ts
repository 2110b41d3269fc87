/** An index that lacks rows: the ledger does not find them, and a comparison that reads the table does. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
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

it('indexes of an intact ledger are read, each by itself, and find what their tables have', async () => {
  const { ok, indexes } = await verified();
  expect({ ok, faults: indexes.faults }).toEqual({ ok: true, faults: [] });
  // No right to read; of another kind; and of small tables Postgres reads the other one that begins with the same columns.
  expect(indexes.unread).toEqual(['ledger_instances_pkey', 'transaction_search_by_part', 'transactions_by_customer']);
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

it("one of the owner's with a condition that calls a function is not read, so that the function does not run", async () => {
  await database.owner.$executeRawUnsafe(`CREATE INDEX own ON transactions (id) WHERE length(status) > 3`);
  try {
    const { ok, indexes } = await verified();
    expect({ ok, unread: indexes.unread.includes('own') }).toEqual({ ok: true, unread: true });
  } finally {
    await database.owner.$executeRawUnsafe('DROP INDEX own');
  }
});
