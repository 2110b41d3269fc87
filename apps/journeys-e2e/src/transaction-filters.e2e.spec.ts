import { eventually } from '@stablecoin/testing/eventually';
import { Client, dataOf } from './client';
import { covers } from './covers';
import { newClient } from './merchants';
import { createIndividual, openWallet } from './people';
import { Transaction } from './resources';

/**
 * Every two filters together, with every value of each: what comes must be what the filters, applied here to all that
 * there is, leave over. The history has every status, type, mode and several currencies, of two customers and the merchant.
 */
let merchant: Client;
let customers: string[];
let all: Transaction[];

beforeAll(async () => {
  merchant = await newClient();
  customers = [(await createIndividual(merchant)).id, (await createIndividual(merchant)).id];
  const bank = { account_number: '0123456789', bank_code: '1' };
  for (const customer_id of [...customers, undefined]) {
    await openWallet(merchant, { customer_id, currency: 'USDC', network: 'erc20' }, '100');
    await openWallet(merchant, { customer_id, currency: 'USDT', network: 'trc20' }, '100');
    await openWallet(merchant, { customer_id, currency: 'USD' });
    for (const from_currency of ['USDC', 'USDT'] as const) {
      const swap = { customer_id, from_currency, to_currency: 'USD', amount: '20' } as const;
      await merchant.sdk.quotes.create(swap);
      await merchant.sdk.swaps.execute(swap);
    }
    const outcomes = ['sandbox:hold', 'sandbox:fail', 'sandbox:return', 'Ada'];
    for (const [index, recipient_name] of outcomes.entries()) {
      const currency = index % 2 ? 'USD' : 'USDT';
      await merchant.sdk.payouts.createToBank({ customer_id, currency, amount: '2', ...bank, recipient_name });
    }
  }
  all = await eventually('every payout has its last status', async () => {
    const { data: found } = await merchant.sdk.transactions.list({ limit: 100 });
    const statuses = found.filter((each) => each.transaction_type === 'PAYOUT').map(({ status }) => status);
    const settled = ['PENDING', 'FAILED', 'REVERSED', 'COMPLETED'].every(
      (status) => statuses.filter((each) => each === status).length === 3,
    );
    return settled && found;
  });
});

type Filter = [value: () => string, matches: (transaction: Transaction, value: string) => boolean];
const equals = (field: keyof Transaction) => (transaction: Transaction, value: string) => transaction[field] === value;
const some = (values: string[], matches: Filter[1]): Filter[] => values.map((value): Filter => [() => value, matches]);
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const isPartOf = ({ id, transaction_id }: Transaction, value: string) =>
  id.includes(value.toLowerCase()) || transaction_id.includes(value.toUpperCase());

const COMMON: Record<string, Filter[]> = {
  search: [
    [() => (all[0] as Transaction).transaction_id.slice(2, 6), isPartOf],
    [() => (all[5] as Transaction).id.toUpperCase(), isPartOf],
    [() => '%', isPartOf],
  ],
  status: some(['PENDING', 'COMPLETED', 'FAILED', 'REVERSED'], equals('status')),
  transaction_type: some(['DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER'], equals('transaction_type')),
  transaction_mode: some(['CREDIT', 'DEBIT'], equals('transaction_mode')),
  currency: some(['USDC', 'USDT', 'USD', 'GBP'], equals('asset_code')),
  start_date: some([day(-1), day(1)], ({ created_at }, value) => created_at.slice(0, 10) >= value),
  end_date: some([day(-1), day(1)], ({ created_at }, value) => created_at.slice(0, 10) <= value),
};
const OF_THE_MERCHANT: Record<string, Filter[]> = {
  ...COMMON,
  customer_id: [
    [() => customers[0] ?? '', equals('customer_id')],
    [() => customers[1] ?? '', equals('customer_id')],
  ],
  transaction_id: [
    [() => (all[3] as Transaction).transaction_id, equals('transaction_id')],
    [() => 'ZZZZZZZZZZ', equals('transaction_id')],
  ],
};

const pairsOf = (filters: Record<string, Filter[]>) => {
  const names = Object.keys(filters);
  return names.flatMap((first, index) => names.slice(index + 1).map((second): [string, string] => [first, second]));
};

async function expectSame(path: string, among: Transaction[], chosen: [string, Filter][]) {
  const query = Object.fromEntries(chosen.map(([name, [value]]) => [name, value()]));
  const isDateRangeUpsideDown = (query['start_date'] ?? '') > (query['end_date'] ?? '9');
  const { status, body } = await merchant.get<Transaction[]>(
    `${path}?${new URLSearchParams({ ...query, limit: '100' }).toString()}`,
  );
  if (isDateRangeUpsideDown) return expect([query, status]).toEqual([query, 400]);
  const expected = among.filter((each) => chosen.every(([, [value, matches]]) => matches(each, value())));
  expect([query, body.data?.map(({ id }) => id)]).toEqual([query, expected.map(({ id }) => id)]);
  expect(body.pagination).toMatchObject({ total: expected.length, totalPages: Math.ceil(expected.length / 100) });
}

async function expectEveryPair(path: string, among: Transaction[], filters: Record<string, Filter[]>, pair: string[]) {
  const [first = '', second = ''] = pair;
  for (const one of filters[first] ?? []) {
    for (const other of filters[second] ?? [])
      await expectSame(path, among, [
        [first, one],
        [second, other],
      ]);
  }
}

it('the history has something for each filter to leave over', () => {
  expect(all).toHaveLength(3 * (2 + 4 + 4));
  for (const [name, filters] of Object.entries(OF_THE_MERCHANT)) {
    const some = filters.filter(([value, matches]) => all.some((each) => matches(each, value())));
    expect([name, some.length > 0]).toEqual([name, true]);
  }
});

describe('GET /transactions', () => {
  covers('GET /transactions');

  it.each(pairsOf(OF_THE_MERCHANT))('filters by %s and %s', async (...pair) => {
    await expectEveryPair('/transactions', all, OF_THE_MERCHANT, pair);
  });
});

describe('GET /customers/transactions/by_customer_id/{customer_id}', () => {
  covers('GET /customers/transactions/by_customer_id/{customer_id}');

  it.each(pairsOf(COMMON))('filters by %s and %s', async (...pair) => {
    const among = all.filter(({ customer_id }) => customer_id === customers[1]);
    const path = `/customers/transactions/by_customer_id/${customers[1]}`;
    await expectEveryPair(path, among, COMMON, pair);
  });
});

describe('pages', () => {
  covers('Rules: limits of lists, and their order');

  it('newest first, each transaction on one page, whatever the filter', async () => {
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const query of ['', '&transaction_mode=DEBIT', '&currency=USDT&status=COMPLETED']) {
      const whole = await dataOf(merchant.get<Transaction[]>(`/transactions?limit=100${query}`));
      const pages = [];
      for (let page = 1; page <= Math.ceil(whole.length / 4); page += 1) {
        pages.push(...(await dataOf(merchant.get<Transaction[]>(`/transactions?limit=4&page=${page}${query}`))));
      }
      expect(pages).toEqual(whole);
    }
  });
});
