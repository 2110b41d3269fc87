import { randomUUID } from 'node:crypto';
import { testStack } from '@stablecoin/testing/stack';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { createMerchant, newClient } from './merchants';
import { createIndividual, deposit, openWallet } from './people';
import { Transaction, transactionShape } from './resources';

/** One merchant with a known history: five transactions of a customer, and one of its own. */
let merchant: Client;
let merchant_id: string;
let customer_id: string;
let history: Record<string, Transaction>;

beforeAll(async () => {
  const made = await createMerchant();
  merchant_id = made.merchant_id;
  merchant = new Client(testStack().base_url, made.api_key);
  customer_id = (await createIndividual(merchant)).id;
  const usdt = await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' });
  const dollars = await openWallet(merchant, { customer_id, currency: 'USD' });
  const own = await openWallet(merchant, { currency: 'USDC', network: 'erc20' });
  const ownDeposit = await deposit(merchant, own.id, '5');
  const usdtDeposit = await deposit(merchant, usdt.id, '100');
  await deposit(merchant, dollars.id, '40');
  const pair = { customer_id, from_currency: 'USDT', to_currency: 'USD', amount: '10' } as const;
  const quote = await merchant.sdk.quotes.create(pair);
  await merchant.sdk.swaps.execute(pair);
  const bank = { currency: 'USD', account_number: '01230009', bank_code: '1', recipient_name: 'Ada' } as const;
  const payout = await merchant.sdk.payouts.createToBank({ customer_id, ...bank, amount: '7' });
  const [debit, credit] = await merchant.sdk.transactions.listByReference(quote.id);
  history = { payout, credit, debit, usdtDeposit, ownDeposit } as Record<string, Transaction>;
});

const nameOf = ({ id }: Transaction) =>
  Object.entries(history).find(([, known]) => known.id === id)?.[0] ?? 'usdDeposit';
const EVERYTHING = ['payout', 'credit', 'debit', 'usdDeposit', 'usdtDeposit', 'ownDeposit'];
const OF_CUSTOMER = EVERYTHING.slice(0, 5);
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** What both lists filter by. */
const FILTERS: [Record<string, string>, string[]][] = [
  [{}, OF_CUSTOMER],
  [{ status: 'PENDING' }, ['payout']],
  [{ status: 'REVERSED' }, []],
  [{ transaction_type: 'DEPOSIT' }, ['usdDeposit', 'usdtDeposit']],
  [{ transaction_type: 'INTERNAL TRANSFER' }, ['credit', 'debit']],
  [{ transaction_mode: 'DEBIT' }, ['payout', 'debit']],
  [{ currency: 'USDT' }, ['debit', 'usdtDeposit']],
  [{ currency: 'USD', transaction_mode: 'CREDIT', status: 'COMPLETED' }, ['credit', 'usdDeposit']],
  [{ start_date: day(-1), end_date: day(1) }, OF_CUSTOMER],
  [{ start_date: day(-3), end_date: day(-2) }, []],
  [{ start_date: day(2) }, []],
  [{ end_date: day(-2) }, []],
  [{ search: '%' }, []],
  [{ search: '_' }, []],
];

describe('GET /transactions', () => {
  covers('GET /transactions', 'Rules: limits of lists, and their order');

  it('answers with every field of each, newest first, 10 to a page', async () => {
    const { status, body } = await merchant.get<Transaction[]>('/transactions');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'data', 'pagination']);
    expect(body.data.map(nameOf)).toEqual(EVERYTHING);
    expect(body.pagination).toEqual({ total: 6, page: 1, limit: 10, totalPages: 1 });
    const keys = Object.keys(transactionShape({})).sort();
    for (const transaction of body.data) expect(Object.keys(transaction).sort()).toEqual(keys);
  });

  it.each(FILTERS)('filters by %j', async (filter, expected) => {
    expect(await listed('/transactions', { customer_id, ...filter })).toEqual(expected);
  });

  it('finds by identifier: exactly, or a part of it in any case', async () => {
    const { transaction_id, id } = history['payout'] as Transaction;
    expect(await listed('/transactions', { transaction_id })).toEqual(['payout']);
    expect(await listed('/transactions', { transaction_id: transaction_id.slice(1) })).toEqual([]);
    expect(await listed('/transactions', { search: transaction_id.slice(2, 9).toLowerCase() })).toEqual(['payout']);
    expect(await listed('/transactions', { search: id.slice(4).toUpperCase() })).toEqual(['payout']);
  });

  it.each([
    ['page=1&limit=4', EVERYTHING.slice(0, 4)],
    ['page=2&limit=4', EVERYTHING.slice(4)],
    ['page=3&limit=4', []],
    ['limit=100', EVERYTHING],
  ])('pages: %s', async (query, expected) => {
    const { body } = await merchant.get<Transaction[]>(`/transactions?${query}`);
    expect(body.data.map(nameOf)).toEqual(expected);
    const limit = Number(new URLSearchParams(query).get('limit'));
    expect(body.pagination).toMatchObject({ total: 6, limit, totalPages: Math.ceil(6 / limit) });
  });

  it.each([
    ['page=0', { page: 'invalid_page' }],
    ['page=-1', { page: 'invalid_page' }],
    ['page=1.5', { page: 'invalid_page' }],
    ['limit=0', { limit: 'invalid_limit' }],
    ['limit=101', { limit: 'invalid_limit' }],
    ['limit=ten', { limit: 'invalid_limit' }],
    ['status=completed', { status: 'invalid_choice' }],
    ['transaction_type=TRANSFER', { transaction_type: 'invalid_choice' }],
    ['transaction_mode=credit', { transaction_mode: 'invalid_choice' }],
    ['currency=usdt', { currency: 'unsupported_currency' }],
    ['customer_id=1', { customer_id: 'invalid_uuid' }],
    ['start_date=2026-02-31', { start_date: 'invalid_date' }],
    ['start_date=2026-2-1', { start_date: 'invalid_date' }],
    ['start_date=2026-02-02&end_date=2026-02-01', { end_date: 'invalid_date_range' }],
    ['limit=5&limit=6', { limit: 'repeated_parameter' }],
    ['sort=asc', { sort: 'unknown_field' }],
    ['page=0&limit=0', { page: 'invalid_page', limit: 'invalid_limit' }],
  ])('refuses %s', async (query, expected) => {
    expect(await fieldErrorsOf(merchant.get(`/transactions?${query}`))).toEqual(expected);
  });
});

