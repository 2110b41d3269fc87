/** Every screen in a real browser: what people do there, that it is accessible, and how much it loads. */
import { eventually } from '@stablecoin/testing/eventually';
import type { Locator, Page } from 'playwright-core';
import type { Session } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen, withDevice, withPasskey } from './console-in-browser';
import { OTHER_SIGNER, SIGNER } from './signed-proof';
import type { Assertion, StubBackOffice } from './stub-back-office';
import { APPROVAL_HASH, MEMBERS, PAID, PASSKEYS, SECRET, WAITING, WALLET_ID, WEBHOOK_ID } from './stub-content';

const KEY = SIGNER.publicKey.toString('base64');
const SCREENS: readonly Screen[] = [
  { name: 'sign-in', path: '/sign-in', heading: 'Sign in' },
  { name: 'link-spent', path: '/link#wrong', heading: 'This link does not work' },
  { name: 'transactions', path: '/transactions', heading: 'Transactions' },
  {
    ...{ name: 'transactions-filtered', heading: 'Transactions' },
    path: '/transactions?status=PENDING&currency=NGN&waiting_for=approval&start_date=2026-01-01',
  },
  { name: 'transactions-none', path: '/transactions?search=NOTTHERE', heading: 'No transaction matches' },
  {
    ...{ name: 'transactions-first', path: '/transactions', heading: 'No transactions yet' },
    prepare: () => (stub.state.transactions = []),
  },
  {
    ...{ name: 'transaction', path: '/transactions/K7Q2ZP9X4B', heading: '+250.00 USDC' },
    act: async (page) => {
      await page.getByLabel('Public key of the ledger').fill(KEY);
      await page.getByRole('button', { name: 'Check the proof' }).click();
      await page.getByText('Debits equal credits').waitFor();
    },
  },
  { name: 'transaction-waiting', path: '/transactions/W4ITINGP4Y', heading: '−1,489,550.00 NGN' },
  { name: 'transaction-unknown', path: '/transactions/NOTTHERE00', heading: 'There is no such thing here' },
  { name: 'approvals', path: '/approvals', heading: '1,489,550.00 NGN to Chidi Okafor' },
  {
    ...{ name: 'approvals-none', path: '/approvals', heading: 'Nothing waits for an approval' },
    prepare: () => (stub.state.waiting = []),
  },
  {
    ...{ name: 'approval-rejected', path: '/approvals', heading: 'Approvals' },
    act: (page) => page.getByRole('button', { name: 'Reject…' }).click(),
  },
  { name: 'wallets', path: '/wallets', heading: 'Wallets' },
  {
    ...{ name: 'wallets-first', path: '/wallets', heading: 'No wallets here yet' },
    prepare: () => (stub.state.wallets = []),
  },
  { name: 'wallet', path: `/wallets/${WALLET_ID}`, heading: '1,250.00 USDC' },
  {
    ...{ name: 'webhooks', path: '/webhooks', heading: 'Webhooks' },
    act: (page) => eventOpened(page, '3 attempts'),
  },
  {
    ...{ name: 'webhook-added', path: '/webhooks', heading: 'Webhooks' },
    act: async (page) => {
      await page.getByLabel('URL').fill('https://new.example.com/hooks');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByText(SECRET).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).first().click();
      await page.getByText('its host was not found').waitFor();
    },
  },
  {
    ...{ name: 'webhooks-first', path: '/webhooks', heading: 'No endpoint yet' },
    prepare: () => Object.assign(stub.state, { webhooks: [], events: [] }),
  },
  {
    ...{ name: 'members', path: '/members', heading: 'Members' },
    act: async (page) => {
      await invite(page);
      await page.getByText('Send this link').waitFor();
    },
  },
  {
    name: 'members-refused',
    path: '/members',
    heading: 'Your role does not include this',
    prepare: () => signedInAs('viewer'),
  },
  { name: 'account', path: '/account', heading: 'Your account' },
  { name: 'no-page', path: '/elsewhere', heading: 'There is no such page' },
];

