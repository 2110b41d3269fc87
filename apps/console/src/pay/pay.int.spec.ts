/** What people pay: shown first, and sent only with what their passkey has signed. */
import type { Page } from 'playwright-core';
import { consoleInBrowser, type Screen, withPasskey } from '../testing/console-in-browser';
import { offered, offeredPayout } from '../testing/order-content';
import { type Answers, type Assertion, enveloped } from '../testing/stub-back-office';
import { CUSTOMER_ID, WAITING } from '../testing/stub-content';

let how = { waits: false, ms: 180_000, isAnother: false };
const asked: Record<string, unknown>[] = [];
const sent: Record<string, unknown>[] = [];
const offer = ({ body }: Parameters<Answers[string]>[0]) => {
  asked.push(body);
  const shown = offeredPayout(body, how);
  return how.isAnother
    ? { ...shown, ...offered({ ...shown.terms, amount: '999.00000000' }), terms: shown.terms }
    : shown;
};
const ANSWERS: Answers = {
  'POST /api/payouts/banks/options': offer,
  'POST /api/payouts/wallets/options': offer,
  'POST /api/payouts': ({ body }) => {
    sent.push(body);
    return enveloped(WAITING);
  },
};

const SCREENS: readonly Screen[] = [
  { name: 'pay', path: '/pay', heading: 'Pay' },
  { name: 'pay-address', path: '/pay', heading: 'Pay', act: (page) => page.getByLabel('A crypto address').check() },
  {
    ...{ name: 'pay-review', path: '/pay', heading: 'Pay' },
    act: (page) => showBank(page),
    prepare: () => (how = { ...how, waits: true }),
  },
  { name: 'pay-address-review', path: '/pay', heading: 'Pay', act: (page) => showAddress(page) },
  {
    ...{ name: 'pay-over', path: '/pay', heading: 'Pay' },
    act: async (page) => {
      await showBank(page);
      await page.getByText('No longer valid', { exact: true }).waitFor();
    },
    prepare: () => (how = { ...how, ms: -1 }),
  },
  {
    ...{ name: 'pay-no-passkey', path: '/pay', heading: 'You need a passkey to pay' },
    prepare: () => running().signedInAs('payer', { passkeys: 0 }),
  },
  {
    ...{ name: 'pay-no-wallet', path: '/pay', heading: 'There is no wallet to pay from' },
    prepare: () => (running().stub.state.wallets = []),
  },
  {
    ...{ name: 'pay-refused', path: '/pay', heading: 'Your role does not include this' },
    prepare: () => running().signedInAs('viewer'),
  },
];
const running = consoleInBrowser(SCREENS, ANSWERS);
afterEach(() => {
  how = { waits: false, ms: 180_000, isAnother: false };
  asked.length = 0;
  sent.length = 0;
});

async function fillBank(page: Page, amount = '100'): Promise<void> {
  await page.getByLabel('Amount in USDC').fill(amount);
  await page.getByLabel('Recipient', { exact: true }).fill('Chidi Okafor');
  await page.getByLabel('Account number').fill('0123456789');
  await page.getByLabel('Bank code').fill('011');
}
const show = (page: Page) => page.getByRole('button', { name: 'Show what would be sent' }).click();

async function showBank(page: Page): Promise<void> {
  await fillBank(page);
  await show(page);
  await page.getByRole('heading', { name: 'Pay Chidi Okafor' }).waitFor();
}

async function showAddress(page: Page): Promise<void> {
  await page.getByLabel('A crypto address').check();
  await page.getByLabel('Amount in USDC').fill('100');
  await page.getByLabel('Network').selectOption('polygon');
  await page.getByLabel('Address', { exact: true }).fill('0x52908400098527886E0F7030069857D2E4169EE7');
  await page.getByLabel('Recipient (optional)').fill('Chidi Okafor');
  await show(page);
  await page.getByRole('heading', { name: 'Pay Chidi Okafor' }).waitFor();
}

async function openWithPasskey(): Promise<Page> {
  const page = await running().open('/pay');
  await withPasskey(page);
  await page.getByRole('link', { name: 'Pay', exact: true }).first().click();
  return page;
}

const challengeOf = (body: Record<string, unknown> | undefined) => {
  const { response } = body?.['response'] as Assertion;
  const said = Buffer.from(response.clientDataJSON, 'base64url').toString();
  return Buffer.from((JSON.parse(said) as { challenge: string }).challenge, 'base64url').toString('hex');
};

