/** What people read in the console: what the gateway says to their merchant's key, less what their role may not see. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { PLANTED as EVERYWHERE_PLANTED } from './console-content';
import { ConsoleSession, Shown } from './console-session';
import { createMerchant, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual, openWallet } from './people';
import type { Transaction } from './resources';

const { address: _, ...PLANTED } = EVERYWHERE_PLANTED;
const DEPOSITS = 130;
const SEES_NOTHING_PERSONAL = ['viewer', 'developer'];

let own: OwnStack;
let merchantId: string;
let merchant: Client;
let other: Client;
let customerId: string;
let walletId: string;
let payout: Transaction;
const members = new Map<string, ConsoleSession>();
const as = (role: string): ConsoleSession => members.get(role) as ConsoleSession;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const [created, another] = [await createMerchant([], own.description), await createMerchant([], own.description)];
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  other = new Client(own.description.base_url, another.api_key);
  await plant();
  for (const role of ['viewer', 'developer', 'payer', 'approver', 'admin'])
    members.set(role, await ConsoleSession.of(role, merchantId, own.description));
  members.set('operations', await ConsoleSession.of('operations', undefined, own.description));
}, 500_000);
afterAll(() => own?.stop(), 90_000);

/** Transactions of each kind, with something personal in every place that takes it; one payout waits for an approval. */
async function plant(): Promise<void> {
  const registered_address = {
    street1: PLANTED.street,
    city: 'Lagos',
    state: 'Lagos',
    country: 'NG',
    postal_code: '1',
  };
  const { first_name, last_name, email } = PLANTED;
  customerId = (await createIndividual(merchant, { first_name, last_name, email, registered_address })).id;
  const wallet = await dataOf(
    merchant.post<{ id: string }>('/wallets', {
      customer_id: customerId,
      currency: 'USD',
      description: PLANTED.description,
    }),
  );
  walletId = wallet.id;
  await merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '5000', reference: PLANTED.reference });
  await openWallet(merchant, { currency: 'NGN' }, '10');
  for (let made = 0; made < DEPOSITS; made += 1)
    await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '1' }));
  const bank = { account_number: PLANTED.account, bank_code: '011', recipient_name: PLANTED.recipient };
  const pay = (amount: string) =>
    dataOf(merchant.post<Transaction>('/payouts/banks', { customer_id: customerId, currency: 'USD', amount, ...bank }));
  payout = await pay('20');
  await eventually('the payout is settled', async () => {
    const { status } = await dataOf(
      merchant.get<Transaction>(`/customers/transactions/by_txid/${payout.transaction_id}`),
    );
    return status === 'COMPLETED';
  });
  await setPolicy(
    merchantId,
    {
      limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000' }],
      new_destination_wait_seconds: 0,
      approval: {
        ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
        ...{ approvers: 1, expires_after_seconds: 3_600 },
      },
    },
    own.description,
  );
  await pay('500');
}