const running = consoleInBrowser(SCREENS);
let stub: StubBackOffice;
beforeAll(() => (stub = running().stub));
const open = (...asked: Parameters<ConsoleInBrowser['open']>) => running().open(...asked);
const refuse = (...asked: Parameters<ConsoleInBrowser['refuse']>) => running().refuse(...asked);
const signedInAs = (...as: Parameters<ConsoleInBrowser['signedInAs']>) => running().signedInAs(...as);

async function eventOpened(page: Page, text: string): Promise<void> {
  await page.getByText('webhook.test').click();
  await page.getByText(text).waitFor();
}

async function invite(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Chi Eze');
  await page.getByLabel('E-mail').fill('chi@example.com');
  await page.locator('select[name=role]').selectOption('approver');
  await page.getByRole('button', { name: 'Invite' }).click();
}

describe('what is loaded', () => {
  it('is at most 200 kB for the first screen and 60 for each next, compressed, and complains of nothing', () =>
    running().expectLight('/transactions', (page) => page.getByText('68 transactions').waitFor(), [
      (page) => page.getByRole('link', { name: '+250.00 USDC' }).first().click(),
      (page) => page.getByRole('button', { name: 'Check the proof' }).click(),
      ...['Approvals', 'Wallets', 'Webhooks', 'Members', 'Your account'].map(
        (name) => (page: Page) => page.getByRole('link', { name }).first().click(),
      ),
    ]));
});

