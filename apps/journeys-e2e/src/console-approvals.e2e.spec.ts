/** Payouts that people decide: by a passkey over the hash of what would be sent, on the whole stack. */
import { eventually } from '@stablecoin/testing/eventually';
import type { SoftwareDevice } from '@stablecoin/testing/software-device';
import { Client as Database } from 'pg';
import { auditJson } from './audit-command';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { addKey, createMerchant, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { createIndividual } from './people';
import type { Transaction } from './resources';

type Payout = Transaction & { approval_hash: string; approvals: { api_key_id: string }[] | null };
interface Answer {
  code?: string;
  data?: Payout;
  options?: { challenge: string };
}
interface Person {
  session: ConsoleSession;
  device: SoftwareDevice;
}

const REASON = 'Planted reason to reject';

let own: OwnStack;
let merchant: Client;
let other: Client;
let customerId: string;
let merchantId: string;
let walletId: string;
let ada: Person;
let bola: Person;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const [created, another] = [await createMerchant([], own.description), await createMerchant([], own.description)];
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  other = new Client(own.description.base_url, another.api_key);
  await setPolicy(merchantId, policyWith(2), own.description);
  await setPolicy(another.merchant_id, policyWith(1), own.description);
  customerId = (await createIndividual(merchant)).id;
  const wallet = await dataOf(merchant.post<{ id: string }>('/wallets', { customer_id: customerId, currency: 'USD' }));
  walletId = wallet.id;
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount: '50000' }));
  [ada, bola] = [await personWho('approver'), await personWho('admin')];
}, 500_000);
afterAll(() => own?.stop(), 90_000);

const policyWith = (approvers: number) => ({
  limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000' }],
  new_destination_wait_seconds: 0,
  approval: {
    ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
    ...{ approvers, expires_after_seconds: 3_600 },
  },
});

const sessionOf = (role: string) => ConsoleSession.of(role, merchantId, own.description);

async function personWho(role: string): Promise<Person> {
  const session = await sessionOf(role);
  const device = await session.addPasskey();
  await session.stepUp(device);
  return { session, device };
}

const payOut = (by = merchant, customer_id = customerId) =>
  dataOf(
    by.post<Payout>('/payouts/banks', {
      ...{ customer_id, currency: 'USD', amount: '700' },
      ...{ account_number: '0123456789', bank_code: '011', recipient_name: 'Chidi Okafor' },
    }),
  );
const shown = ({ transaction_id }: Payout, by = merchant) =>
  dataOf(by.get<Payout>(`/customers/transactions/by_txid/${transaction_id}`));
const balance = async () => (await dataOf(merchant.get<{ balance: string }>(`/wallets/${walletId}`))).balance;

/** As the owner of a database sees it. */
async function rowsOf<Row extends object>(name: 'backoffice' | 'ledger', statement: string, values: unknown[] = []) {
  const database = new Database({ connectionString: own.description.owner_databases[name] });
  await database.connect();
  try {
    return (await database.query<Row>(statement, values)).rows;
  } finally {
    await database.end();
  }
}

const optionsFor = ({ session }: Person, { transaction_id }: Payout) =>
  session.post<Answer>(`/payouts/${transaction_id}/approve/options`, {});
const send = ({ session }: Person, { transaction_id }: Payout, approval_hash: string, response: object) =>
  session.post<Answer>(`/payouts/${transaction_id}/approve`, { approval_hash, response });

/** As the console does: asks what to sign, has the device sign it, and sends that. */
async function approve(person: Person, payout: Payout) {
  const { status, body } = await optionsFor(person, payout);
  if (!body.options) return { status, body };
  return send(person, payout, payout.approval_hash, person.device.shows(body.options));
}

const rejectionOf = ({ session }: Person, { transaction_id }: Payout) =>
  session.post<Answer>(`/payouts/${transaction_id}/reject`, { reason: REASON });

describe('two people', () => {
  it('approve a payout by their passkeys; it arrives, and the log proves it', async () => {
    const payout = await payOut();
    const first = await approve(ada, payout);
    expect(first).toMatchObject({ status: 200, body: { data: { status: 'PENDING', waiting_for: 'approval' } } });
    expect(first.body.data?.approvals).toHaveLength(1);
    expect(await approve(bola, payout)).toMatchObject({ status: 200, body: { data: { waiting_for: null } } });
    await eventually('the payout has arrived', async () => (await shown(payout)).status === 'COMPLETED');
    const asked = await rowsOf<{ body: string }>(
      'ledger',
      `SELECT body FROM ledger_events WHERE transaction = $1 AND body LIKE '%"PayoutApproved"%' ORDER BY position`,
      [payout.id],
    );
    expect(asked.map(({ body }) => (JSON.parse(body) as { asked_by?: { service: string } }).asked_by?.service)).toEqual(
      [...['backoffice', 'backoffice']],
    );
    const { code, report } = await auditJson<{ ok: boolean }>(own.description, 'verify');
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
  });

  it('approve as a person and as a key; the same person sent again is one approval', async () => {
    const payout = await payOut();
    const [first, again] = [await approve(ada, payout), await approve(ada, payout)];
    expect(again).toEqual(first);
    expect((await shown(payout)).approvals).toHaveLength(1);
    const { client } = await addKey(merchantId, 'approve', [], own.description);
    const { approval_hash } = payout;
    await dataOf(client.post(`/payouts/${payout.transaction_id}/approve`, { approval_hash }));
    await eventually('the payout has arrived', async () => (await shown(payout)).status === 'COMPLETED');
  });
});

