import { eventually } from '@stablecoin/testing/eventually';
import { individual } from '@stablecoin/testing/person';
import { Client, dataOf, fieldErrorsOf } from './client';
import { covers } from './covers';
import { documentedRoutes } from './interface-document';
import { newClient } from './merchants';
import { ADDRESSES, business, createBusiness, createIndividual, deposit, openWallet } from './people';
import { Customer, InnerEnvelope, PayoutMethod, Transaction, Wallet } from './resources';
import type { Section } from './sections';
import { HELD_DEPOSIT, waitingPayout } from './writes';

const PAIR = { from_currency: 'USDT', to_currency: 'NGN' };
const BANK = { account_number: '01230009', bank_code: '011' };
const CHAIN = { currency: 'USDT', address: ADDRESSES.trc20, network: 'trc20' };
const METHOD = { currency: 'USDT', wallet_address: ADDRESSES.trc20, network: 'trc20' };

let merchant: Client;
let person: Customer;
let firm: Customer;
let usdt: Wallet;

beforeAll(async () => {
  merchant = await newClient();
  person = await createIndividual(merchant);
  firm = await createBusiness(merchant);
  usdt = await openWallet(merchant, { currency: 'USDT', network: 'trc20' }, '1000');
  await openWallet(merchant, { currency: 'NGN' });
});

const quote = async (amount: string) =>
  (await dataOf(merchant.post<InnerEnvelope>('/instant-swaps', { ...PAIR, amount }))).data.id;
const held = () =>
  dataOf(merchant.post<Transaction>('/payouts/banks', { currency: 'USDT', amount: '1', ...BANK, recipient_name: 'A' }));
const payout = async () => (await held()).id;
const method = async () => (await dataOf(merchant.post<PayoutMethod>('/payout/methods/wallets', METHOD))).id;
/** A closed port: a delivery fails at once. */
const HOOK = { url: 'http://127.0.0.1:9/', events: ['payout.reversed'] };
const webhook = async () => (await dataOf(merchant.post<{ id: string }>('/webhooks', HOOK))).id;
const event = async () => (await dataOf(merchant.get<{ id: string }[]>('/events?limit=1')))[0]?.id;
const newEvent = async (own: Client) => {
  await createIndividual(own);
  const [latest] = await dataOf(own.get<{ id: string }[]>('/events?limit=1'));
  return latest as { id: string };
};
/** Once the next checkpoint has been signed. */
async function proven(): Promise<string> {
  const path = `/audit/proofs/${(await held()).transaction_id}`;
  await eventually('the proof is there', async () => (await merchant.get(path)).status === 200, { timeoutMs: 30_000 });
  return path;
}
/** Once the next statement of liabilities has been signed. */
async function counted(): Promise<string> {
  const path = `/audit/liabilities/${usdt.id}`;
  await eventually('the statement is there', async () => (await merchant.get(path)).status === 200, {
    timeoutMs: 30_000,
  });
  return path;
}
async function consistency(): Promise<string> {
  await proven();
  const [newest] = await dataOf(merchant.get<{ size: number }[]>('/audit/checkpoints'));
  return `/audit/consistency?from=${newest?.size}&to=${newest?.size}`;
}
const arriving = async () => {
  const body = { wallet_id: usdt.id, amount: '1', reference: HELD_DEPOSIT };
  return (await dataOf(merchant.post<Transaction>('/sandbox/deposits', body))).id;
};
const completed = async () => {
  const id = await payout();
  await dataOf(merchant.post(`/sandbox/payouts/${id}/complete`));
  return id;
};

