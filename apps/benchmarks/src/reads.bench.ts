/**
 * How long a merchant waits for lists and look-ups, over HTTP, one request after the other: with 50,000 transactions,
 * then with 5 million in the same database. Every kind of request is asked for many times, with other values each time
 * where it has any. `total` is checked against what is known to be there.
 */
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import {
  grownReference,
  grownTransaction,
  grownTransactionCode,
  grownWallet,
  growLedger,
} from '@stablecoin/benchmarking/grown-ledger';
import { percentile } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { Answer, dataOf, MerchantClient, RefusedRequest } from '@stablecoin/testing/merchant-client';
import { Client } from 'pg';

const SMALL = 50_000;
const LARGE = 5_000_000;
const ACCOUNTS = 200_000;
const REQUESTS = 200;
const WARM_UP = 50;
const LIMIT = 50;
const UNAVAILABLE = 503;
const REFUSED = 'refused with 503';

interface Kind {
  name: string;
  /** @param size transactions there are; @param turn counts from 0 */
  path: (size: number, turn: number) => string;
  /** What `pagination.total` must be; left out where the list has no simple one. */
  total?: (size: number) => number;
}

const list = (query: string) => `/transactions?limit=${LIMIT}${query && `&${query}`}`;
/** Transactions of which every third is a deposit, as grown-ledger makes them. */
const deposits = (size: number) => Math.floor(size / 3);
/** A number from 1 to `size`, another one each turn. */
const spread = (size: number, turn: number) => 1 + ((turn * 7_919_333) % size);

const KINDS: Kind[] = [
  { name: 'first_page', path: () => list(''), total: (size) => size },
  { name: 'last_page', path: (size) => list(`page=${size / LIMIT}`), total: (size) => size },
  {
    name: 'middle_page',
    path: (size, turn) => list(`page=${Math.ceil(spread(size, turn) / LIMIT)}`),
    total: (size) => size,
  },
  { name: 'by_type', path: () => list('transaction_type=DEPOSIT'), total: deposits },
  {
    name: 'by_type_deep',
    path: (size) => list(`transaction_type=DEPOSIT&page=${Math.floor(deposits(size) / LIMIT)}`),
    total: deposits,
  },
  { name: 'by_mode', path: () => list('transaction_mode=DEBIT'), total: (size) => size - deposits(size) },
  { name: 'by_status', path: () => list('status=FAILED'), total: (size) => Math.floor(size / 50) },
  { name: 'by_status_none', path: () => list('status=PENDING'), total: () => 0 },
  { name: 'by_currency', path: () => list('currency=USDC') },
  { name: 'by_all', path: () => list('status=COMPLETED&transaction_type=PAYOUT&transaction_mode=DEBIT&currency=EUR') },
  { name: 'by_first_day', path: () => list('start_date=2026-01-01&end_date=2026-01-01') },
  { name: 'by_customer', path: () => list(`customer_id=${customerId}`) },
  {
    name: 'by_transaction_id',
    path: (size, turn) => list(`transaction_id=${grownTransactionCode(spread(size, turn))}`),
  },
  { name: 'search_whole', path: (size, turn) => list(`search=${grownTransaction(spread(size, turn))}`) },
  { name: 'search_part', path: (size, turn) => list(`search=${grownTransactionCode(spread(size, turn)).slice(3)}`) },
  {
    name: 'by_txid',
    path: (size, turn) => `/customers/transactions/by_txid/${grownTransactionCode(spread(size, turn))}`,
  },
  {
    name: 'by_ref_id',
    path: (size, turn) => `/customers/transactions/by_ref_id/${grownReference(spread(size, turn))}`,
  },
  { name: 'wallet', path: (_, turn) => `/wallets/${grownWallet((turn * 7_919) % ACCOUNTS)}` },
];

let customerId = '';

