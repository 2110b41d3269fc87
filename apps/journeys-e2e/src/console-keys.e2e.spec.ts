/** A merchant's keys at the console: what its people make works at the gateway, and ends there when they say so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { addKey, createMerchant, operatorOf, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import { openWallet } from './people';
import type { Transaction } from './resources';

interface Key {
  id: string;
  name: string | null;
  scopes: string[];
  api_key: string;
  revoked_at: string | null;
}
interface Answer<Data> {
  code?: string;
  data: Data;
}
/** The time in which a gateway that hears of it refuses a key, and what a busy machine takes beside. */
const BITES_WITHIN_MS = 250;
const MACHINE_MS = 750;

let own: OwnStack;
let merchantId: string;
let admin: ConsoleSession;
let made: Key;
const shown: string[] = [];

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0' });
  merchantId = (await createMerchant([], own.description)).merchant_id;
  admin = await sessionOf('admin');
  expect(await create('Shop', ['read'])).toMatchObject({ status: 409, body: { code: 'no_passkey_yet' } });
  await admin.stepUp(await admin.addPasskey());
  const { status, body } = await create('Shop', ['read', 'write', 'payout']);
  expect(status).toBe(201);
  made = body.data;
}, 500_000);
afterAll(() => own?.stop(), 90_000);

const sessionOf = (role: string) => ConsoleSession.of(role, merchantId, own.description);
const create = async (name: string, scopes: string[], fields: object = {}) => {
  const answer = await admin.post<Answer<Key>>('/keys', { name, scopes, ...fields });
  if (answer.status === 201) shown.push(answer.body.data.api_key);
  return answer;
};
const rotate = async (id: string, grace_hours: number) => {
  const answer = await admin.post<Answer<Key>>(`/keys/${id}/rotate`, { grace_hours });
  if (answer.status === 200) shown.push(answer.body.data.api_key);
  return answer;
};
const statusWith = async (key: string, path = '/wallets') =>
  (await new Client(own.description.base_url, key).get(path)).status;
const listed = async (session = admin) =>
  (JSON.parse((await session.get('/keys')).text) as Answer<{ keys: Key[]; scopes: string[] }>).data;

it('a key that was made works at the gateway, and is listed with its name and without itself', async () => {
  expect(await statusWith(made.api_key)).toBe(200);
  const { keys, scopes } = await listed();
  expect(keys[0]).toMatchObject({ id: made.id, name: 'Shop', scopes: ['read', 'write', 'payout'], revoked_at: null });
  expect(scopes).toEqual(['read', 'write', 'payout']);
  expect((await admin.get('/keys')).text).not.toContain(made.api_key);
  expect((await listed(await sessionOf('developer'))).keys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
});

it('a rotation lets both work for the overlap, and without one refuses the old key at once', async () => {
  const { body: next } = await rotate(made.id, 1);
  expect(next.data).toMatchObject({ replaces: made.id, scopes: made.scopes });
  expect([await statusWith(made.api_key), await statusWith(next.data.api_key)]).toEqual([200, 200]);
  const { body: last } = await rotate(next.data.id, 0);
  await eventually('the old one is refused', async () => (await statusWith(next.data.api_key)) === 401);
  expect(await statusWith(last.data.api_key)).toBe(200);
});

it('a revoked key is refused within a quarter of a second', async () => {
  const { body } = await create('To end', ['read']);
  expect(await statusWith(body.data.api_key)).toBe(200);
  const { status } = await admin.post<Answer<object>>(`/keys/${body.data.id}/revoke`, {});
  const begun = performance.now();
  expect(status).toBe(200);
  await eventually('it is refused', async () => (await statusWith(body.data.api_key)) === 401);
  expect(performance.now() - begun).toBeLessThan(BITES_WITHIN_MS + MACHINE_MS);
  expect((await listed()).keys.find(({ id }) => id === body.data.id)?.revoked_at).not.toBeNull();
});

it('addresses hold: from elsewhere the key is refused', async () => {
  const { body } = await create('Elsewhere', ['read'], { allowed_addresses: ['203.0.113.0/24'] });
  expect(await statusWith(body.data.api_key)).toBe(401);
  const { body: here } = await create('Here', ['read'], { allowed_addresses: ['127.0.0.1', '::1'] });
  expect(await statusWith(here.data.api_key)).toBe(200);
});

it('no key approves, and none is given more than the merchant’s keys may', async () => {
  expect(await create('Approver', ['approve'])).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  const approving = await addKey(merchantId, 'approve', [], own.description);
  expect(await rotate(approving.key_id, 1)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  const reader = await createMerchant(['--scopes', 'read'], own.description);
  const theirs = await ConsoleSession.of('admin', reader.merchant_id, own.description);
  await theirs.stepUp(await theirs.addPasskey());
  const asked = await theirs.post<Answer<Key>>('/keys', { name: 'More', scopes: ['read', 'payout'] });
  expect(asked).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  for (const path of [`/keys/${made.id}/rotate`, `/keys/${made.id}/revoke`]) {
    const body = path.endsWith('rotate') ? { grace_hours: 0 } : {};
    expect(await theirs.post<Answer<object>>(path, body)).toMatchObject({ status: 404 });
  }
});

it('who has made a key approves nothing that it creates', async () => {
  const { body } = await create('Payroll', ['read', 'write', 'payout']);
  const payroll = new Client(own.description.base_url, body.data.api_key);
  await openWallet(payroll, { currency: 'USD' }, '100');
  const policy = {
    limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '1000' }],
    new_destination_wait_seconds: 0,
    approval: {
      ...{ above: [{ currency: 'USD', amount: '1' }], new_destination: false, new_rail: false },
      ...{ approvers: 1, expires_after_seconds: 3_600 },
    },
  };
  await setPolicy(merchantId, policy, own.description);
  const bank = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada' };
  const payout = await dataOf(payroll.post<Transaction>('/payouts/banks', { currency: 'USD', amount: '5', ...bank }));
  const device = await admin.addPasskey();
  const path = `/payouts/${payout.transaction_id}/approve`;
  const { body: asked } = await admin.post<{ options: { challenge: string } }>(`${path}/options`, {});
  const approval_hash = Buffer.from(asked.options.challenge, 'base64url').toString('hex');
  const approved = await admin.post<Answer<object>>(path, { approval_hash, response: device.shows(asked.options) });
  expect(approved).toMatchObject({ status: 403, body: { code: 'approver_not_allowed' } });
});

