/** Payouts and swaps that people order: by a passkey over all of their terms, on the whole stack. */
import { eventually } from '@stablecoin/testing/eventually';
import type { SoftwareDevice } from '@stablecoin/testing/software-device';
import { Client as Database } from 'pg';
import { auditJson } from './audit-command';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import type { Transaction } from './resources';

interface Shown {
  code?: string;
  order: string;
  hash: string;
  options: { challenge: string };
  terms: { amount: string; fee: string | null; command_id: string };
  preview: {
    amount: string;
    fee: string | null;
    waiting_for: string | null;
    bank_account: string | null;
    address: string | null;
  };
}
interface Done {
  code?: string;
  data?: Transaction & { swap_id?: string; debit?: Transaction; credit?: Transaction };
}
interface Person {
  session: ConsoleSession;
  device: SoftwareDevice;
}

const ACCOUNT = '0123456789';
const ROUTES = ['/payouts/banks/options', '/payouts/wallets/options', '/payouts', '/swaps/options', '/swaps'];

let own: OwnStack;
let merchant: Client;
let merchantId: string;
let walletId: string;
let payer: Person;
let admin: Person;
let approver: Person;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const fee = ['--payout-fee-flat', '0.5', '--payout-fee-basis-points', '10'];
  const created = await createMerchant(fee, own.description);
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  await setPolicy(merchantId, POLICY, own.description);
  const [usd, , usdt] = [await openWallet('USD'), await openWallet('NGN'), await openWallet('USDT', 'trc20')];
  walletId = usd;
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: usd, amount: '50000' }));
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: usdt, amount: '100', network: 'trc20' }));
  [payer, admin, approver] = [await personWho('payer'), await personWho('admin'), await personWho('approver')];
}, 500_000);
afterAll(() => own?.stop(), 90_000);

const POLICY = {
  limits: [
    { currency: 'USD', per: 'merchant', within: 'day', amount: '20000' },
    { currency: 'USDT', per: 'merchant', within: 'day', amount: '50' },
  ],
  new_destination_wait_seconds: 0,
  approval: {
    ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
    ...{ approvers: 1, expires_after_seconds: 3_600 },
  },
};

async function openWallet(currency: string, network?: string): Promise<string> {
  return (await dataOf(merchant.post<{ id: string }>('/wallets', { currency, ...(network && { network }) }))).id;
}

const sessionOf = (role: string) => ConsoleSession.of(role, merchantId, own.description);
async function personWho(role: string): Promise<Person> {
  const session = await sessionOf(role);
  return { session, device: await session.addPasskey() };
}

const toBank = (amount: string) => ({
  ...{ currency: 'USD', amount, account_number: ACCOUNT, bank_code: '011', bank_name: 'First Bank' },
  recipient_name: 'Chidi Okafor',
});
const preview = async ({ session }: Person, body: object, to = '/payouts/banks/options') =>
  (await session.post<Shown>(to, body)).body;
const send = ({ session }: Person, order: string, response: object, to = '/payouts') =>
  session.post<Done>(to, { order, response });
const sign = (person: Person, { order, options }: Shown, to = '/payouts') =>
  send(person, order, person.device.shows(options), to);
/** As the console does: has it shown, has the device sign it, and sends that. */
const pay = async (person: Person, amount: string) => sign(person, await preview(person, toBank(amount)));

async function approve({ session, device }: Person, { transaction_id }: Transaction) {
  const path = `/payouts/${transaction_id}/approve`;
  const [{ body }, shown] = [await session.post<Shown>(`${path}/options`, {}), await payoutAt(transaction_id)];
  if (shown.approval_hash === null) throw new Error('it waits for no approval');
  return session.post<Done>(path, { approval_hash: shown.approval_hash, response: device.shows(body.options) });
}

const payoutAt = (transactionId: string) =>
  dataOf(
    merchant.get<Transaction & { approval_hash: string | null }>(`/customers/transactions/by_txid/${transactionId}`),
  );
const balance = async () => (await dataOf(merchant.get<{ balance: string }>(`/wallets/${walletId}`))).balance;
const payouts = () => dataOf(merchant.get<Transaction[]>('/transactions?transaction_type=PAYOUT&limit=100'));