describe('signing in', () => {
  it('is asked of a person without a session, on whatever screen', async () => {
    stub.state.session = null;
    const page = await open('/transactions/K7Q2ZP9X4B');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    expect(stub.state.asked.filter((asked) => asked.includes('/api/transactions'))).toEqual([]);
  });

  it('by a link keeps its secret out of the address and of what is asked', async () => {
    stub.state.session = null;
    const page = await open('/link#right');
    await page.getByRole('heading', { name: 'Transactions' }).waitFor();
    expect(page.url()).not.toContain('right');
    expect(stub.state.asked.join()).not.toContain('right');
    await page.goBack().catch(() => undefined);
    expect(page.url()).not.toContain('right');
  });

  it('by a passkey: the device answers the challenge that the back office gave', async () => {
    const page = await open('/account');
    await withPasskey(page);
    stub.state.session = null;
    await page.goto(`${stub.origin}/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Transactions' }).waitFor();
    expect(stub.state.responses).toHaveLength(2);
  });

  it('by a passkey that is not there says so, and can be tried again', async () => {
    stub.state.session = null;
    const page = await open('/sign-in');
    await withDevice(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'No passkey was given' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true);
  });

  it('by a passkey that was lost is ended on the account', async () => {
    const page = await open('/account');
    const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove Office laptop?' }).click();
    await row.waitFor({ state: 'detached' });
    expect(stub.state.passkeys).toEqual([]);
  });

  it('leads to the account first where there is no passkey yet', async () => {
    stub.state.session = null;
    const page = await open('/link#right-without');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  it('is asked again when the session ends between two screens', async () => {
    const page = await open('/transactions');
    await page.getByRole('table').waitFor();
    stub.state.session = null;
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('ends with signing out, here or everywhere', async () => {
    const page = await open('/account');
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(stub.state.asked).toContain('DELETE /api/sessions');
  });
});

describe('the transactions', () => {
  const rows = (page: Page) => page.locator('.transactions tbody tr');

  it('are filtered by the address, which every filter changes, and gone back through', async () => {
    const page = await open('/transactions');
    await page.getByText('68 transactions').waitFor();
    expect(await rows(page).count()).toBe(20);
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.getByLabel('Currency').selectOption('NGN');
    await page.getByText('11 transactions').waitFor();
    expect(new URL(page.url()).search).toBe('?status=FAILED&currency=NGN');
    expect(stub.state.asked.at(-1)).toBe('GET /api/transactions?status=FAILED&currency=NGN&limit=20');
    await page.goBack();
    await page.getByRole('button', { name: /Status: Failed/ }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('68 transactions').waitFor();
  });

  it('are searched, paged through and opened without a pointer', async () => {
    const page = await open('/transactions');
    await page.getByLabel('Search', { exact: true }).focus();
    await page.keyboard.type('k7q2');
    await page.keyboard.press('Enter');
    await page.getByText('1 transaction', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: '+250.00 USDC' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('show times in the zone of the person or in UTC', async () => {
    const page = await open('/transactions?search=K7Q2ZP9X4B');
    await page.getByText('31 Jan 2026, 10:30').waitFor();
    await page.getByLabel('Times in').first().selectOption('UTC');
    await page.getByText('31 Jan 2026, 09:30').waitFor();
  });

  it('come as CSV, all that the filters find', async () => {
    const page = await open('/transactions?status=FAILED&page=1');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const stream = await (await download).createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(text.trim().split('\r\n')).toHaveLength(12);
  });

  it('that can not be loaded say why, and can be tried again', async () => {
    refuse('GET /api/transactions', 403);
    const page = await open('/transactions');
    await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
    stub.state.refusals.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('68 transactions').waitFor();
  });
});

it('a payout to a bank shows the bank’s reference, once there is one', async () => {
  const page = await open(`/transactions/${PAID.transaction_id}`);
  await page.getByText('BANK-REF-4711').waitFor();
  await page.goto(`${new URL(page.url()).origin}/transactions/${WAITING.transaction_id}`);
  await page.getByText('Payout waits for approval').first().waitFor();
  expect(await page.getByText('Bank’s reference').count()).toBe(0);
});

describe('the proof of a transaction', () => {
  async function check(page: Page, key: string): Promise<void> {
    await page.getByLabel('Public key of the ledger').fill(key);
    await page.getByRole('button', { name: 'Check the proof' }).click();
  }
  const holds = (page: Page) => page.getByText('is signed with your key');
  const refused = (page: Page, why: string) => page.locator('.notice.bad').filter({ hasText: why }).waitFor();

  it('is checked here, against the key that the person trusts, and can be kept', async () => {
    const page = await open('/transactions/K7Q2ZP9X4B');
    await check(page, KEY);
    await holds(page).waitFor();
    await page.getByText('Amount, currency and status are those shown').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Keep the proof' }).click();
    const stream = await (await download).createReadStream();
    expect(JSON.parse(Buffer.concat(await stream.toArray()).toString())).toEqual(stub.state.proof);
  });

  it('that is forged proves nothing: another amount, another key, no log', async () => {
    const page = await open('/transactions/K7Q2ZP9X4B');
    await check(page, OTHER_SIGNER.publicKey.toString('base64'));
    await refused(page, 'no valid signature');
    const [, forged] = stub.state.proof.events;
    if (forged) forged.statement = forged.statement.replace('250.', '251.');
    await check(page, KEY);
    await refused(page, 'not in the log');
    await check(page, 'no key');
    await refused(page, 'no public key');
    expect(await holds(page).count()).toBe(0);
  });

  it('is said of the key and the state that were checked, and of no other', async () => {
    const page = await open('/transactions/K7Q2ZP9X4B');
    await check(page, KEY);
    await holds(page).waitFor();
    await page.getByLabel('Public key of the ledger').fill('another');
    await holds(page).waitFor({ state: 'detached' });
    await check(page, KEY);
    await holds(page).waitFor();
    stub.state.transactions = stub.state.transactions.map((one) => ({ ...one, status: 'REVERSED' }));
    stub.tell('K7Q2ZP9X4B');
    await page.getByText('Reversed').first().waitFor();
    expect(await holds(page).count()).toBe(0);
  });

  it('of another amount than the page shows says so', async () => {
    stub.state.transactions = stub.state.transactions.map((one) => ({ ...one, amount: '2500.00000000' }));
    const page = await open('/transactions/K7Q2ZP9X4B');
    await check(page, KEY);
    await page.getByText('This page shows another amount or status').waitFor();
  });
});

describe('of two acts that were refused the error is of the last one:', () => {
  const [FIRST, SECOND] = ['The first was refused.', 'The second was refused.'];
  const memberId = MEMBERS[1]?.member_id;
  const sure = async (page: Page, what: string, question: string) => {
    await page.getByRole('button', { name: what }).first().click();
    await page.getByRole('button', { name: question }).click();
  };

  it.each<[string, [string, string], (page: Page) => Promise<unknown>, (page: Page) => Promise<unknown>]>([
    [
      '/members',
      [`PATCH /api/members/${memberId}`, `DELETE /api/members/${memberId}`],
      (page) => page.getByLabel('Role of Bola').selectOption('viewer'),
      (page) => sure(page, 'Remove', 'Remove Bola Adeyemi-Okonkwo?'),
    ],
    [
      '/approvals',
      ['POST /api/payouts/W4ITINGP4Y/approve/options', 'POST /api/payouts/W4ITINGP4Y/reject'],
      (page) => page.getByRole('button', { name: 'Approve with a passkey' }).click(),
      async (page) => {
        await page.getByRole('button', { name: 'Reject…' }).click();
        await page.getByRole('dialog').getByLabel('Reason').fill('Not ours');
        await page.getByRole('button', { name: 'Reject the payout' }).click();
      },
    ],
    [
      '/webhooks',
      [`PUT /api/webhooks/${WEBHOOK_ID}`, `POST /api/webhooks/${WEBHOOK_ID}/test`],
      (page) => page.getByRole('button', { name: 'Disable' }).first().click(),
      (page) => page.getByRole('button', { name: 'Send a test' }).first().click(),
    ],
    [
      '/account',
      ['POST /api/passkeys/options', `DELETE /api/passkeys/${PASSKEYS[0]?.passkey_id}`],
      async (page) => {
        await page.getByLabel('Name of this device').fill('Laptop');
        await page.getByRole('button', { name: 'Add a passkey' }).click();
      },
      (page) => sure(page, 'Remove', 'Remove Office laptop?'),
    ],
  ])('%s', async (path, [first, second], actFirst, actSecond) => {
    refuse(first, 409, FIRST);
    refuse(second, 409, SECOND);
    const page = await open(path);
    await actFirst(page);
    await page.getByText(FIRST).waitFor();
    await actSecond(page);
    await page.getByText(SECOND).waitFor();
    expect(await page.getByRole('alert').allTextContents()).toEqual([SECOND]);
  });
});

describe('webhooks', () => {
  it('are disabled, given a new secret and deleted, the last two after a second look', async () => {
    signedInAs('developer');
    const page = await open('/webhooks');
    const row = page.getByRole('list', { name: 'Endpoints' }).getByRole('listitem').first();
    await row.getByRole('button', { name: 'Disable' }).click();
    await row.getByRole('button', { name: 'Enable' }).waitFor();
    await row.getByRole('button', { name: 'New secret' }).click();
    await row.getByRole('button', { name: 'Replace the secret?' }).dispatchEvent('click', { detail: 2 });
    expect(stub.state.asked.filter((asked) => asked.includes('rotate-secret'))).toEqual([]);
    await row.getByRole('button', { name: 'Replace the secret?' }).click();
    await page.getByText(SECRET).waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.getByRole('button', { name: 'Delete this endpoint?' }).click();
    await eventually('one is left', () => stub.state.webhooks.length === 1);
    await row.getByText('hooks.kola-payments.example').waitFor({ state: 'detached' });
  });

  it('an event shows how it fared, and is sent again', async () => {
    const page = await open('/webhooks');
    await eventOpened(page, 'answered 503, the receiver refused it');
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('answered 204').waitFor();
    await page.getByText('Delivered').waitFor();
  });

  it('that are refused say why', async () => {
    refuse('POST /api/webhooks', 422);
    const page = await open('/webhooks');
    await page.getByLabel('URL').fill('https://new.example.com/hooks');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('It was refused.').waitFor();
    expect(await page.getByLabel('URL').inputValue()).toBe('https://new.example.com/hooks');
  });
});

describe('what is shown once stays until it is put away, whatever is done next:', () => {
  const hasFocus = (of: Locator) => of.evaluate((element) => element === document.activeElement);
  async function putAway(page: Page, made: Locator, done: string, heading: string): Promise<void> {
    await page.getByText('It was refused.').waitFor();
    expect(await made.isVisible()).toBe(true);
    await made.getByRole('button', { name: done }).click();
    await made.waitFor({ state: 'detached' });
    expect(await hasFocus(page.getByRole('heading', { name: heading, exact: true }))).toBe(true);
  }

  it('the secret of an endpoint', async () => {
    const page = await open('/webhooks');
    const row = page.getByRole('list', { name: 'Endpoints' }).getByRole('listitem').first();
    await row.getByRole('button', { name: 'New secret' }).click();
    await row.getByRole('button', { name: 'Replace the secret?' }).click();
    const made = page.getByRole('group', { name: 'A new secret' });
    await made.getByText(SECRET).waitFor();
    expect(await hasFocus(made)).toBe(true);
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.getByRole('button', { name: 'Delete this endpoint?' }).click();
    await row.getByText('hooks.kola-payments.example').waitFor({ state: 'detached' });
    refuse('POST /api/webhooks', 422);
    await page.getByLabel('URL').fill('https://new.example.com/hooks');
    await page.getByRole('button', { name: 'Add' }).click();
    await putAway(page, made, 'I have kept it', 'Webhooks');
  });

  it('the link of an invitation', async () => {
    const page = await open('/members');
    await invite(page);
    const made = page.getByRole('group', { name: 'A new invitation' });
    await made.getByText(`${stub.origin}/link#`).waitFor();
    expect(await hasFocus(made)).toBe(true);
    refuse('POST /api/invitations', 409);
    await invite(page);
    await putAway(page, made, 'I have sent it', 'Members');
  });
});

describe('an approval', () => {
  it('has the passkey sign the hash of what was shown, and nothing else', async () => {
    const page = await open('/approvals');
    await withPasskey(page);
    await page.getByRole('link', { name: 'Approvals' }).first().click();
    await page.getByText(APPROVAL_HASH).waitFor();
    await page.getByRole('button', { name: 'Approve with a passkey' }).click();
    await page.getByRole('heading', { name: 'Nothing waits for an approval' }).waitFor();
    const { approval_hash, response } = stub.state.responses.at(-1) as { approval_hash: string; response: Assertion };
    expect(approval_hash).toBe(APPROVAL_HASH);
    const client = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString()) as {
      challenge: string;
    };
    expect(Buffer.from(client.challenge, 'base64url').toString('hex')).toBe(APPROVAL_HASH);
  });

  it('of a payout that was exchanged meanwhile is not given to the passkey', async () => {
    const page = await open('/approvals');
    await withPasskey(page);
    await page.getByRole('link', { name: 'Approvals' }).first().click();
    await page.getByText(APPROVAL_HASH).waitFor();
    stub.state.waiting = stub.state.waiting.map((one) => ({ ...one, approval_hash: 'a'.repeat(64) }));
    await page.getByRole('button', { name: 'Approve with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'not the one that you were shown' }).waitFor();
    expect(stub.state.asked.filter((asked) => asked.endsWith('/approve'))).toEqual([]);
  });

  it('can be a rejection, with its reason', async () => {
    const page = await open('/approvals');
    await page.getByRole('button', { name: 'Reject…' }).click();
    await page.getByLabel('Reason').fill('Not our supplier');
    await page.getByRole('button', { name: 'Reject the payout' }).click();
    await page.getByRole('heading', { name: 'Nothing waits for an approval' }).waitFor();
    expect(stub.state.responses).toEqual([{ reason: 'Not our supplier' }]);
  });

  it('needs a passkey, and says where to add one', async () => {
    signedInAs('approver', { passkeys: 0 });
    const page = await open('/approvals');
    await page.getByRole('link', { name: 'Add a passkey to approve' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });
});

describe('the wallets', () => {
  it('are paged through, and one shows its balance as of a moment in the zone of the person', async () => {
    const page = await open('/wallets');
    await page.getByText('1–50 of 53 wallets').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–53 of 53 wallets').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: '1,250.00 USDC' }).click();
    await page.getByRole('img', { name: 'QR code of the address on Ethereum' }).waitFor();
    await page.getByLabel('As of').fill('2026-01-12T10:30');
    await page.getByText('1,500.00 USDC').waitFor();
    // Half past ten in Lagos is half past nine in UTC, before what moved at ten.
    expect(stub.state.asked.at(-1)).toContain(encodeURIComponent('2026-01-12T09:30:00.000Z'));
  });
});

describe('the members', () => {
  it('are invited by a link that is shown once', async () => {
    const page = await open('/members');
    await invite(page);
    await page.getByText('Send this link').waitFor();
    await page.getByText(`${stub.origin}/link#`).waitFor();
    await page.getByText('chi@example.com').waitFor();
  });

  it('change after the passkey was seen again, where the back office asks for it', async () => {
    const page = await open('/members');
    await withPasskey(page);
    await page.getByRole('link', { name: 'Members' }).first().click();
    stub.state.isStepUpDue = true;
    await page.getByLabel('Role of Bola').selectOption('viewer');
    await eventually('the role is another', () => stub.state.members[1]?.role === 'viewer');
    expect(stub.state.asked.filter((asked) => asked.startsWith('PATCH'))).toHaveLength(2);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Bola' }).click();
    await page.getByText('Bola Adeyemi-Okonkwo', { exact: true }).waitFor({ state: 'detached' });
  });

  it('that may not change say why', async () => {
    refuse('PATCH /api/members/0190c6f0-0000-7c1e-9d2a-0000000000b2', 409);
    const page = await open('/members');
    await page.getByLabel('Role of Bola').selectOption('viewer');
    await page.getByRole('alert').filter({ hasText: 'It was refused.' }).waitFor();
    expect(await page.getByLabel('Role of Bola').inputValue()).toBe('approver');
  });
});

describe('a role', () => {
  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts();

  const FOR_ALL = ['Transactions', 'Overview', 'Deposits', 'Wallets', 'Customers', 'Your account'];
  it.each<[Session['role'], string[]]>([
    ['viewer', FOR_ALL],
    ['admin', [...FOR_ALL, 'Approvals', 'Pay', 'Swap', 'Webhooks', 'API keys', 'Members', 'Activity']],
  ])('%s has its screens in the navigation, and no other', async (role, shown) => {
    signedInAs(role);
    const page = await open('/account');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect((await navigation(page)).sort()).toEqual([...shown].sort());
  });

  it.each(['/members', '/approvals', '/webhooks'])(
    'that may not asks nothing at %s, and shows no button',
    async (path) => {
      signedInAs('viewer');
      const page = await open(path);
      await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
      expect(stub.state.asked.filter((asked) => asked.includes(path))).toEqual([]);
      expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    },
  );
});

describe('what happens elsewhere', () => {
  it('shows within a second, without a reload', async () => {
    const page = await open('/transactions/W4ITINGP4Y');
    await page.getByText('Waits: approval').waitFor();
    stub.state.transactions = stub.state.transactions.map((one) =>
      one.transaction_id === 'W4ITINGP4Y' ? { ...one, status: 'COMPLETED', waiting_for: null } : one,
    );
    stub.tell('W4ITINGP4Y');
    await page.getByText('Completed').waitFor({ timeout: 1_000 });
  });

  it('is heard by one tab for all of them, and by the next one when that is closed', async () => {
    const first = await open('/approvals');
    const second = await first.context().newPage();
    await second.goto(`${stub.origin}/approvals`);
    const title = { name: '1,489,550.00 NGN to Chidi Okafor' };
    for (const page of [first, second]) await page.getByRole('heading', title).waitFor();
    const connected = () => stub.state.asked.filter((asked) => asked === 'GET /api/live').length;
    await eventually('one is connected', () => connected() === 1);
    stub.state.waiting = [];
    stub.tell('W4ITINGP4Y');
    for (const page of [first, second]) await page.getByText('Nothing waits for an approval').waitFor();
    expect(connected()).toBe(1);
    await first.close();
    await eventually('the next one is connected', () => connected() === 2);
    stub.reset();
    await second.getByRole('heading', title).waitFor();
  });
});

describe('on a phone', () => {
  it('the navigation is a menu that closes when a screen is chosen, or by Escape', async () => {
    const page = await open('/transactions', { viewport: { width: 390, height: 844 } });
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(await menu.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
  });
});