describe('an approval is refused', () => {
  let payout: Payout;
  let another: Payout;
  beforeAll(async () => {
    [payout, another] = [await payOut(), await payOut()];
  });

  it('that signed another payout, whatever hash goes with it', async () => {
    const { body } = await optionsFor(ada, another);
    const response = ada.device.shows(body.options as { challenge: string });
    expect(await send(ada, payout, payout.approval_hash, response)).toMatchObject({
      ...{ status: 403, body: { code: 'passkey_refused' } },
    });
    expect(await send(ada, payout, another.approval_hash, response)).toMatchObject({
      body: { code: 'approval_mismatch' },
    });
  });

  it("by another person's passkey, and by a device that did not see its person", async () => {
    const { body } = await optionsFor(ada, payout);
    const challenge = body.options as { challenge: string };
    for (const response of [bola.device.shows(challenge), ada.device.shows(challenge, { unverified: true })])
      expect(await send(ada, payout, payout.approval_hash, response)).toMatchObject({
        ...{ status: 403, body: { code: 'passkey_refused' } },
      });
  });

  it('that is sent once more, from a device that counts', async () => {
    const replayed = await payOut();
    const { body } = await optionsFor(ada, replayed);
    const response = ada.device.shows(body.options as { challenge: string });
    expect((await send(ada, replayed, replayed.approval_hash, response)).status).toBe(200);
    expect(await send(ada, replayed, replayed.approval_hash, response)).toMatchObject({
      body: { code: 'passkey_refused' },
    });
    expect((await shown(replayed)).approvals).toHaveLength(1);
  });

  it('of a payout that does not wait, and of one that is not there', async () => {
    const { id } = await createIndividual(other);
    const wallet = await dataOf(other.post<{ id: string }>('/wallets', { customer_id: id, currency: 'USD' }));
    await dataOf(other.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '5000' }));
    const ofAnother = await payOut(other, id);
    expect(await approve(ada, ofAnother)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await rejectionOf(await personWho('approver'), ofAnother)).toMatchObject({ status: 404 });
    expect((await shown(ofAnother, other)).status).toBe('PENDING');
    const ended = await payOut();
    await approve(ada, ended);
    await approve(bola, ended);
    expect(await optionsFor(ada, ended)).toMatchObject({ body: { code: 'invalid_transition' } });
  });

  it.each(['viewer', 'developer', 'payer'])('of a %s', async (role) => {
    const session = await sessionOf(role);
    for (const path of ['approve/options', 'approve', 'reject'])
      expect(await session.post<Answer>(`/payouts/${payout.transaction_id}/${path}`, {})).toMatchObject({
        ...{ status: 403, body: { code: 'not_allowed' } },
      });
  });

  it('of a person who has joined after the payout was asked for', async () => {
    expect(await approve(await personWho('approver'), payout)).toMatchObject({
      ...{ status: 403, body: { code: 'joined_later' } },
    });
  });

  it('and a rejection, of a person without a passkey', async () => {
    const session = await sessionOf('approver');
    expect(await session.post<Answer>(`/payouts/${payout.transaction_id}/reject`, { reason: REASON })).toMatchObject({
      status: 409,
      body: { code: 'no_passkey_yet' },
    });
    expect(await session.post<Answer>(`/payouts/${payout.transaction_id}/approve/options`, {})).toMatchObject({
      ...{ status: 409, body: { code: 'no_passkey_yet' } },
    });
  });

  afterAll(async () => {
    for (const one of [payout, another]) expect((await shown(one)).approvals).toEqual([]);
  });
});

describe('a person who rejects', () => {
  it('gives the money back, with a reason that is on the record and in no database in clear', async () => {
    const before = await balance();
    const payout = await payOut();
    expect(await balance()).not.toBe(before);
    expect(await rejectionOf(ada, payout)).toMatchObject({ status: 200, body: { data: { status: 'FAILED' } } });
    expect(await balance()).toBe(before);
    const rows = await rowsOf<{ details: { sealed_reason: string } }>(
      'backoffice',
      `SELECT details FROM acts WHERE action = 'payout-rejected' AND details->>'transaction_id' = $1`,
      [payout.transaction_id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.details.sealed_reason).toMatch(/^v\d\./);
    expect(JSON.stringify(rows)).not.toContain(REASON);
  });

  it('shows the passkey first, when it was not seen lately', async () => {
    const payout = await payOut();
    const person = await personWho('approver');
    await rowsOf('backoffice', 'UPDATE sessions SET stepped_up_until = now() WHERE stepped_up_until IS NOT NULL');
    expect(await rejectionOf(person, payout)).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
    expect((await shown(payout)).status).toBe('PENDING');
  });
});
