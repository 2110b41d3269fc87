/** Limits and four eyes over HTTP, against the running services. */
import { randomUUID } from 'node:crypto';
import { eventually } from '@stablecoin/testing/eventually';
import { testStack } from '@stablecoin/testing/stack';
import { auditJson } from './audit-command';
import { Client, dataOf, refusalOf } from './client';
import { covers } from './covers';
import { addKey, createMerchant, merchantsCommand, operatorOf, setPolicy } from './merchants';
import { ADDRESSES, balanceOf, openWallet } from './people';
import { Event, Transaction } from './resources';

const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada Obi' };
const OPEN = { currency: 'USD', per: 'merchant', within: 'day', amount: '100000' };
const approval = {
  ...{ above: [{ currency: 'USD', amount: '100' }], new_destination: false, new_rail: false },
  ...{ approvers: 1, expires_after_seconds: 3_600 },
};

let merchantId: string;
let creator: Client;
let approver: Client;
let approverKey: string;
let wallet: string;

beforeEach(async () => {
  const { merchant_id, api_key } = await createMerchant();
  merchantId = merchant_id;
  creator = new Client(testStack().base_url, api_key);
  const added = await addKey(merchantId, 'read,approve');
  approver = added.client;
  approverKey = added.key_id;
  wallet = (await openWallet(creator, { currency: 'USD' }, '1000')).id;
});

type WaitingTransaction = Transaction & { waiting_for: string | null; approval_hash: string | null };

const policy = (more: object) => setPolicy(merchantId, { limits: [OPEN], new_destination_wait_seconds: 0, ...more });
const pay = (amount: string, more: object = {}, by = creator) =>
  dataOf(by.post<WaitingTransaction>('/payouts/banks', { currency: 'USD', amount, ...BANK, ...more }));
const approve = (id: string, approval_hash: string | null, by = approver) =>
  by.post<WaitingTransaction>(`/payouts/${id}/approve`, { approval_hash });
const lookUp = (transaction_id: string) =>
  dataOf(creator.get<WaitingTransaction>(`/customers/transactions/by_txid/${transaction_id}`));
const settled = (transaction_id: string, status: string) =>
  eventually(`the payout is ${status}`, async () => (await lookUp(transaction_id)).status === status);

describe('a policy', () => {
  covers('GET /policy');

  it('is what the operator has set, and is not there before', async () => {
    expect(await dataOf(creator.get('/policy'))).toMatchObject({ version: 0, limits: null, approval: null });
    await policy({ approval });
    expect(await dataOf(creator.get('/policy'))).toMatchObject({
      version: 1,
      limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000.00000000', count: null }],
      approval: { above: [{ currency: 'USD', amount: '100.00000000' }], approvers: 1 },
    });
    const shown = await operatorOf().run(['policies', 'show', '--merchant', merchantId]);
    expect(shown).toContain('a journey');
    const acts = await operatorOf().run(['log', '--limit', '50', '--json']);
    expect(acts).toContain('policies set');
  });

  it('refuses what passes a limit, as a dry run does, and gives back what failed', async () => {
    await policy({ limits: [{ ...OPEN, amount: '100' }] });
    const body = { currency: 'USD', amount: '60', ...BANK, account_number: '0123450001' };
    const { transaction_id } = await dataOf(creator.post<Transaction>('/payouts/banks', body));
    await refusalOf(creator.post('/payouts/banks', { ...body, dry_run: true }), 422, 'limit_exceeded');
    await refusalOf(creator.post('/payouts/banks', body), 422, 'limit_exceeded');
    await settled(transaction_id, 'FAILED');
    expect((await pay('100')).waiting_for).toBeNull();
  });

  it('is one address for all EVM networks, and one account however it is written', async () => {
    await openWallet(creator, { currency: 'USDT', network: 'erc20' }, '1000');
    const limit = { ...OPEN, currency: 'USDT', per: 'destination', amount: '10' };
    await policy({ limits: [limit] });
    const to = (network: string, address: string) => ({ currency: 'USDT', amount: '6', network, address });
    await dataOf(creator.post('/payouts/wallets', to('erc20', ADDRESSES.erc20)));
    await refusalOf(creator.post('/payouts/wallets', to('polygon', ADDRESSES.erc20)), 422, 'limit_exceeded');
    await dataOf(creator.post('/payouts/wallets', to('trc20', ADDRESSES.trc20)));
  });

  it('is what a live merchant needs to pay anything out', async () => {
    const live = await createMerchant(['--live']);
    const client = new Client(testStack().base_url, live.api_key);
    // A live merchant meets no sandbox: without a rail it gets no further.
    const answer = await client.post('/payouts/banks', { currency: 'USD', amount: '1', ...BANK });
    expect([answer.status, answer.body.code]).toEqual([422, 'rail_unavailable']);
  });
});

/** Of its events, as they are explained. */
async function movementsOf({ transaction_id }: Transaction): Promise<string[]> {
  const { events } = await dataOf(
    creator.get<{ events: { movement: string }[] }>(`/audit/transactions/${transaction_id}`),
  );
  return [...new Set(events.map(({ movement }) => movement))];
}