async function logged(text: string): Promise<string[]> {
  const database = new Database({ connectionString: own.description.owner_databases.ledger });
  await database.connect();
  try {
    const { rows } = await database.query<{ body: string }>(
      'SELECT body FROM ledger_events WHERE body LIKE $1 ORDER BY position',
      [`%${text}%`],
    );
    return rows.map(({ body }) => body);
  } finally {
    await database.end();
  }
}

async function expectIntact() {
  const { code, report } = await auditJson<{ ok: boolean }>(own.description, 'verify');
  expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
}

describe('a payer', () => {
  it('is shown what leaves, signs that, and it is sent', async () => {
    const before = await balance();
    const shown = await preview(payer, toBank('50'));
    expect(shown.preview).toMatchObject({ amount: '50.00000000', fee: '0.55000000', bank_account: ACCOUNT });
    expect(shown.terms).toMatchObject({ type: 'payout-order', amount: '50.00000000', fee: '0.55000000' });
    expect(Buffer.from(shown.hash, 'hex').toString('base64url')).toBe(shown.options.challenge);
    expect(await balance()).toBe(before);
    const { status, body } = await sign(payer, shown);
    expect(status).toBe(201);
    const { transaction_id = '' } = body.data ?? {};
    await eventually('it has arrived', async () => (await payoutAt(transaction_id)).status === 'COMPLETED');
    const [opening = ''] = await logged(shown.terms.command_id);
    expect(opening).not.toContain(ACCOUNT);
    const { asked_by } = JSON.parse(opening) as { asked_by: { service: string; evidence: string } };
    expect(asked_by.service).toBe('backoffice');
    expect(JSON.parse(asked_by.evidence)).toMatchObject({ ...shown.terms, client_data: expect.any(String) as string });
    await expectIntact();
  });

  it('whose payout is large waits for another person, who approves it by a passkey', async () => {
    const shown = await preview(payer, toBank('700'));
    expect(shown.preview.waiting_for).toBe('approval');
    const { body } = await sign(payer, shown);
    const payout = body.data as Transaction;
    expect(payout).toMatchObject({ status: 'PENDING', waiting_for: 'approval' });
    expect(await approve(approver, payout)).toMatchObject({ status: 200, body: { data: { waiting_for: null } } });
    const { transaction_id } = payout;
    await eventually('it has arrived', async () => (await payoutAt(transaction_id)).status === 'COMPLETED');
    await expectIntact();
  });

  it('pays to an address', async () => {
    const body = { currency: 'USDT', amount: '25', network: 'trc20', address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL' };
    const shown = await preview(payer, body, '/payouts/wallets/options');
    expect(shown.preview).toMatchObject({ amount: '25.00000000', address: body.address });
    const { transaction_id = '' } = (await sign(payer, shown)).body.data ?? {};
    await eventually('it has arrived', async () => (await payoutAt(transaction_id)).status === 'COMPLETED');
    await expectIntact();
  });
});

describe('a person', () => {
  it('does not approve what the same person has ordered, whatever the role', async () => {
    const { body } = await pay(admin, '700');
    const payout = body.data as Transaction;
    expect(await approve(admin, payout)).toMatchObject({ status: 403, body: { code: 'approver_not_allowed' } });
    expect((await payoutAt(payout.transaction_id)).status).toBe('PENDING');
  });

  it('who sends the same order again has made one payout', async () => {
    const shown = await preview(payer, toBank('61'));
    const response = payer.device.shows(shown.options);
    const twice = await Promise.all([send(payer, shown.order, response), send(payer, shown.order, response)]);
    const [first] = twice.filter(({ status }) => status === 201);
    const again = await sign(payer, shown);
    expect(again.body.data?.transaction_id).toBe(first?.body.data?.transaction_id);
    const data = await payouts();
    expect(data.filter(({ amount }) => amount === '61.00000000')).toHaveLength(1);
  });

  it('is shown nothing that would be refused', async () => {
    expect(await payer.session.post<Shown>(ROUTES[0] ?? '', toBank('20001'))).toMatchObject({
      ...{ status: 422, body: { code: 'limit_exceeded' } },
    });
    const unlisted = { ...toBank('1'), currency: 'NGN' };
    expect((await payer.session.post<Shown>(ROUTES[0] ?? '', unlisted)).body.code).toBe('limit_exceeded');
    expect(await payer.session.post<Shown>(ROUTES[0] ?? '', { ...toBank('1'), dry_run: true })).toMatchObject({
      ...{ status: 400, body: { code: 'validation_failed' } },
    });
  });
});

describe('an order is refused', () => {
  it('with the signature of another amount, and with that of another destination', async () => {
    const signed = await preview(payer, toBank('10'));
    for (const another of [toBank('90'), { ...toBank('10'), account_number: '9876543210' }]) {
      const { order } = await preview(payer, another);
      expect(await send(payer, order, payer.device.shows(signed.options))).toMatchObject({
        ...{ status: 403, body: { code: 'passkey_refused' } },
      });
    }
  });

  it('where its text was changed, and where another person was shown it', async () => {
    const { order, options } = await preview(payer, toBank('10'));
    const changed = `${order.slice(0, -2)}${order.endsWith('AA') ? 'BB' : 'AA'}`;
    const refused = { status: 400, body: { code: 'validation_failed' } };
    expect(await send(payer, changed, payer.device.shows(options))).toMatchObject(refused);
    expect(await send(admin, order, admin.device.shows(options))).toMatchObject(refused);
    expect(await send(payer, order, payer.device.shows(options), '/swaps')).toMatchObject(refused);
  });

  it("by another person's passkey, and by a device that did not see its person", async () => {
    const { order, options } = await preview(payer, toBank('10'));
    for (const response of [admin.device.shows(options), payer.device.shows(options, { unverified: true })])
      expect(await send(payer, order, response)).toMatchObject({ status: 403, body: { code: 'passkey_refused' } });
  });

  it('of a person without a passkey', async () => {
    const session = await sessionOf('payer');
    expect(await session.post<Shown>('/payouts/banks/options', toBank('10'))).toMatchObject({
      ...{ status: 409, body: { code: 'no_passkey_yet' } },
    });
  });

  it.each(['viewer', 'developer', 'approver'])('of a %s', async (role) => {
    const session = await sessionOf(role);
    for (const route of ROUTES)
      expect(await session.post<Shown>(route, {})).toMatchObject({ status: 403, body: { code: 'not_allowed' } });
  });

  afterAll(async () => {
    const data = await payouts();
    expect(data.filter(({ amount }) => ['10.00000000', '90.00000000'].includes(amount))).toEqual([]);
  });
});

describe('a swap', () => {
  const swap = { from_currency: 'USD', to_currency: 'NGN', amount: '40' };
  const quoted = async (body = swap) => (await payer.session.post<Shown>('/swaps/options', body)).body;

  it('is of the amounts and the price that the person has signed, once', async () => {
    const shown = await quoted();
    expect(shown.terms).toMatchObject({ type: 'swap-order', from_amount: '40.00000000' });
    const { status, body } = await sign(payer, shown, '/swaps');
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ debit: { amount: '40.00000000' }, credit: { asset_code: 'NGN' } });
    const again = await sign(payer, shown, '/swaps');
    expect(again.body.data?.debit?.transaction_id).toBe(body.data?.debit?.transaction_id);
    const [opening = ''] = await logged(`"requested_by":{`);
    const { asked_by } = JSON.parse(opening) as { asked_by: { service: string; requested_by: { evidence: string } } };
    expect(asked_by.service).toBe('swap-pricing');
    expect(JSON.parse(asked_by.requested_by.evidence)).toMatchObject(shown.terms);
    await expectIntact();
  });

  it('is refused with the signature of another one', async () => {
    const [signed, another] = [await quoted(), await quoted({ ...swap, amount: '400' })];
    expect(await send(payer, another.order, payer.device.shows(signed.options), '/swaps')).toMatchObject({
      ...{ status: 403, body: { code: 'passkey_refused' } },
    });
  });
});
