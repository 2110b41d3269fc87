import type { Schema } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';

type ApiKey = Schema<'ApiKey'>;

const API_KEY = `sk_test_${'Zk4'.repeat(14)}x`;
const KEY: ApiKey = {
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000a1', name: 'Shop', mode: 'test', scopes: ['read', 'write'] },
  ...{ allowed_addresses: ['203.0.113.0/24', '2001:db8::/48'], created_at: '2026-01-20T09:30:00.000Z' },
  ...{ last_used_at: '2026-01-31T09:30:00.000Z', expires_at: null, revoked_at: null },
};
const OF_OPERATOR: ApiKey = {
  ...KEY,
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000a2', name: null, scopes: ['approve'], allowed_addresses: [] },
  last_used_at: null,
};
const ENDED: ApiKey = { ...KEY, id: '0190c6f0-7f5b-7c1e-9d2a-0000000000a3', revoked_at: '2026-01-25T09:30:00.000Z' };

let keys: ApiKey[] = [];
let scopes: Schema<'Scope'>[] = [];
let rotated: Record<string, unknown>[] = [];
const begin = () => {
  [keys, scopes] = [
    [KEY, OF_OPERATOR, ENDED],
    ['read', 'write', 'payout'],
  ];
  rotated = [];
};
beforeEach(begin);

const answers: Answers = {
  'GET /api/keys': () => enveloped({ keys, scopes }),
  'POST /api/keys': ({ body }) => {
    const made = { id: '0190c6f0-7f5b-7c1e-9d2a-0000000000a9', scopes: body['scopes'] as ApiKey['scopes'] };
    const from = body['allowed_addresses'] as string[];
    keys = [{ ...KEY, ...made, name: String(body['name']), allowed_addresses: from }, ...keys];
    return enveloped({ ...made, allowed_addresses: from, api_key: API_KEY });
  },
  'POST /api/keys/:id/rotate': ({ parts: [replaces], body }) => {
    rotated.push({ replaces, ...body });
    return enveloped({ ...KEY, api_key: API_KEY, replaces, replaced_expires_at: '2026-02-01T09:30:00.000Z' });
  },
  'POST /api/keys/:id/revoke': ({ parts: [id] }) => {
    keys = keys.map((key) => (key.id === id ? { ...key, revoked_at: '2026-01-31T10:00:00.000Z' } : key));
    return enveloped({ id, revoked_at: '2026-01-31T10:00:00.000Z' });
  },
};

const KEYS = { path: '/keys', heading: 'API keys' };
const screens: Screen[] = [
  {
    ...{ name: 'keys', ...KEYS },
    act: (page) => page.getByText('One key has ended').click(),
  },
  {
    ...{ name: 'keys-created', ...KEYS },
    act: async (page) => {
      await page.getByLabel('Name, such as').fill('Payroll');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.getByText(API_KEY).waitFor();
    },
  },
  { name: 'keys-none', ...KEYS, prepare: () => ([keys, scopes] = [[ENDED], []]) },
];
const console = consoleInBrowser(screens, answers);

it('what is chosen is what the key is made with, and the key is shown once', async () => {
  const page = await console().open('/keys');
  await page.getByLabel('Name, such as').fill('Payroll');
  await page.getByLabel('payout Pay out').check();
  await page.getByLabel('Addresses').fill('203.0.113.7, 198.51.100.0/24');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText(API_KEY).waitFor();
  await page.getByText('May read, payout · from 203.0.113.7, 198.51.100.0/24').waitFor();
  await page.reload();
  await page.getByText('Payroll').waitFor();
  expect(await page.getByText(API_KEY).count()).toBe(0);
});

it('no key that approves can be made or replaced here, and it says by whom it is', async () => {
  const page = await console().open('/keys');
  await page.getByText('made by your operator alone').waitFor();
  expect(await page.getByRole('checkbox', { name: 'approve' }).count()).toBe(0);
  await page.getByText('Approves payouts: your operator replaces it.').waitFor();
  expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(1);
});