describe('GET /customers/transactions/by_customer_id/{customer_id}', () => {
  covers('GET /customers/transactions/by_customer_id/{customer_id}');

  const path = () => `/customers/transactions/by_customer_id/${customer_id}`;

  it('names the merchant in each, 20 to a page', async () => {
    const { body } = await merchant.get<Transaction[]>(path());
    expect(body.data.map(nameOf)).toEqual(OF_CUSTOMER);
    expect(body.pagination).toEqual({ total: 5, page: 1, limit: 20, totalPages: 1 });
    const shape = { ...transactionShape({}), merchant_id };
    for (const transaction of body.data) {
      expect(Object.keys(transaction).sort()).toEqual(Object.keys(shape).sort());
      expect(transaction).toMatchObject({ merchant_id, customer_id });
    }
  });

  it.each(FILTERS)('filters by %j', async (filter, expected) => {
    expect(await listed(path(), filter)).toEqual(expected);
  });

  it('takes any text as currency', async () => {
    expect(await listed(path(), { currency: 'DOGE' })).toEqual([]);
    expect(await listed(path(), { currency: 'usdt' })).toEqual(['debit', 'usdtDeposit']);
  });

  it.each([
    ['transaction_id=ABCDEFGHIJ', { transaction_id: 'unknown_field' }],
    ['limit=101', { limit: 'invalid_limit' }],
    ['start_date=2026-02-02&end_date=2026-02-01', { end_date: 'invalid_date_range' }],
  ])('refuses %s', async (query, expected) => {
    expect(await fieldErrorsOf(merchant.get(`${path()}?${query}`))).toEqual(expected);
  });
});

describe('look-ups', () => {
  covers(
    'GET /customers/transactions/by_txid/{transaction_id}',
    'GET /customers/transactions/by_ref_id/{reference_id}',
  );

  it('by transaction identifier give one', async () => {
    const { transaction_id, id } = history['usdtDeposit'] as Transaction;
    const { body } = await merchant.get(`/customers/transactions/by_txid/${transaction_id}`);
    expect(body).toEqual({ status: 'success', data: expect.objectContaining({ id, status: 'COMPLETED' }) as unknown });
  });

  it('by reference give all that share it', async () => {
    const { reference_id } = history['debit'] as Transaction;
    const { body } = await merchant.get<Transaction[]>(`/customers/transactions/by_ref_id/${reference_id}`);
    expect([Object.keys(body), body.data.map(nameOf)]).toEqual([
      ['status', 'data'],
      ['debit', 'credit'],
    ]);
  });

  it.each(['by_txid/ZZZZZZZZZZ', 'by_txid/short', `by_ref_id/${randomUUID()}`, `by_customer_id/${randomUUID()}`])(
    'find nothing for %s',
    async (path) => {
      await refusalOf(merchant.get(`/customers/transactions/${path}`), 404, 'not_found');
    },
  );

  it('and lists show another merchant nothing', async () => {
    const otherMerchant = await newClient();
    const { transaction_id } = history['payout'] as Transaction;
    expect(await dataOf(otherMerchant.get(`/transactions?transaction_id=${transaction_id}`))).toEqual([]);
    expect(await dataOf(otherMerchant.get(`/transactions?search=${transaction_id}`))).toEqual([]);
  });
});

async function listed(path: string, query: Record<string, string>): Promise<string[]> {
  const transactions = await dataOf(merchant.get<Transaction[]>(`${path}?${new URLSearchParams(query).toString()}`));
  return transactions.map(nameOf);
}
