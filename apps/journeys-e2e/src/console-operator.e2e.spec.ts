/** What the operator's people see at the console, on the whole stack: each role what it may, and nothing personal that it may not. */
import { randomUUID } from 'node:crypto';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual } from './people';
import type { Transaction } from './resources';

/** Written nowhere but in what is personal; each in a field of its own. */
const PLANTED = {
  first_name: 'Plantedname',
  email: `planted-${randomUUID()}@example.com`,
  recipient: 'Planted Recipient',
  account: '9876501234',
  description: 'For Planted of Description',
  reference: 'Planted reference of a sender',
};
const ROLES = ['support', 'operations', 'compliance', 'auditor'];
const SEES_NOTHING_PERSONAL = ['support', 'operations', 'auditor'];
const MEMBER_ROLES = ['viewer', 'developer', 'payer', 'approver', 'admin'];

interface Answer<Data> {
  code?: string;
  data: Data;
}

let own: OwnStack;
let merchantId: string;
let otherId: string;
let walletId: string;
let payout: Transaction;
let theirs: Transaction;
const people = new Map<string, ConsoleSession>();
const as = (role: string): ConsoleSession => people.get(role) as ConsoleSession;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const [created, another] = [await createMerchant([], own.description), await createMerchant([], own.description)];
  [merchantId, otherId] = [created.merchant_id, another.merchant_id];
  await plant(new Client(own.description.base_url, created.api_key));
  theirs = await deposited(new Client(own.description.base_url, another.api_key));
  for (const role of ROLES) people.set(role, await ConsoleSession.of(role, undefined, own.description));
  for (const role of MEMBER_ROLES) people.set(role, await ConsoleSession.of(role, merchantId, own.description));
}, 500_000);
afterAll(() => own?.stop(), 90_000);

async function plant(merchant: Client): Promise<void> {
  const { first_name, email, description, reference } = PLANTED;
  const { id: customer_id } = await createIndividual(merchant, { first_name, email });
  const wallet = { customer_id, currency: 'USD', description };
  walletId = (await dataOf(merchant.post<{ id: string }>('/wallets', wallet))).id;
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '5000', reference }));
  const bank = { account_number: PLANTED.account, bank_code: '011', recipient_name: PLANTED.recipient };
  const asked = { customer_id, currency: 'USD', amount: '20', ...bank };
  payout = await dataOf(merchant.post<Transaction>('/payouts/banks', asked));
}

async function deposited(merchant: Client): Promise<Transaction> {
  const wallet = await dataOf(merchant.post<{ id: string }>('/wallets', { currency: 'USD' }));
  return dataOf(merchant.post<Transaction>('/sandbox/deposits', { wallet_id: wallet.id, amount: '5' }));
}

const read = async <Data>(role: string, path: string) => {
  const { status, text } = await as(role).get(path);
  expect([path, status]).toEqual([path, 200]);
  return (JSON.parse(text) as Answer<Data>).data;
};
const ofMerchant = (id = merchantId) =>
  [
    ...['transactions', 'transactions?limit=5&status=COMPLETED', `transactions/${payout.id}`, 'transactions.csv'],
    ...[`transactions/${payout.transaction_id}/events`, 'wallets', `wallets/${walletId}`],
    ...[`wallets/${walletId}/statement`],
  ].map((path) => `/merchants/${id}/${path}`);

describe.each(ROLES)('%s', (role) => {
  it('finds a merchant, and reads its transactions and wallets', async () => {
    const [found] = await read<{ merchant_id: string; name: string }[]>(role, `/merchants?search=${merchantId}`);
    expect(found).toMatchObject({ merchant_id: merchantId, mode: 'test', status: 'active' });
    expect(
      (await read<unknown[]>(role, `/merchants?search=${(found?.name ?? '').slice(1, 6)}`)).length,
    ).toBeGreaterThan(0);
    for (const path of ofMerchant()) expect([path, (await as(role).get(path)).status]).toEqual([path, 200]);
    const ids = (await read<Transaction[]>(role, `/merchants/${merchantId}/transactions`)).map(({ id }) => id);
    expect(ids).toContain(payout.id);
    expect(ids).not.toContain(theirs.id);
  });

  it("does not find another merchant's below it, nor below a merchant that is none", async () => {
    for (const path of [`transactions/${theirs.id}`, `transactions/${theirs.transaction_id}/proof`])
      expect((await as(role).get(`/merchants/${merchantId}/${path}`)).status).toBe(404);
    for (const path of ofMerchant(randomUUID())) expect((await as(role).get(path)).status).toBe(404);
  });

  it('changes nothing of a merchant, and is no member of it', async () => {
    for (const path of ['/webhooks', `/payouts/${payout.id}/reject`, `/merchants/${merchantId}/webhooks`])
      expect([403, 404]).toContain((await as(role).post<object>(path, {})).status);
    for (const path of ['/members', '/approvals', '/webhooks', '/live'])
      expect([path, (await as(role).get(path)).status]).toEqual([path, 403]);
  });
});

describe('what is personal', () => {
  const everything = () => ['/merchants', `/merchants/${merchantId}`, ...ofMerchant()];

  it.each(SEES_NOTHING_PERSONAL)('is in no answer to %s, whatever is asked', async (role) => {
    for (const path of everything()) {
      const { text } = await as(role).get(path);
      for (const planted of Object.values(PLANTED)) expect([path, text.includes(planted)]).toEqual([path, false]);
    }
  });

  it('is shown to compliance as far as it is of transactions and wallets', async () => {
    const bodies = await Promise.all(everything().map(async (path) => (await as('compliance').get(path)).text));
    const { recipient, account, description, reference } = PLANTED;
    for (const planted of [recipient, account, description, reference]) expect(bodies.join('\n')).toContain(planted);
  });
});

it.each(MEMBER_ROLES)("a merchant's %s is refused each of it, without a word of what is there", async (role) => {
  const paths = [merchantId, otherId, randomUUID(), 'none'].flatMap((id) => [`/merchants/${id}`, ...ofMerchant(id)]);
  for (const path of ['/merchants', ...paths]) {
    const { status, text } = await as(role).get(path);
    const { code, ...rest } = JSON.parse(text) as Record<string, unknown>;
    expect([path, status, code]).toEqual([path, 403, 'not_allowed']);
    expect(Object.keys(rest).sort()).toEqual(['message', 'request_id', 'status']);
  }
  const { status, text } = await as(role).get(`/transactions/${theirs.id}`);
  expect([status, text.includes(theirs.transaction_id)]).toEqual([404, false]);
});

it('each look at a merchant is on the record, once for a person, merchant and session', async () => {
  const database = new Database({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ role: string; merchant_id: string; looks: number }>(
    `SELECT role, details->>'merchant_id' AS merchant_id, count(*)::int AS looks FROM acts JOIN members ON members.id = member_id
     WHERE action = 'merchant-looked-at' GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  await database.end();
  expect(rows).toEqual([...ROLES].sort().map((role) => ({ role, merchant_id: merchantId, looks: 1 })));
});