it('a key is replaced with the overlap that was chosen, and ended when asked twice', async () => {
  const page = await console().open('/keys');
  const row = page.getByRole('listitem').filter({ hasText: 'Shop' }).first();
  await row.getByLabel('Both work for').selectOption('0');
  await row.getByRole('button', { name: 'Rotate Shop' }).click();
  await page.getByText(API_KEY).waitFor();
  await page.getByText('This key takes the place of Shop.').waitFor();
  expect(rotated).toEqual([{ replaces: KEY.id, grace_hours: 0 }]);
  await row.getByRole('button', { name: 'Revoke' }).click();
  expect(console().stub.state.asked).not.toContain(`POST /api/keys/${KEY.id}/revoke`);
  await row.getByRole('button', { name: 'Revoke for good?' }).click();
  await page.getByText('2 keys have ended').waitFor();
});

it('both keys work for a day, where nothing else is chosen', async () => {
  const page = await console().open('/keys');
  await page.getByRole('button', { name: 'Rotate Shop' }).click();
  await page.getByText(API_KEY).waitFor();
  expect(rotated).toEqual([{ replaces: KEY.id, grace_hours: 24 }]);
});

it('a key that is shown once stays until it is put away, whatever becomes of its row and of the next one', async () => {
  const page = await console().open('/keys');
  await page.getByRole('button', { name: 'Rotate Shop' }).click();
  const made = page.getByRole('group', { name: 'A new key' });
  await made.getByText(API_KEY).waitFor();
  expect(await made.evaluate((element) => element === document.activeElement)).toBe(true);
  const row = page.getByRole('listitem').filter({ hasText: 'Shop' }).first();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await row.getByRole('button', { name: 'Revoke for good?' }).click();
  await page.getByText('2 keys have ended').waitFor();
  console().refuse('POST /api/keys', 400);
  await page.getByLabel('Name, such as').fill('Payroll');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('It was refused.').waitFor();
  expect(await made.getByText(API_KEY).isVisible()).toBe(true);
  await made.getByRole('button', { name: 'I have kept it' }).click();
  await made.waitFor({ state: 'detached' });
  const heading = page.getByRole('heading', { name: 'API keys' });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('of two acts that were refused the error is of the last one', async () => {
  const page = await console().open('/keys');
  console().refuse(`POST /api/keys/${KEY.id}/rotate`, 409, 'The first was refused.');
  console().refuse(`POST /api/keys/${KEY.id}/revoke`, 409, 'The second was refused.');
  await page.getByRole('button', { name: 'Rotate Shop' }).click();
  await page.getByText('The first was refused.').waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'Shop' }).first();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await row.getByRole('button', { name: 'Revoke for good?' }).click();
  await page.getByText('The second was refused.').waitFor();
  expect(await page.getByRole('alert').allTextContents()).toEqual(['The second was refused.']);
});

it('a developer reads, and is told who changes', async () => {
  console().signedInAs('developer');
  const page = await console().open('/keys');
  await page.getByText('An admin of yours makes and ends keys').waitFor();
  expect(await page.getByRole('button', { name: /Rotate|Revoke|Create/ }).count()).toBe(0);
});

it.each(['viewer', 'payer', 'approver'] as const)('a %s has no such screen', async (role) => {
  console().signedInAs(role);
  const page = await console().open('/keys');
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  expect(console().stub.state.asked).not.toContain('GET /api/keys');
});

it('what the back office refuses says which field', async () => {
  const page = await console().open('/keys');
  console().stub.state.refusals.set('POST /api/keys', {
    ...{ status: 400, code: 'validation_failed', message: 'Some of the request is not valid' },
    ...{ errors: [{ field: 'allowed_addresses', message: 'must be a list of up to 50 addresses' }] },
  });
  await page.getByLabel('Name, such as').fill('Payroll');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('Allowed addresses must be a list of up to 50 addresses.').waitFor();
});

it('the screen is light', () =>
  console().expectLight('/members', (page) => page.getByRole('heading', { name: 'Members' }).waitFor(), [
    async (page) => {
      await page.getByRole('link', { name: 'API keys' }).first().click();
      await page.getByRole('heading', { name: 'API keys' }).waitFor();
    },
  ]));
