import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { LedgerDatabases } from '../databases/ledger-databases';
import { LogFollower } from '../followers/log-follower';
import { SEARCH_INDEX } from './search-index';
import { ListTransactionsHandler } from './list-transactions.handler';

const MERCHANTS = [randomUUID(), randomUUID()];
const CUSTOMERS = [randomUUID(), randomUUID(), null];
const STATUSES = ['PENDING', 'COMPLETED', 'FAILED', 'REVERSED'] as const;
const TYPES = ['DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER'] as const;
const MODES = ['CREDIT', 'DEBIT'] as const;
const CURRENCIES = ['USDT', 'USD', 'EUR'] as const;
const DAYS = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-04'] as const;

interface Row {
  id: string;
  position: number;
  merchant_id: string;
  customer_id: string | null;
  transaction_id: string;
  transaction_type: string;
  transaction_mode: string;
  currency: string;
  status: string;
  created_at: string;
}

let files: TestDatabase;
let database: LedgerReads;
let owner: Client;
let rows: Row[];

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerReads({ url: files.url, applicationName: 'test', poolSize: 2 });
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  rows = Array.from({ length: 240 }, (_, index) => row(index));
  for (const one of rows) await insert(one);
  await move();
});

afterAll(async () => {
  await database.$disconnect();
  await owner.end();
  await files.drop();
});

/** Rows in the order of time, around midnight, where a day begins and ends. */
function row(index: number): Row {
  const of = <Value>(values: readonly Value[], step: number) =>
    values[Math.floor(index / step) % values.length] as Value;
  const day = DAYS[Math.floor((index * DAYS.length) / 240)] as string;
  const time = index % 60 === 0 ? '00:00:00.000' : index % 60 === 59 ? '23:59:59.999' : '12:00:00.000';
  return {
    id: randomUUID(),
    position: index * 2 + 1,
    merchant_id: of(MERCHANTS, 5),
    customer_id: of(CUSTOMERS, 3),
    transaction_id: `CODE${String(index).padStart(6, '0')}`,
    transaction_type: of(TYPES, 2),
    transaction_mode: of(MODES, 1),
    currency: of(CURRENCIES, 7),
    status: 'PENDING',
    created_at: `${day}T${time}Z`,
  };
}

async function insert(one: Row): Promise<void> {
  const columns = { ...one, shard: 0, reference_id: randomUUID(), wallet_id: randomUUID(), amount: '1', balance: '1' };
  const entries = Object.entries({ ...columns, updated_at: one.created_at });
  await owner.query(
    `INSERT INTO transactions (${entries.map(([name]) => name).join(', ')})
     VALUES (${entries.map((_, index) => `$${index + 1}`).join(', ')})`,
    entries.map(([, value]) => value),
  );
}

/** Makes the log up to this position, with the fields that the index reads, and the index. */
async function indexUpTo(position: number): Promise<void> {
  const indexer = new LogFollower(database, 0, SEARCH_INDEX);
  await owner.query(
    `INSERT INTO ledger_events (shard, position, recorded_at, transaction, body, hash)
     SELECT 0, position, created_at, id, '{}', sha256('') FROM transactions WHERE position <= $1 ON CONFLICT DO NOTHING`,
    [position],
  );
  await owner.query(
    `INSERT INTO ledger_shards (shard, head_position, head_hash) VALUES (0, $1, '')
     ON CONFLICT (shard) DO UPDATE SET head_position = excluded.head_position`,
    [position],
  );
  await indexer.advance();
}

/** Changes many rows in one statement, as the writer does. */
async function move(): Promise<void> {
  rows.forEach((one, index) => (one.status = STATUSES[index % STATUSES.length] as string));
  await owner.query(
    `UPDATE transactions SET status = moved.status FROM unnest($1::uuid[], $2::text[]) AS moved (id, status)
     WHERE transactions.id = moved.id`,
    [rows.map(({ id }) => id), rows.map(({ status }) => status)],
  );
}

const list = (request: Partial<ListTransactions>) =>
  new ListTransactionsHandler(LedgerDatabases.only(database)).execute(
    Object.assign(new ListTransactions(), { page: 1, limit: 10 }, request),
  );

/** The expected page: the contract's rules applied to the rows in memory. */
function expected({ page = 1, limit = 10, ...request }: Partial<ListTransactions>) {
  const { merchant_id, customer_id, search, transaction_id, start_date, end_date } = request;
  const equal = { merchant_id, customer_id, transaction_id, ...typed(request) };
  const matching = rows.filter(
    (one) =>
      Object.entries(equal).every(([name, value]) => value === undefined || one[name as keyof Row] === value) &&
      (start_date === undefined || one.created_at.slice(0, 10) >= start_date) &&
      (end_date === undefined || one.created_at.slice(0, 10) <= end_date) &&
      (search === undefined ||
        one.transaction_id.includes(search.toUpperCase()) ||
        one.id.includes(search.toLowerCase())),
  );
  const newest = [...matching].reverse();
  return { total: matching.length, ids: newest.slice((page - 1) * limit, page * limit).map(({ id }) => id) };
}

const typed = ({ status, transaction_type, transaction_mode, currency }: Partial<ListTransactions>) => ({
  status,
  transaction_type,
  transaction_mode,
  currency,
});

const maybe = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });

