/** What people swap: at a price that is shown first, and that their passkey signs. */
import type { Page } from 'playwright-core';
import { consoleInBrowser, type Screen, withPasskey } from '../testing/console-in-browser';
import { offeredSwap } from '../testing/order-content';
import { type Answers, type Assertion, enveloped } from '../testing/stub-back-office';

let validMs = 30_000;
/** Until when what was sent has no answer. */
let answer: Promise<void> | undefined;
const asked: Record<string, unknown>[] = [];
const sent: Record<string, unknown>[] = [];
const ANSWERS: Answers = {
  'POST /api/swaps/options': ({ body }) => {
    asked.push(body);
    return offeredSwap(body, validMs);
  },
  'POST /api/swaps': async ({ body }) => {
    sent.push(body);
    await answer;
    return enveloped({
      debit: { transaction_id: 'K7Q2ZP9X4B' },
      credit: { transaction_id: 'K7Q2ZP9X4B' },
      swap_id: '',
    });
  },
};
const SCREENS: readonly Screen[] = [
  { name: 'swap', path: '/swap', heading: 'Swap' },
  { name: 'swap-review', path: '/swap', heading: 'Swap', act: (page) => quote(page) },
  {
    ...{ name: 'swap-one-wallet', path: '/swap', heading: 'A swap needs two wallets' },
    prepare: () => (running().stub.state.wallets = running().stub.state.wallets.slice(0, 1)),
  },
];
const running = consoleInBrowser(SCREENS, ANSWERS);
afterEach(() => {
  [validMs, answer] = [30_000, undefined];
  asked.length = 0;
  sent.length = 0;
});

async function quote(page: Page): Promise<void> {
  await page.getByLabel('Amount in USDC').fill('40');
  await page.getByRole('button', { name: 'Get a quote' }).click();
  await page.getByRole('heading', { name: '40.00 USDC for 59,582.00 NGN' }).waitFor();
}

describe('a swap', () => {
  it('is of the price and the amounts that were shown and signed', async () => {
    const page = await running().open('/swap');
    await withPasskey(page);
    await page.getByRole('link', { name: 'Swap', exact: true }).first().click();
    await quote(page);
    expect(asked).toEqual([{ customer_id: null, from_currency: 'USDC', to_currency: 'NGN', amount: '40' }]);
    await page.getByText('1 USDC = 1,489.55 NGN').waitFor();
    const hash = (await page.locator('.hash code').textContent()) ?? '';
    await page.getByRole('button', { name: 'Swap with a passkey' }).click();
    await page.getByRole('heading', { name: '+250.00 USDC' }).waitFor();
    const { response } = sent[0]?.['response'] as Assertion;
    const said = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as { challenge: string };
    expect(Buffer.from(said.challenge, 'base64url').toString('hex')).toBe(hash);
  });

  it('whose quote is over is quoted again before it is signed', async () => {
    validMs = 1_200;
    const page = await running().open('/swap');
    await quote(page);
    await page.getByText('No longer valid', { exact: true }).waitFor();
    validMs = 30_000;
    await page.getByRole('button', { name: 'Show it again, as of now' }).click();
    await page.getByRole('button', { name: 'Swap with a passkey' }).waitFor();
    expect(asked).toHaveLength(2);
  });

  it('that is being sent when its quote ends is not offered a second time', async () => {
    validMs = 2_500;
    let give = (): void => undefined;
    answer = new Promise((resolve) => (give = resolve));
    const page = await running().open('/swap');
    await withPasskey(page);
    await page.getByRole('link', { name: 'Swap', exact: true }).first().click();
    await quote(page);
    await page.getByRole('button', { name: 'Swap with a passkey' }).click();
    await page.getByText('Valid for 0:00').waitFor();
    expect(await page.getByRole('button', { name: 'Show it again' }).count()).toBe(0);
    give();
    await page.getByRole('heading', { name: '+250.00 USDC' }).waitFor();
    expect(sent).toHaveLength(1);
  });

  it('begins anew for another wallet: what was quoted for the one before is gone', async () => {
    const page = await running().open(`/wallets/${running().stub.state.wallets[0]?.id ?? ''}`);
    await page.getByRole('link', { name: 'Swap from it' }).click();
    await quote(page);
    await page.getByRole('link', { name: 'Swap', exact: true }).first().click();
    await page.getByRole('heading', { name: '40.00 USDC for 59,582.00 NGN' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Amount in USDC').inputValue()).toBe('');
  });

  it('offers no wallet of the same currency on the other side', async () => {
    const page = await running().open('/swap');
    const from = page.getByRole('combobox', { name: 'From', exact: true });
    await from.selectOption({ label: 'NGN · 4,250.50 · Branch 1' });
    const others = await page.getByRole('combobox', { name: 'To', exact: true }).locator('option').allTextContents();
    expect(others.filter((text) => text.startsWith('NGN'))).toEqual([]);
    expect(others).toContain('USDC · 1,250.00 · Collections');
  });
});