/** The success of each route: its HTTP status, the fields beside `data`, and its message. */
const DATA = ['status', 'data'];
const PAGE = [...DATA, 'pagination'];
const SAID = [...DATA, 'message'];
/** By another client than the merchant's first key, where it says so. */
type Asked = [path: string, body?: unknown, by?: Client];
const ROUTES: [Section, number, string[], string | undefined, () => Asked | Promise<Asked>][] = [
  ['GET /transactions', 200, PAGE, undefined, () => ['/transactions']],
  [
    'GET /customers/transactions/by_customer_id/{customer_id}',
    200,
    PAGE,
    undefined,
    () => [`/customers/transactions/by_customer_id/${person.id}`],
  ],
  [
    'GET /customers/transactions/by_txid/{transaction_id}',
    200,
    DATA,
    undefined,
    async () => [`/customers/transactions/by_txid/${(await held()).transaction_id}`],
  ],
  [
    'GET /customers/transactions/by_ref_id/{reference_id}',
    200,
    DATA,
    undefined,
    async () => [`/customers/transactions/by_ref_id/${(await held()).reference_id}`],
  ],
  ['GET /customers', 200, PAGE, undefined, () => ['/customers']],
  ['GET /customers/{customerId}', 200, DATA, undefined, () => [`/customers/${person.id}`]],
  ['POST /individual-customers', 201, DATA, undefined, () => ['/individual-customers', individual()]],
  ['PUT /individual-customers/{customerId}', 200, DATA, undefined, () => [`/individual-customers/${person.id}`, {}]],
  ['POST /business-customers', 201, DATA, undefined, () => ['/business-customers', business()]],
  ['PUT /business-customers/{customerId}', 200, DATA, undefined, () => [`/business-customers/${firm.id}`, {}]],
  [
    'POST /customers/{customerId}/close',
    200,
    DATA,
    undefined,
    async () => [`/customers/${(await createIndividual(merchant)).id}/close`],
  ],
  ['POST /wallets', 200, DATA, undefined, () => ['/wallets', { currency: 'GBP' }]],
  ['GET /wallets', 200, PAGE, undefined, () => ['/wallets']],
  ['GET /wallets/{wallet_id}', 200, DATA, undefined, () => [`/wallets/${usdt.id}`]],
  ['GET /asset-codes', 200, DATA, undefined, () => ['/asset-codes']],
  ['POST /instant-swaps', 200, DATA, undefined, () => ['/instant-swaps', { ...PAIR, amount: '1' }]],
  [
    'POST /swaps/{swapId}/refresh',
    200,
    DATA,
    undefined,
    async () => [`/swaps/${await quote('2')}/refresh`, { ...PAIR, from_amount: '2' }],
  ],
  [
    'POST /swaps',
    200,
    SAID,
    'Swap initiated successfully',
    async () => ['/swaps', { ...PAIR, amount: '3', quote_id: await quote('3') }],
  ],
  ['GET /swaps/{swapId}', 200, DATA, undefined, async () => [`/swaps/${await quote('4')}`]],
  [
    'POST /payouts/banks',
    200,
    DATA,
    undefined,
    () => ['/payouts/banks', { currency: 'USDT', amount: '1', ...BANK, recipient_name: 'Ada' }],
  ],
  ['POST /payouts/wallets', 200, DATA, undefined, () => ['/payouts/wallets', { ...CHAIN, amount: 1 }]],
  [
    'GET /payout/methods',
    200,
    [...PAGE, 'message'],
    'Payout methods retrieved successfully',
    () => ['/payout/methods'],
  ],
  [
    'POST /payout/methods/wallets',
    200,
    SAID,
    'Wallet payout method added successfully',
    () => ['/payout/methods/wallets', METHOD],
  ],
  [
    'POST /payout/methods/banks',
    200,
    SAID,
    'Bank payout method added successfully',
    () => ['/payout/methods/banks', { currency: 'NGN', ...BANK }],
  ],
  [
    'DELETE /payout/methods/{payout_method_id}',
    200,
    ['status', 'message'],
    'Merchant payout method deleted successfully',
    async () => [`/payout/methods/${await method()}`],
  ],
  ['POST /webhooks', 200, DATA, undefined, () => ['/webhooks', HOOK]],
  ['GET /webhooks', 200, PAGE, undefined, () => ['/webhooks']],
  ['GET /webhooks/{webhook_id}', 200, DATA, undefined, async () => [`/webhooks/${await webhook()}`]],
  ['PUT /webhooks/{webhook_id}', 200, DATA, undefined, async () => [`/webhooks/${await webhook()}`, HOOK]],
  [
    'DELETE /webhooks/{webhook_id}',
    200,
    ['status', 'message'],
    'Webhook deleted successfully',
    async () => [`/webhooks/${await webhook()}`],
  ],
  [
    'POST /webhooks/{webhook_id}/rotate-secret',
    200,
    DATA,
    undefined,
    async () => [`/webhooks/${await webhook()}/rotate-secret`],
  ],
  ['POST /webhooks/{webhook_id}/test', 200, DATA, undefined, async () => [`/webhooks/${await webhook()}/test`]],
  ['GET /events', 200, PAGE, undefined, () => ['/events']],
  ['GET /events/{event_id}', 200, DATA, undefined, async () => [`/events/${await event()}`]],
  ['POST /events/{event_id}/resend', 200, DATA, undefined, async () => [`/events/${await event()}/resend`]],
  [
    'GET /audit/balances',
    200,
    DATA,
    undefined,
    () => [`/audit/balances?wallet_id=${usdt.id}&as_of=${usdt.created_at}`],
  ],
  [
    'GET /audit/transactions/{transaction_id}',
    200,
    DATA,
    undefined,
    async () => [`/audit/transactions/${(await held()).transaction_id}`],
  ],
  ['GET /audit/proofs/{transaction_id}', 200, DATA, undefined, async () => [await proven()]],
  ['GET /audit/liabilities/{wallet_id}', 200, DATA, undefined, async () => [await counted()]],
  ['GET /audit/checkpoints', 200, PAGE, undefined, () => ['/audit/checkpoints']],
  ['GET /audit/consistency', 200, DATA, undefined, async () => [await consistency()]],
  ['POST /sandbox/deposits', 200, DATA, undefined, () => ['/sandbox/deposits', { wallet_id: usdt.id, amount: '1' }]],
  [
    'POST /sandbox/deposits/{id}/complete',
    200,
    DATA,
    undefined,
    async () => [`/sandbox/deposits/${await arriving()}/complete`],
  ],
  [
    'POST /sandbox/deposits/{id}/fail',
    200,
    DATA,
    undefined,
    async () => [`/sandbox/deposits/${await arriving()}/fail`],
  ],
  [
    'POST /sandbox/deposits/{id}/reverse',
    200,
    DATA,
    undefined,
    async () => [`/sandbox/deposits/${(await deposit(merchant, usdt.id, '1')).id}/reverse`],
  ],
  [
    'POST /payouts/{transaction_id}/approve',
    200,
    DATA,
    undefined,
    async () => {
      const { payout: asked, approver } = await waitingPayout();
      return [`/payouts/${asked.id}/approve`, { approval_hash: asked.approval_hash }, approver];
    },
  ],
  [
    'POST /payouts/{transaction_id}/reject',
    200,
    DATA,
    undefined,
    async () => {
      const { payout: asked, approver } = await waitingPayout();
      return [`/payouts/${asked.id}/reject`, undefined, approver];
    },
  ],
  ['GET /policy', 200, DATA, undefined, () => ['/policy']],
  [
    'POST /sandbox/payouts/{id}/complete',
    200,
    DATA,
    undefined,
    async () => [`/sandbox/payouts/${await payout()}/complete`],
  ],
  ['POST /sandbox/payouts/{id}/fail', 200, DATA, undefined, async () => [`/sandbox/payouts/${await payout()}/fail`]],
  [
    'POST /sandbox/payouts/{id}/return',
    200,
    DATA,
    undefined,
    async () => [`/sandbox/payouts/${await completed()}/return`],
  ],
];