const requests: fc.Arbitrary<Partial<ListTransactions>> = fc.record({
  merchant_id: fc.constantFrom(...MERCHANTS, randomUUID()),
  customer_id: maybe(CUSTOMERS.filter((id) => id !== null)),
  status: maybe(STATUSES),
  transaction_type: maybe(TYPES),
  transaction_mode: maybe(MODES),
  currency: maybe([...CURRENCIES, 'GBP']),
  start_date: maybe(['2026-02-26', ...DAYS, '2026-03-02']),
  end_date: maybe([...DAYS, '2026-03-02', '2026-03-09']),
  page: fc.integer({ min: 1, max: 9 }),
  limit: fc.constantFrom(1, 3, 10, 100),
});

it('goes on after a transaction with those that follow it in the list, for all filters together', async () => {
  await fc.assert(
    fc.asyncProperty(requests, fc.constantFrom(1, 3, 10, 100), async ({ page: _, ...request }, limit) => {
      const ids = expected({ ...request, page: 1, limit: rows.length }).ids;
      const found: string[] = [];
      for (let after: string | undefined; found.length <= ids.length;) {
        const { items, total } = await list({ ...request, limit, ...(after !== undefined && { after }) });
        expect(total).toBe(ids.length);
        found.push(...items.map(({ id }) => id));
        after = items.at(-1)?.id;
        if (items.length < limit) break;
      }
      expect(found).toEqual(ids);
    }),
    { numRuns: 100 },
  );
});

it('goes on after no transaction of another merchant, nor after one that is not there', async () => {
  const [own, other] = MERCHANTS as [string, string];
  const ofOther = rows.find(({ merchant_id }) => merchant_id === other)?.id;
  await expect(list({ merchant_id: own, after: ofOther })).rejects.toThrow('not_found');
  await expect(list({ merchant_id: own, after: randomUUID() })).rejects.toThrow('not_found');
});

it('gives the page and the total that follow from the rows, for all filters together', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { items, total } = await list(request);
      expect({ total, ids: items.map(({ id }) => id) }).toEqual(expected(request));
    }),
    { numRuns: 400 },
  );
});

it('shows a transaction of the list as it is shown anywhere', async () => {
  const { items } = await list({ merchant_id: MERCHANTS[0] });
  const { items: found } = await list({ merchant_id: MERCHANTS[0], transaction_id: items[0]?.transaction_id });
  expect(found).toEqual(items.slice(0, 1));
});

describe.each([
  ['nothing', 0],
  ['half of the transactions', 240],
  ['every transaction', 479],
])('with %s in the index of parts', (_name, position) => {
  beforeAll(() => indexUpTo(position));

  it.each([
    ['a whole code', () => rows[17]?.transaction_id],
    ['a whole code in lower case', () => rows[17]?.transaction_id.toLowerCase()],
    ['a part of a code', () => 'E0000'],
    ['a whole id', () => rows[17]?.id],
    ['a whole id in upper case', () => rows[17]?.id.toUpperCase()],
    ['a part of an id', () => rows[17]?.id.slice(3, 12)],
    ['a part of an id as long as a code', () => rows[17]?.id.slice(4, 14)],
    ['a part of an id longer than a code', () => rows[17]?.id.slice(4, 24)],
    ['a part of an id with no letter', () => '0000'],
    ['a part across a hyphen', () => rows[17]?.id.slice(6, 11)],
    ['a single character', () => '7'],
    ['a part in upper case', () => rows[17]?.id.slice(24).toUpperCase()],
    ['nothing across both ids', () => `${rows[17]?.transaction_id.slice(7)} ${rows[17]?.id.slice(0, 3)}`],
    ['nothing that is there', () => 'NOTTHERE99'],
    ['wildcards, taken literally', () => '%_'],
  ])('finds %s', async (_, text) => {
    const request = { merchant_id: rows[17]?.merchant_id, search: text(), limit: 100 };
    for (const other of [{}, { status: 'COMPLETED' as const }, { page: 2, limit: 3 }, { end_date: DAYS[1] }]) {
      const { items, total } = await list({ ...request, ...other });
      expect({ total, ids: items.map(({ id }) => id) }).toEqual(expected({ ...request, ...other }));
    }
  });
});

it('keeps the counts when any program deletes rows or truncates the table', async () => {
  const counted = async () => {
    const { rows: found } = await owner.query(
      'SELECT coalesce(sum(transactions), 0)::int AS sum FROM transaction_counts',
    );
    return (found as { sum: number }[])[0]?.sum;
  };
  await owner.query('BEGIN');
  await owner.query('DELETE FROM transactions WHERE position <= 20');
  expect(await counted()).toBe(rows.length - 10);
  await owner.query('TRUNCATE transactions');
  expect(await counted()).toBe(0);
  await owner.query('ROLLBACK');
  expect(await counted()).toBe(rows.length);
});

it('counts a customer’s transactions from an index alone', async () => {
  await owner.query('VACUUM (ANALYZE) transactions');
  await owner.query('SET enable_seqscan = off');
  const { rows: plan } = await owner.query<{ 'QUERY PLAN': string }>(
    'EXPLAIN SELECT count(*) AS total FROM transactions WHERE merchant_id = $1 AND customer_id = $2',
    [MERCHANTS[0], CUSTOMERS[0]],
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
    'Index Only Scan using transactions_of_customer on transactions',
  );
});
