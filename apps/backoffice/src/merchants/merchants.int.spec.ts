/** What the operator's people read of merchants: which one stands in the path, for them and for no member. */
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { getMerchant } from '@stablecoin/contracts/customer/get-merchant';
import { listMerchants } from '@stablecoin/contracts/customer/list-merchants';
import { MerchantView } from '@stablecoin/contracts/customer/merchant-view';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { MERCHANT_ROLES, OPERATOR_ROLES } from '@stablecoin/people-store/roles';
import { type OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import type { NatsConnection } from 'nats';
import { newMerchant, RunningBackoffice } from '../testing/running-backoffice';

const MARINA: MerchantView = {
  ...{ merchant_id: randomUUID(), name: 'Marina Traders', mode: 'live', status: 'active', shard: 3 },
  ...{ created_at: '2026-01-31T09:30:00.000Z', valid_keys: 1, last_used_at: null },
};
const PATHS = [
  ...['transactions', 'transactions.csv', 'transactions/AAAAAAAAAA', 'transactions/AAAAAAAAAA/events'],
  ...['transactions/AAAAAAAAAA/proof', 'wallets', `wallets/${randomUUID()}`, `wallets/${randomUUID()}/statement`],
];
const UNKNOWN = randomUUID();

let broker: OwnNats;
let backoffice: RunningBackoffice;
let connection: NatsConnection;
/** Of which merchant the ledger was asked, in order. */
const asked: string[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  broker = await startOwnNats();
  backoffice = await RunningBackoffice.start({ NATS_URL: broker.url });
  connection = await connectToBus(broker.url, 'services', false);
  const codec = new SealedCodec(backoffice.busKey);
  const customer = new BusServer(connection, codec, 'customer');
  customer.serve(listMerchants, ({ page, limit }) => Promise.resolve({ items: [MARINA], total: 1, page, limit }));
  customer.serve(getMerchant, ({ merchant_id }) =>
    merchant_id === MARINA.merchant_id ? Promise.resolve(MARINA) : Promise.reject(new Refusal('not_found')),
  );
  const ledger = new BusServer(connection, codec, 'wallet-ledger');
  const empty = ({ merchant_id, page, limit }: { merchant_id: string; page: number; limit: number }) => {
    asked.push(merchant_id);
    return Promise.resolve({ items: [], total: 0, page, limit });
  };
  ledger.serve(listTransactions, empty);
  ledger.serve(listWallets, empty);
  customer.listen(() => undefined);
  ledger.listen(() => undefined);
  await connection.flush();
});
beforeEach(() => void asked.splice(0));
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
  await broker?.stop();
});

const at = (path: string, merchantId = MARINA.merchant_id) => `/api/merchants/${merchantId}/${path}`;
const looksOf = (memberId: string) =>
  backoffice.rows<{ details: object }>(
    `SELECT details FROM acts WHERE action = 'merchant-looked-at' AND member_id = $1 ORDER BY number`,
    [memberId],
  );

describe.each(OPERATOR_ROLES)('one of the operator who is %s', (role) => {
  it('lists merchants, and reads what is of the one that the path names', async () => {
    const { browser } = await backoffice.member(role, null);
    expect(await browser.get('/api/merchants')).toMatchObject({ status: 200, body: { data: [MARINA] } });
    expect(await browser.get(`/api/merchants/${MARINA.merchant_id}`)).toMatchObject({ body: { data: MARINA } });
    for (const path of ['transactions', 'wallets', 'transactions.csv'])
      expect(await browser.get(at(path))).toMatchObject({ status: 200 });
    expect(asked).toEqual([MARINA.merchant_id, MARINA.merchant_id, MARINA.merchant_id]);
  });

  it('is told of a merchant that is none like of a text that is no id, and the ledger is not asked', async () => {
    const { browser, memberId } = await backoffice.member(role, null);
    for (const path of PATHS)
      for (const merchantId of [UNKNOWN, 'none', '%20', "'"])
        expect(await browser.get(at(path, merchantId))).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(asked).toEqual([]);
    expect(await looksOf(memberId)).toEqual([]);
  });

  it('has no merchant without naming one', async () => {
    const { browser } = await backoffice.member(role, null);
    for (const path of PATHS)
      expect(await browser.get(`/api/${path}`)).toMatchObject({ status: 403, body: { code: 'no_merchant' } });
    for (const query of [`?merchant_id=${MARINA.merchant_id}`, ''])
      expect(await browser.get(`/api/transactions${query}`)).toMatchObject({ status: 403 });
    expect(asked).toEqual([]);
  });
});

describe.each(MERCHANT_ROLES)('a member who is %s', (role) => {
  it("is refused each route that names a merchant, the own one's too, whatever the id", async () => {
    const merchant = newMerchant();
    const { browser } = await backoffice.member(role, merchant);
    const before = asked.length;
    const ids = [MARINA.merchant_id, merchant.merchant_id, UNKNOWN, 'none'];
    for (const path of ['', ...PATHS.map((each) => `/${each}`)])
      for (const id of ids)
        expect(await browser.get(`/api/merchants/${id}${path}`)).toMatchObject({
          ...{ status: 403, body: { code: 'not_allowed' } },
        });
    expect(await browser.get('/api/merchants')).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
    expect(asked).toHaveLength(before);
  });

  it("reads the own merchant's, whatever other one is given", async () => {
    const merchant = newMerchant();
    const { browser } = await backoffice.member(role, merchant);
    expect(await browser.get('/api/transactions')).toMatchObject({ status: 200 });
    await browser.get('/api/transactions', { 'x-merchant-id': MARINA.merchant_id });
    expect(await browser.get(`/api/transactions?merchant_id=${MARINA.merchant_id}`)).toMatchObject({ status: 400 });
    expect(asked).toEqual([merchant.merchant_id, merchant.merchant_id]);
  });
});

it('a look at a merchant is on the record once for each session, before anything is shown', async () => {
  const { browser, memberId } = await backoffice.member('support', null);
  for (const path of ['transactions', 'wallets', 'transactions']) await browser.get(at(path));
  expect(await looksOf(memberId)).toEqual([
    { details: { merchant_id: MARINA.merchant_id, session_id: expect.any(String) as unknown } },
  ]);
  const other = await backoffice.member('support', null);
  await backoffice.rows('ALTER TABLE acts ADD CONSTRAINT none CHECK (false) NOT VALID');
  try {
    asked.splice(0);
    expect((await other.browser.get(at('transactions'))).status).toBe(500);
    expect(asked).toEqual([]);
  } finally {
    await backoffice.rows('ALTER TABLE acts DROP CONSTRAINT none');
  }
  expect((await other.browser.get(at('transactions'))).status).toBe(200);
  expect(await looksOf(other.memberId)).toHaveLength(1);
});

it('an export is on the record with whose transactions they are', async () => {
  const { browser, memberId } = await backoffice.member('auditor', null);
  await browser.get(`${at('transactions.csv')}?status=FAILED`);
  const [act] = await backoffice.rows(
    `SELECT details FROM acts WHERE action = 'transactions-exported' AND member_id = $1`,
    [memberId],
  );
  expect(act).toEqual({ details: { status: 'FAILED', merchant_id: MARINA.merchant_id } });
});