describe('a success', () => {
  covers('Rules: HTTP status of a success', 'Resource: envelope and pagination');
  covers('GET /audit/balances', 'GET /audit/transactions/{transaction_id}', 'GET /audit/proofs/{transaction_id}');
  covers('GET /audit/liabilities/{wallet_id}', 'GET /audit/checkpoints', 'GET /audit/consistency');

  it.each(ROUTES)('of %s: %d with %j and the message %s', async (route, status, keys, message, prepare) => {
    const [path, body, by = merchant] = await prepare();
    const answer = await by.send(route.split(' ')[0] ?? '', path, body);
    expect([answer.status, Object.keys(answer.body).sort()]).toEqual([status, [...keys].sort()]);
    expect([answer.body.status, answer.body.message]).toEqual(['success', message]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('is 201 for the creation of a customer and 200 for everything else', async () => {
    const created = ROUTES.filter(([, status]) => status === 201).map(([route]) => route);
    expect(created).toEqual(['POST /individual-customers', 'POST /business-customers']);
    const documented = documentedRoutes().flatMap(({ route, takesForm }) => (takesForm ? [] : [route]));
    const tested = ROUTES.map(([route]) => route);
    expect(documented.filter((route) => !tested.includes(route))).toEqual([]);
  });
});

/** Every list: its default limit, and whether its pagination has more than four fields. */
const LISTS: [string, number, () => string, boolean?][] = [
  ['GET /transactions', 10, () => '/transactions'],
  [
    'GET /customers/transactions/by_customer_id/{customer_id}',
    20,
    () => `/customers/transactions/by_customer_id/${person.id}`,
  ],
  ['GET /customers', 20, () => '/customers'],
  ['GET /wallets', 20, () => '/wallets'],
  ['GET /payout/methods', 20, () => '/payout/methods', true],
  ['GET /webhooks', 20, () => '/webhooks'],
  ['GET /events', 20, () => '/events'],
  ['GET /audit/checkpoints', 20, () => '/audit/checkpoints'],
];

describe.each(LISTS)('the list %s', (_route, defaultLimit, path, hasMore = false) => {
  covers('Rules: limits of lists, and their order', 'Resource: envelope and pagination');

  it(`has ${defaultLimit} to a page unless a limit is given`, async () => {
    const { body } = await merchant.get(path());
    expect(body.pagination).toMatchObject({ page: 1, limit: defaultLimit });
    const names = ['total', 'page', 'limit', 'totalPages', ...(hasMore ? ['hasNextPage', 'hasPreviousPage'] : [])];
    expect(Object.keys(body.pagination ?? {}).sort()).toEqual(names.sort());
  });

  it.each(['limit=1', 'limit=100', 'page=1', 'page=999999999', 'page=2&limit=1'])('takes %s', async (query) => {
    const { status, body } = await merchant.get<unknown[]>(`${path()}?${query}`);
    const { page = '1', limit = String(defaultLimit) } = Object.fromEntries(new URLSearchParams(query));
    expect([status, body.pagination]).toMatchObject([200, { page: Number(page), limit: Number(limit) }]);
    const { total } = body.pagination as { total: number };
    expect(body.pagination?.['totalPages']).toBe(Math.ceil(total / Number(limit)));
    expect(body.data).toHaveLength(Math.max(0, Math.min(Number(limit), total - (Number(page) - 1) * Number(limit))));
  });

  it.each([
    ...['0', '-1', '1.5', 'one', '01', '1e2', '', ' 1', '1000000000'].map((value) => ['page', value, 'invalid_page']),
    ...['0', '-1', '1.5', 'ten', '010', '101', '', '1e1'].map((value) => ['limit', value, 'invalid_limit']),
    ['sort', 'asc', 'unknown_field'],
    ['__proto__', 'x', 'unknown_field'],
  ])('refuses %s=%s', async (name, value, code) => {
    const query = new URLSearchParams({ [name]: value }).toString();
    expect(await fieldErrorsOf(merchant.get(`${path()}?${query}`))).toEqual({ [name]: code });
  });

  it('refuses a parameter that is given twice', async () => {
    expect(await fieldErrorsOf(merchant.get(`${path()}?page=1&page=1&limit=5&limit=6`))).toEqual({
      page: 'repeated_parameter',
      limit: 'repeated_parameter',
    });
  });
});

describe('a list', () => {
  covers('Rules: limits of lists, and their order');

  it.each<[string, (own: Client) => Promise<{ id: string }>]>([
    ['/customers', (own) => createIndividual(own)],
    [
      '/wallets',
      async (own) => openWallet(own, { currency: (['USD', 'EUR', 'GBP', 'CAD'] as const)[made++ % 4] ?? 'USD' }),
    ],
    ['/payout/methods', (own) => dataOf(own.post<PayoutMethod>('/payout/methods/wallets', METHOD))],
    ['/webhooks', (own) => dataOf(own.post<{ id: string }>('/webhooks', HOOK))],
    ['/events', (own) => newEvent(own)],
  ])('%s comes newest first, page after page', async (path, make) => {
    const own = await newClient();
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.unshift((await make(own)).id);
    const pages = [1, 2].map((page) => dataOf(own.get<{ id: string }[]>(`${path}?limit=3&page=${page}`)));
    const [first = [], second = []] = await Promise.all(pages);
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
    expect(second).toHaveLength(1);
  });

  it.each([
    [
      '/customers',
      { status: 'ACTIVE', customer_type: 'person' },
      { status: 'invalid_choice', customer_type: 'invalid_choice' },
    ],
    [
      '/wallets',
      { currency: 'usd', customer_id: '1' },
      { currency: 'unsupported_currency', customer_id: 'invalid_uuid' },
    ],
    ['/asset-codes', { asset_type: 'fiat' }, { asset_type: 'invalid_choice' }],
    ['/events', { type: 'payout.pending' }, { type: 'invalid_choice' }],
    [
      '/payout/methods',
      { type: 'bank', currency: 'DOGE', customer_id: 'x' },
      { type: 'invalid_choice', currency: 'unsupported_currency', customer_id: 'invalid_uuid' },
    ],
    [
      '/transactions',
      { status: '', transaction_type: 'deposit', currency: 'BTC', start_date: 'today' },
      {
        status: 'invalid_choice',
        transaction_type: 'invalid_choice',
        currency: 'unsupported_currency',
        start_date: 'invalid_date',
      },
    ],
  ])('%s refuses %j, all of it at once', async (path, query, expected) => {
    const text = new URLSearchParams(query as Record<string, string>).toString();
    expect(await fieldErrorsOf(merchant.get(`${path}?${text}`))).toEqual(expected);
  });
});

let made = 0;