async function main(): Promise<void> {
  const service = new MerchantClient({ baseUrl: given('BASE_URL'), apiKey: given('API_KEY'), connections: 1 });
  customerId = await registerCustomer(service);
  const merchant = await merchantOf(customerId);
  const ledger = { ownerUrl: given('BENCHMARK_OWNER_URL'), ...merchant, accounts: ACCOUNTS };
  await growLedger({ ...ledger, transactions: SMALL });
  await giveCustomerItsTransactions();
  const small = await measured(service, SMALL);
  await growLedger({ ...ledger, from: SMALL, transactions: LARGE });
  await giveCustomerItsTransactions();
  const large = await measured(service, LARGE);
  service.close();
  const figures: Figures = {};
  for (const { name } of KINDS) {
    const [before, after] = [small.get(name), large.get(name)].map((times) => times && percentile(times, 99));
    figures[`${name}_small_p99_ms`] = before ?? REFUSED;
    figures[`${name}_large_p99_ms`] = after ?? REFUSED;
    figures[`${name}_large_to_small`] = before && after ? after / before : REFUSED;
  }
  report(figures, process.argv.includes('--json'));
}

/** Of each kind its times; a kind that the service refuses, as it would take longer than it may, has none. */
async function measured(service: MerchantClient, size: number): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  for (const kind of KINDS) {
    const { name } = kind;
    const milliseconds = await timesOf(kind, service, size);
    if (!milliseconds) {
      progress(`${size.toLocaleString('en')} transactions: ${name} ${REFUSED}`);
      continue;
    }
    times.set(name, milliseconds);
    const [p50, p99] = [50, 99].map((rank) => percentile(milliseconds, rank).toFixed(1));
    progress(`${size.toLocaleString('en')} transactions: ${name} p50 ${p50} ms, p99 ${p99} ms`);
  }
  return times;
}

async function timesOf(
  { name, path, total }: Kind,
  service: MerchantClient,
  size: number,
): Promise<number[] | undefined> {
  const milliseconds: number[] = [];
  for (let turn = 0; turn < WARM_UP + REQUESTS; turn += 1) {
    const askedAt = performance.now();
    const answer = await service.get(path(size, turn));
    const took = performance.now() - askedAt;
    if (answer.status === UNAVAILABLE) return undefined;
    if (answer.status !== 200) throw new RefusedRequest(answer);
    if (turn >= WARM_UP) milliseconds.push(took);
    else if (turn === 0 && total) assertTotal(name, answer, total(size));
  }
  return milliseconds;
}

function assertTotal(name: string, { body }: Answer<unknown>, expected: number): void {
  const total = body.pagination?.['total'];
  if (total !== expected) throw new Error(`${name}: the total is ${String(total)}, not ${expected}`);
}

async function registerCustomer(service: MerchantClient): Promise<string> {
  const business = {
    business_name: 'Measured Ltd',
    email: `${randomUUID()}@example.com`,
    phone: '+2348012345678',
  };
  const { id } = await dataOf(service.post<{ id: string }>('/business-customers', business));
  return id;
}

async function merchantOf(customer: string): Promise<{ merchantId: string; shard: number }> {
  return withClient(given('BENCHMARK_CUSTOMER_OWNER_URL'), async (client) => {
    const { rows } = await client.query<{ merchantId: string; shard: number }>(
      `SELECT merchants.id::text AS "merchantId", merchants.shard FROM merchants
       JOIN customers ON customers.merchant_id = merchants.id WHERE customers.id = $1`,
      [customer],
    );
    return rows[0] as { merchantId: string; shard: number };
  });
}

/** The transactions of one grown wallet become those of a customer that the gateway knows. */
async function giveCustomerItsTransactions(): Promise<void> {
  await withClient(given('BENCHMARK_OWNER_URL'), (client) =>
    client.query(
      'UPDATE transactions SET customer_id = $1 WHERE customer_id = (SELECT customer_id FROM wallets WHERE id = $2)',
      [customerId, grownWallet(1)],
    ),
  );
}

async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

void main();