const rawOf = async (path: string): Promise<Shown> => {
  const { base_url, api_key: _ } = own.description;
  const response = await fetch(`${base_url}${path}`, { headers: { 'x-api-key': merchant.apiKey ?? '' } });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

/** A path of the gateway, and the console's for the same question. */
const QUESTIONS: [string, () => [string, string]][] = [
  ...[
    '',
    '?limit=7&page=3',
    '?limit=100&page=2',
    '?page=999',
    '?status=COMPLETED&transaction_type=PAYOUT',
    '?transaction_mode=CREDIT&currency=usd&limit=2',
    '?currency=ZZZ',
    '?limit=0&page=x&unknown=1',
    '?status=COMPLETED&status=FAILED',
    '?start_date=2020-01-01&end_date=2019-01-01',
    '?start_date=2020-01-01&end_date=2099-01-01&limit=1',
    '?waiting_for=approval',
    '?search=zz',
    `?customer_id=${randomUUID()}`,
    '?after=0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80',
  ].map((query): [string, () => [string, string]] => [
    `transactions${query}`,
    () => [`/transactions${query}`, `/transactions${query}`],
  ]),
  ["a customer's transactions", () => same(`/transactions?customer_id=${customerId}&limit=50`)],
  ['a part of an id', () => same(`/transactions?search=${payout.transaction_id.slice(2, 7)}`)],
  [
    'a transaction',
    () => [`/customers/transactions/by_txid/${payout.transaction_id}`, `/transactions/${payout.transaction_id}`],
  ],
  [
    'a transaction by its id',
    () => [`/customers/transactions/by_txid/${payout.transaction_id}`, `/transactions/${payout.id}`],
  ],
  ['its events', () => [`/audit/transactions/${payout.transaction_id}`, `/transactions/${payout.id}/events`]],
  ['its proof', () => [`/audit/proofs/${payout.transaction_id}`, `/transactions/${payout.transaction_id}/proof`]],
  ['wallets', () => same('/wallets')],
  ["a customer's wallets", () => same(`/wallets?customer_id=${customerId}`)],
  ['wallets of a customer who is none', () => same(`/wallets?customer_id=${randomUUID()}`)],
  ['a wallet', () => same(`/wallets/${walletId}`)],
  ['what it held', () => [`/audit/balances?wallet_id=${walletId}&as_of=1`, `/wallets/${walletId}/statement?as_of=1`]],
  ['what it holds', () => [`/audit/balances?wallet_id=${walletId}`, `/wallets/${walletId}/statement`]],
  ['customers', () => same('/customers')],
  ['customers by an e-mail address', () => same(`/customers?search=${PLANTED.email}`)],
  ['checkpoints', () => [`/audit/checkpoints?limit=2`, `/checkpoints?limit=2`]],
];
const same = (path: string): [string, string] => [path, path];

/** What differs from request to request. */
const withoutRequest = ({ status, text }: Shown) => [status, text.replace(/"request_id":"[^"]*"/, '')];

describe('an admin', () => {
  it.each(QUESTIONS)('is answered as the merchant is, byte for byte: %s', async (_, paths) => {
    const [ofGateway, ofConsole] = paths();
    // A checkpoint may be signed between the two.
    await eventually('both answers are the same', async () => {
      const [asked, shown] = [await rawOf(ofGateway), await as('admin').get(ofConsole)];
      return JSON.stringify(withoutRequest(asked)) === JSON.stringify(withoutRequest(shown));
    });
  });

  it('has what waits for an approval, with whom it goes to and the hash', async () => {
    const { status, text } = await as('admin').get('/approvals');
    const { data } = JSON.parse(text) as { data: Record<string, unknown>[] };
    expect([status, data.length]).toEqual([200, 1]);
    expect(data[0]).toMatchObject({
      ...{ amount: '500.00000000', asset_code: 'USD', waiting_for: 'approval', bank_account: PLANTED.account },
      ...{
        withdrawal_recipient_name: PLANTED.recipient,
        approval_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      },
    });
  });
});

describe('the export', () => {
  const exported = async (role: string, query = ''): Promise<string[]> => {
    const { status, text, headers } = await as(role).get(`/transactions.csv${query}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(text.endsWith('\r\n')).toBe(true);
    return text.slice(0, -2).split('\r\n');
  };
  const listed = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = JSON.parse((await rawOf(`/transactions?limit=100&page=${page}${query}`)).text) as {
        data: { transaction_id: string }[];
      };
      ids.push(...data.map(({ transaction_id }) => transaction_id));
      if (data.length < 100) return ids;
    }
  };

  it.each(['', '&transaction_mode=CREDIT', '&status=COMPLETED&currency=USD', '&search=a', '&currency=EUR'])(
    'has all that the filter finds, in the order of the list: %j',
    async (filter) => {
      const [header = '', ...rows] = await exported('admin', filter.replace('&', '?'));
      expect(header).toMatch(/^transaction_id,id,created_at,/);
      expect(rows.map((row) => row.split(',', 1)[0])).toEqual(await listed(filter));
    },
  );

  it('takes the filters of the list and no page', async () => {
    const { status, text } = await as('admin').get('/transactions.csv?page=2&status=LOST');
    expect(status).toBe(400);
    expect(text).toContain('"field":"page"');
    expect(text).toContain('"field":"status"');
  });

  it('is on the record, with its filter and who had it', async () => {
    await exported('developer', '?currency=NGN');
    const database = new Database({ connectionString: own.description.owner_databases.backoffice });
    await database.connect();
    const { rows } = await database.query(
      `SELECT details FROM acts JOIN members ON members.id = acts.member_id
       WHERE action = 'transactions-exported' AND role = 'developer' AND acts.merchant_id = $1`,
      [merchantId],
    );
    await database.end();
    expect(rows).toEqual([{ details: { currency: 'NGN' } }]);
  });

  it('has what is personal for who may see it', async () => {
    const text = (await exported('payer')).join('\n');
    for (const planted of [PLANTED.recipient, PLANTED.account]) expect(text).toContain(planted);
  });
});

describe('what is personal', () => {
  const everything = (): string[] => [
    ...QUESTIONS.map(([, paths]) => paths()[1]),
    ...['/transactions.csv', '/approvals', '/members', '/session', `/transactions/${payout.id}/proof`],
  ];

  it('is shown to who may see it', async () => {
    const bodies = await Promise.all(everything().map(async (path) => (await as('approver').get(path)).text));
    for (const planted of Object.values(PLANTED)) expect(bodies.join('\n')).toContain(planted);
  });

  it.each(SEES_NOTHING_PERSONAL)('is in no answer to a %s, whatever is asked', async (role) => {
    for (const path of everything()) {
      const { text, headers } = await as(role).get(path);
      const shown = `${text} ${JSON.stringify([...headers])}`;
      for (const planted of Object.values(PLANTED)) expect([path, shown.includes(planted)]).toEqual([path, false]);
    }
  });

  it.each(SEES_NOTHING_PERSONAL)('is not found by a %s who knows it', async (role) => {
    const { status, text } = await as(role).get(`/customers?search=${PLANTED.email}`);
    expect([status, text]).toEqual([403, expect.stringContaining('"not_allowed"')]);
    expect((await as(role).get(`/customers?search=${customerId}`)).status).toBe(200);
  });

  it('is not in the log of the service', () => {
    const log = readFileSync(join(own.description.data_dir, 'logs', 'backoffice.log'), 'utf8');
    expect(log.length).toBeGreaterThan(100);
    for (const planted of Object.values(PLANTED)) expect(log).not.toContain(planted);
  });
});

describe("another merchant's", () => {
  const paths = (id: string, txid: string, wallet: string) => [
    `/transactions/${id}`,
    `/transactions/${txid}`,
    `/transactions/${txid}/events`,
    `/transactions/${txid}/proof`,
    `/wallets/${wallet}`,
    `/wallets/${wallet}/statement`,
  ];

  it('ids are not found, with the bytes of ids that do not exist', async () => {
    const foreign = await openWallet(other, { currency: 'USD' }, '10');
    const { data } = (await other.get<Transaction[]>('/transactions')).body;
    const [theirs] = data;
    const asked = paths(theirs?.id ?? '', theirs?.transaction_id ?? '', foreign.id);
    const unknown = paths(randomUUID(), 'AAAAAAAAAA', randomUUID());
    for (const [index, path] of asked.entries()) {
      const shown = withoutRequest(await as('admin').get(path));
      expect(shown).toEqual(withoutRequest(await as('admin').get(unknown[index] ?? '')));
      expect(shown[0]).toBe(404);
    }
    expect(JSON.stringify((await as('admin').get('/transactions?limit=100')).text)).not.toContain(theirs?.id);
  });
});

describe('a role that may not', () => {
  it.each(['viewer', 'developer', 'payer'])('%s: sees no approvals', async (role) => {
    const { status, text } = await as(role).get('/approvals');
    expect([status, text]).toEqual([403, expect.stringContaining('"not_allowed"')]);
  });

  it("the operator's people see none by a member's path, and are told why", async () => {
    for (const path of [
      '/transactions',
      '/transactions.csv',
      `/transactions/${payout.id}`,
      '/wallets',
      '/customers',
      '/checkpoints',
    ]) {
      const { status, text } = await as('operations').get(path);
      expect([path, status, text]).toEqual([path, 403, expect.stringContaining('"no_merchant"')]);
    }
  });
});