it.each(['viewer', 'payer', 'approver'])('a %s sees no keys and changes none', async (role) => {
  const session = await sessionOf(role);
  expect(await session.get('/keys')).toMatchObject({ status: 403 });
  await session.stepUp(await session.addPasskey());
  expect(await session.post<Answer<object>>('/keys', { name: 'Mine', scopes: ['read'] })).toMatchObject({
    ...{ status: 403, body: { code: 'not_allowed' } },
  });
});

it('a developer sees them and changes none: a key reads what the role does not show', async () => {
  const developer = await sessionOf('developer');
  await developer.stepUp(await developer.addPasskey());
  for (const [path, body] of [
    ['/keys', { name: 'Mine', scopes: ['read'] }],
    [`/keys/${made.id}/rotate`, { grace_hours: 1 }],
    [`/keys/${made.id}/revoke`, {}],
  ] as const)
    expect(await developer.post<Answer<object>>(path, body)).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    });
});

it('without the passkey seen lately nothing changes', async () => {
  const another = await sessionOf('admin');
  await another.addPasskey();
  for (const [path, body] of [
    ['/keys', { name: 'Mine', scopes: ['read'] }],
    [`/keys/${made.id}/rotate`, { grace_hours: 1 }],
    [`/keys/${made.id}/revoke`, {}],
  ] as const)
    expect(await another.post<Answer<object>>(path, body)).toMatchObject({
      status: 403,
      body: { code: 'step_up_required' },
    });
});

it('each change is on both records with its person, and no key is on a record or in a log', async () => {
  const database = new Database({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ action: string; person_id: string }>(
    `SELECT action, details, person_id FROM acts WHERE action LIKE 'api-key-%' ORDER BY number`,
  );
  await database.end();
  expect(rows.slice(0, 3).map(({ action }) => action)).toEqual([
    'api-key-created',
    'api-key-rotated',
    'api-key-rotated',
  ]);
  const log = await operatorOf(own.description).run(['log', '--json']);
  expect(log).toContain(`person ${rows[0]?.person_id}`);
  const logs = ['backoffice', 'customer'].map((name) =>
    readFileSync(join(own.description.data_dir, 'logs', `${name}.log`), 'utf8'),
  );
  expect(shown.length).toBeGreaterThan(5);
  for (const key of shown) expect([...logs, log, JSON.stringify(rows)].some((text) => text.includes(key))).toBe(false);
});