describe('a payout', () => {
  it('is shown in full, signed by the hash of what was shown, and then looked at', async () => {
    how.waits = true;
    const page = await openWithPasskey();
    await showBank(page);
    expect(asked).toEqual([
      {
        ...{ customer_id: null, currency: 'USDC', amount: '100', account_number: '0123456789', bank_code: '011' },
        ...{ bank_name: null, recipient_name: 'Chidi Okafor', recipient_country: null },
      },
    ]);
    for (const text of ['100.00 USDC', '0.50 USDC', '100.50 USDC', '1,149.50 USDC', '0123456789'])
      await page.getByText(text, { exact: true }).first().waitFor();
    await page.getByText('It waits until another person has approved it').waitFor();
    const hash = (await page.locator('.hash code').textContent()) ?? '';
    await page.getByRole('button', { name: 'Pay with a passkey' }).click();
    await page.getByRole('heading', { name: '−1,489,550.00 NGN' }).waitFor();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.['order']).toBe('v1.sealed.payout-order');
    expect(challengeOf(sent[0])).toBe(hash);
  });

  it('whose challenge is not the hash of what is shown is not given to the passkey', async () => {
    how.isAnother = true;
    const page = await openWithPasskey();
    await showBank(page);
    await page.getByRole('button', { name: 'Pay with a passkey' }).click();
    await page.getByText('What would be signed is not what you were shown').waitFor();
    expect(sent).toEqual([]);
  });

  it('that is shown for too long is shown again before it is signed', async () => {
    how.ms = 1_500;
    const page = await openWithPasskey();
    await showBank(page);
    await page.getByText('No longer valid', { exact: true }).waitFor();
    how.ms = 180_000;
    await page.getByRole('button', { name: 'Show it again, as of now' }).click();
    await page.getByRole('button', { name: 'Pay with a passkey' }).waitFor();
    expect(asked).toHaveLength(2);
  });

  it('that is refused says why, and the form stays as it was filled in', async () => {
    const page = await running().open('/pay');
    running().refuse('POST /api/payouts/banks/options', 422);
    await fillBank(page);
    await show(page);
    await page.getByRole('alert').getByText('It was refused.').waitFor();
    expect(await page.getByLabel('Account number').inputValue()).toBe('0123456789');
  });

  it('is changed before it is signed', async () => {
    const page = await running().open('/pay');
    await showBank(page);
    await page.getByRole('button', { name: 'Change it' }).click();
    expect(await page.getByLabel('Amount in USDC').inputValue()).toBe('100');
    await page.getByLabel('Amount in USDC').fill('7');
    await show(page);
    await page.getByText('7.00 USDC', { exact: true }).waitFor();
  });

  it('of national currency goes to a bank alone', async () => {
    const page = await running().open('/pay');
    await page.getByLabel('A crypto address').waitFor();
    await page.getByLabel('From').selectOption({ index: 1 });
    await page.getByLabel('Amount in NGN').waitFor();
    expect(await page.getByLabel('A crypto address').count()).toBe(0);
  });

  it('begins with the wallet from whose page a person comes', async () => {
    const page = await running().open(`/wallets/${running().stub.state.wallets[1]?.id ?? ''}`);
    await page.getByRole('link', { name: 'Pay from this wallet' }).click();
    await page.getByLabel('Amount in NGN').waitFor();
  });

  it('begins anew for another wallet or customer, and what was in review for the one before is gone', async () => {
    const customer_id = CUSTOMER_ID;
    const page = await running().open('/pay');
    await page.getByLabel('Amount in USDC').waitFor();
    await page.getByRole('link', { name: 'Wallets' }).first().click();
    running().stub.state.wallets = running().stub.state.wallets.map((one) => ({ ...one, customer_id }));
    await page.getByRole('link', { name: '1,250.00 USDC' }).click();
    await page.getByRole('link', { name: 'Pay from this wallet' }).click();
    await page.waitForURL((url) => url.searchParams.get('customer_id') === customer_id);
    await showBank(page);
    expect(asked[0]?.['customer_id']).toBe(customer_id);
    await page.getByRole('link', { name: 'Pay', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Pay Chidi Okafor' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Amount in USDC').inputValue()).toBe('');
    await fillBank(page, '7');
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get('customer_id') === customer_id);
    await page.getByLabel('Amount in USDC').and(page.locator('[value=""]')).waitFor();
    expect(await page.getByLabel('Account number').inputValue()).toBe('');
  });

  it.each(['viewer', 'developer', 'approver'] as const)('is nothing for a %s', async (role) => {
    running().signedInAs(role);
    const page = await running().open('/transactions');
    await page.getByRole('link', { name: 'Wallets' }).first().waitFor();
    await page.getByRole('link', { name: 'Wallets' }).first().click();
    await page.getByRole('link', { name: '1,250.00 USDC' }).click();
    await page.getByRole('heading', { name: '1,250.00 USDC' }).waitFor();
    expect(await page.getByRole('link', { name: /^(Pay|Swap)/ }).count()).toBe(0);
  });
});

describe('what is loaded', () => {
  it('is within the bounds of a screen', () =>
    running().expectLight('/transactions', (page) => page.getByText('68 transactions').waitFor(), [
      (page) => page.getByRole('link', { name: 'Pay', exact: true }).first().click(),
      (page) => page.getByRole('link', { name: 'Swap', exact: true }).first().click(),
    ]));
});