describe('a payout that needs an approval', () => {
  covers('POST /payouts/{transaction_id}/approve', 'POST /payouts/{transaction_id}/reject');

  beforeEach(() => policy({ approval }));

  it('waits with its money held, is listed, and is sent once another key has approved it', async () => {
    const tried = await dataOf(
      creator.post<WaitingTransaction>('/payouts/banks', { currency: 'USD', amount: '101', ...BANK, dry_run: true }),
    );
    expect(tried.waiting_for).toBe('approval');
    const payout = await pay('101');
    expect(payout).toMatchObject({ status: 'PENDING', waiting_for: 'approval', approvals_required: 1, approvals: [] });
    expect(await balanceOf(creator, wallet)).toBe('899.00000000');
    const listed = await dataOf(approver.get<Transaction[]>('/transactions?waiting_for=approval'));
    expect(listed.map(({ id }) => id)).toEqual([payout.id]);
    expect(await movementsOf(payout)).toEqual(['payout-waiting']);
    await refusalOf(creator.post(`/sandbox/payouts/${payout.id}/complete`, {}), 409, 'invalid_transition');
    const approved = await dataOf(approve(payout.id, payout.approval_hash));
    expect(approved).toMatchObject({ waiting_for: null, approvals: [{ api_key_id: approverKey }] });
    await settled(payout.transaction_id, 'COMPLETED');
    expect(await movementsOf(payout)).toEqual(['payout-waiting', 'payout-completed']);
    // Events are made beside the ledger, from its facts.
    const ofPayout = await eventually('both events of the payout', async () => {
      const { data: events } = await creator.sdk.events.list({ limit: 20 });
      const found = events.filter((event) => (event as Event).type.startsWith('payout.'));
      return found.length >= 2 && found;
    });
    expect(ofPayout.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['payout.completed', 2],
      ['payout.approval_required', 1],
    ]);
  });

  it('is approved by no one else, over nothing else, and once', async () => {
    const payout = await pay('101');
    await refusalOf(approve(payout.id, payout.approval_hash, creator), 403, 'insufficient_scope');
    const all = (await addKey(merchantId, 'read,write,payout,approve')).client;
    const own = await pay('102', {}, all);
    await refusalOf(approve(own.id, own.approval_hash, all), 403, 'approver_not_allowed');
    await refusalOf(all.post(`/payouts/${own.id}/reject`, {}), 403, 'approver_not_allowed');
    await refusalOf(approve(payout.id, own.approval_hash), 409, 'approval_mismatch');
    const otherMerchant = await createMerchant(['--scopes', 'read,write,payout,approve']);
    const strange = new Client(testStack().base_url, otherMerchant.api_key);
    await refusalOf(approve(payout.id, payout.approval_hash, strange), 404, 'not_found');
    await refusalOf(approve(randomUUID(), payout.approval_hash), 404, 'not_found');
    await dataOf(approve(payout.transaction_id, payout.approval_hash));
    await refusalOf(approve(payout.id, payout.approval_hash), 409, 'invalid_transition');
  });

  it('is not approved by the key that came in the place of its creator’s, nor by another one of the same person', async () => {
    const { client: person, key_id } = await addKey(merchantId, 'payout');
    const payout = await pay('101', {}, person);
    const rotated = JSON.parse(
      await operatorOf().run([
        ...['merchants', 'rotate-key', '--merchant', merchantId, '--key-id', key_id],
        ...['--scopes', 'read,payout,approve'],
      ]),
    ) as { api_key: string };
    const same = await addKey(merchantId, 'read,approve', ['--same-person-as', key_id]);
    for (const client of [new Client(testStack().base_url, rotated.api_key), same.client]) {
      await refusalOf(approve(payout.id, payout.approval_hash, client), 403, 'approver_not_allowed');
    }
    await dataOf(approve(payout.id, payout.approval_hash));
  });

  it('needs as many as the policy says, of different people', async () => {
    await policy({ approval: { ...approval, approvers: 2 } });
    const payout = await pay('101');
    expect((await dataOf(approve(payout.id, payout.approval_hash))).waiting_for).toBe('approval');
    await refusalOf(approve(payout.id, payout.approval_hash), 403, 'approver_not_allowed');
    const second = (await addKey(merchantId, 'read,approve')).client;
    expect((await dataOf(approve(payout.id, payout.approval_hash, second))).waiting_for).toBeNull();
    await settled(payout.transaction_id, 'COMPLETED');
  });

  it('fails when it is rejected: its money is back', async () => {
    const payout = await pay('101');
    expect(await dataOf(approver.post(`/payouts/${payout.id}/reject`, {}))).toMatchObject({
      ...{ status: 'FAILED', waiting_for: null },
    });
    expect(await balanceOf(creator, wallet)).toBe('1000.00000000');
    await refusalOf(approve(payout.id, payout.approval_hash), 409, 'invalid_transition');
  });

  it('fails by itself when its time is over', async () => {
    await policy({ approval: { ...approval, expires_after_seconds: 1 } });
    const payout = await pay('101');
    await settled(payout.transaction_id, 'FAILED');
    expect(await balanceOf(creator, wallet)).toBe('1000.00000000');
  });
});

it('a payout to a new destination is sent when its time has come, and the next one at once', async () => {
  await policy({ new_destination_wait_seconds: 2 });
  const payout = await pay('1');
  expect(payout.waiting_for).toBe('cooling_off');
  await settled(payout.transaction_id, 'COMPLETED');
  expect((await pay('1')).waiting_for).toBeNull();
  await merchantsCommand(['policies', 'show', '--merchant', merchantId]);
});

it('and the log verifies', async () => {
  const { code, report } = await auditJson<{ ok: boolean }>(testStack(), 'verify');
  expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
}, 90_000);
