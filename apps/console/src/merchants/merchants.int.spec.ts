/** What the operator's people look at of merchants, in a real browser. */
import { eventually } from '@stablecoin/testing/eventually';
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';
import { balanceAsOf, balancesBetween, EXPLANATIONS, TRANSACTIONS, WALLET_ID, WALLETS } from '../testing/stub-content';

const MERCHANT: Schema<'Merchant'> = {
  ...{ merchant_id: '0190c6f0-0000-7c1e-9d2a-0000000000aa', name: 'Kola Payments', mode: 'live', status: 'active' },
  ...{ shard: 2, created_at: '2026-01-02T09:30:00.000Z', valid_keys: 2, last_used_at: '2026-01-31T09:30:00.000Z' },
};
const OTHER: Schema<'Merchant'> = {
  ...{ ...MERCHANT, merchant_id: '0190c6f0-0000-7c1e-9d2a-0000000000bb', name: 'Harbour Foods', mode: 'test' },
  ...{ status: 'no_valid_key', valid_keys: 0, last_used_at: null },
};
const OF = `/merchants/${MERCHANT.merchant_id}`;
const BELOW = '/api/merchants/:id';
let merchants: Schema<'Merchant'>[] = [];

const ANSWERS: Answers = {
  'GET /api/merchants': ({ url }) => {
    const part = (url.searchParams.get('search') ?? '').toLowerCase();
    return app().stub.page(
      merchants.filter(({ name }) => name.toLowerCase().includes(part)),
      url,
    );
  },
  [`GET ${BELOW}`]: ({ parts: [id] }) => enveloped(merchants.find(({ merchant_id }) => merchant_id === id)),
  [`GET ${BELOW}/transactions`]: ({ url }) => app().stub.page(TRANSACTIONS, url),
  [`GET ${BELOW}/transactions/:tx`]: ({ parts: [, id] }) =>
    enveloped(TRANSACTIONS.find(({ transaction_id }) => transaction_id === id)),
  [`GET ${BELOW}/transactions/:tx/events`]: ({ parts: [, id] }) => enveloped(EXPLANATIONS[id ?? '']),
  [`GET ${BELOW}/transactions/:tx/proof`]: () => enveloped(app().stub.state.proof),
  [`GET ${BELOW}/wallets`]: ({ url }) => app().stub.page(WALLETS, url),
  [`GET ${BELOW}/wallets/:wallet`]: ({ parts: [, id] }) => enveloped(WALLETS.find((wallet) => wallet.id === id)),
  [`GET ${BELOW}/wallets/:wallet/balances`]: ({ url: { searchParams: days } }) =>
    enveloped(balancesBetween(days.get('start_date') ?? '', days.get('end_date') ?? '')),
  [`GET ${BELOW}/wallets/:wallet/statement`]: () => enveloped(balanceAsOf(undefined)),
};

const asSupport = () => app().signedInAs('support', { side: 'operator', merchant: null });
const prepare = () => {
  merchants = [MERCHANT, OTHER];
  asSupport();
};
const SCREENS: readonly Screen[] = [
  { name: 'merchants', path: '/merchants', heading: 'Merchants', prepare },
  { name: 'merchants-none', path: '/merchants?search=nowhere', heading: 'No merchant matches', prepare },
  {
    ...{ name: 'merchants-first', path: '/merchants', heading: 'No merchants yet' },
    prepare: () => {
      asSupport();
      merchants = [];
    },
  },
  { name: 'merchant-transactions', path: `${OF}/transactions`, heading: 'Transactions', prepare },
  { name: 'merchant-transaction', path: `${OF}/transactions/K7Q2ZP9X4B`, heading: '+250.00 USDC', prepare },
  { name: 'merchant-wallets', path: `${OF}/wallets`, heading: 'Wallets', prepare },
  { name: 'merchant-wallet', path: `${OF}/wallets/${WALLET_ID}`, heading: '1,250.00 USDC', prepare },
  { name: 'merchant-unknown', path: '/merchants/none', heading: 'There is no such thing here', prepare },
];
const app: () => ConsoleInBrowser = consoleInBrowser(SCREENS, ANSWERS);

it('one begins with the merchants, finds one, and reads everything below it', async () => {
  prepare();
  const page = await app().open('/');
  await page.getByRole('heading', { name: 'Merchants' }).waitFor();
  await page.getByLabel('Find a merchant').fill('kola');
  await page.getByLabel('Find a merchant').press('Enter');
  await page.getByText('1–1 of 1 merchant').waitFor();
  expect(new URL(page.url()).search).toBe('?search=kola');
  await page.getByRole('link', { name: 'Kola Payments' }).click();
  await page.getByRole('link', { name: '250.00 USDC' }).first().click();
  await page.getByRole('heading', { name: '+250.00 USDC' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${OF}/transactions/K7Q2ZP9X4B`);
  await page.getByRole('button', { name: 'Check the proof' }).click();
  await page.getByText('Debits equal credits').waitFor();
  await page.getByRole('link', { name: 'Wallets' }).click();
  await page.getByRole('link', { name: '1,250.00 USDC' }).click();
  await page.getByText('Balance at a time').waitFor();
  await page.getByRole('slider', { name: 'Balance over time: day' }).waitFor();
  const outside = app().stub.state.asked.filter((asked) => /\/api\/(transactions|wallets|live)/.test(asked));
  expect(outside).toEqual([]);
});

it('the row of a merchant leads to that merchant, and covers nothing beside it', async () => {
  prepare();
  const page = await app().open('/merchants');
  // Where the cell is, the link lies over it.
  await page.getByRole('row', { name: 'Kola Payments' }).getByRole('cell').last().click({ force: true });
  await page.waitForURL(`**${OF}/transactions`);
  await page.goBack();
  await page.getByRole('link', { name: 'Harbour Foods' }).waitFor();
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
});

it('asks again when it is told to, and says since when it shows what it shows', async () => {
  prepare();
  const page = await app().open(`${OF}/transactions`);
  await page.getByText('As of').waitFor();
  const asked = () => app().stub.state.asked.filter((one) => one.includes(`${OF}/transactions?`)).length;
  await page.getByRole('link', { name: '250.00 USDC' }).first().waitFor();
  const before = asked();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await eventually('it is asked again', () => asked() > before);
});

it('a member has no such screen, by its address either', async () => {
  app().signedInAs('admin');
  const page = await app().open(`${OF}/transactions`);
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  expect(await page.getByRole('link', { name: 'Merchants' }).count()).toBe(0);
  expect(app().stub.state.asked.filter((asked) => asked.includes('/api/merchants'))).toEqual([]);
});
