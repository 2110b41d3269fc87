import type { Schema } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { enveloped } from '../testing/stub-back-office';

type Figures = Schema<'DailyFigures'>;
type Movement = Schema<'MovementFigures'>;

const movement = (over: Partial<Movement>): Movement => ({
  ...{
    transaction_type: 'PAYOUT',
    transaction_mode: 'DEBIT',
    opened: '12',
    completed: '10',
    failed: '2',
    reversed: '1',
  },
  ...{ opened_amount: '1300.00000000', settled_amount: '1200.12345678', settled_fees: '12.50000000' },
  ...{ p50_ms: '2512', p95_ms: '199526' },
  ...over,
});
const deposits = (amount: string) =>
  movement({
    ...{ transaction_type: 'DEPOSIT', transaction_mode: 'CREDIT', failed: '0', reversed: '0', completed: '12' },
    ...{ settled_amount: amount, settled_fees: '0.00000000', p50_ms: '158489', p95_ms: '630957' },
  });
const swaps = movement({
  ...{ transaction_type: 'INTERNAL TRANSFER', transaction_mode: 'CREDIT', failed: '0', reversed: '0' },
  ...{ settled_amount: '300.00000000', settled_fees: '0.00000000', p50_ms: '10', p95_ms: '50' },
});

function figuresOf({ searchParams }: URL): Figures {
  const start_date = searchParams.get('start_date') ?? '';
  const end_date = searchParams.get('end_date') ?? '';
  const count = (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000;
  const days = Array.from({ length: count }, (_, number) => ({
    day: new Date(Date.parse(start_date) + number * 86_400_000).toISOString().slice(0, 10),
    movements: [
      deposits(`${((number * 7_919) % 900) + 100}.00000000`),
      ...(number % 5 === 4 ? [] : [movement({ p50_ms: String(1_000 + number * 300) })]),
      ...(number % 3 === 0 ? [swaps] : []),
    ],
  }));
  return {
    ...{ currency: searchParams.get('currency') ?? 'USDC', start_date, end_date, days, counted_until: null },
    currencies: [
      { currency: 'USDC', transactions: '900' },
      { currency: 'NGN', transactions: '17' },
    ],
    total: [deposits('98765432.10000000'), movement({ settled_amount: '36003.70370340' }), swaps],
    failures: [
      { transaction_type: 'PAYOUT', reason: 'not_paid_out', transactions: '40', amount: '4000.00000000' },
      { transaction_type: 'PAYOUT', reason: 'approval_expired', transactions: '3', amount: '99.99000000' },
    ],
  };
}

let answer: (url: URL) => Figures = figuresOf;
const nothing = ({ searchParams }: URL): Figures => ({
  ...{ currency: searchParams.get('currency'), currencies: [], days: [], total: [], failures: [], counted_until: null },
  ...{ start_date: searchParams.get('start_date') ?? '', end_date: searchParams.get('end_date') ?? '' },
});

const SCREENS: Screen[] = [
  {
    ...{ name: 'overview', path: '/overview', heading: 'Overview', prepare: () => (answer = figuresOf) },
    act: async (page) => {
      await page.getByRole('slider', { name: 'Volume in USDC: day' }).locator('svg').waitFor();
      await page.getByText('All numbers as a table').click();
    },
  },
  { name: 'overview-year', path: '/overview?days=366', heading: 'Volume in USDC', prepare: () => (answer = figuresOf) },
  {
    ...{ name: 'overview-empty', path: '/overview', heading: 'No transactions in these days' },
    prepare: () => (answer = nothing),
  },
];
const running = consoleInBrowser(SCREENS, { 'GET /api/figures': ({ url }) => enveloped(answer(url)) });
beforeEach(() => void (answer = figuresOf));

it('asks for the days and the currency that the address says, and no others', async () => {
  const page = await running().open('/overview?days=7&currency=NGN&other=1');
  await page.getByRole('heading', { name: 'Volume in NGN' }).waitFor();
  const asked = () => running().stub.state.asked.filter((path) => path.includes('/api/figures'));
  expect(asked()).toHaveLength(1);
  await page.getByLabel('Currency').selectOption('USDC');
  await page.getByRole('heading', { name: 'Volume in USDC' }).waitFor();
  expect(page.url()).toContain('currency=USDC');
  const forged = await running().open('/overview?days=100000&currency=%27%3B--');
  await forged.getByRole('heading', { name: 'Volume in USDC' }).waitFor();
});

it('the keyboard walks from day to day, and each is read to the last digit', async () => {
  const page = await running().open('/overview');
  const chart = page.getByRole('slider', { name: 'Volume in USDC: day' });
  await chart.focus();
  await page.keyboard.press('Home');
  expect(await chart.getAttribute('aria-valuenow')).toBe('1');
  expect(await chart.getAttribute('aria-valuetext')).toMatch(
    /^\d+ \w+ \d{4}: Deposits 100\.00 USDC, Payouts 1,200\.12345678 USDC, Transfers in 300\.00 USDC$/,
  );
  await page.keyboard.press('ArrowRight');
  expect(await chart.getAttribute('aria-valuenow')).toBe('2');
  await page.keyboard.press('End');
  expect(await chart.getAttribute('aria-valuenow')).toBe('30');
  await page.keyboard.press('ArrowRight');
  expect(await chart.getAttribute('aria-valuenow')).toBe('30');
});

it('says why transactions failed, and leads to them', async () => {
  const page = await running().open('/overview');
  await page.getByRole('row', { name: 'Not approved in time 3 99.99 USDC' }).waitFor();
  await page.getByRole('link', { name: 'Show those that failed' }).click();
  await page.waitForURL(/\/transactions\?.*status=FAILED.*currency=USDC.*start_date=\d/);
});

it('says what is not counted yet, where it is more than a minute', async () => {
  answer = (url) => ({ ...figuresOf(url), counted_until: '2026-01-31T09:30:00.000Z' });
  const page = await running().open('/overview');
  await page.getByText('These figures are being brought up to date').waitFor();
  answer = (url) => ({ ...figuresOf(url), counted_until: new Date().toISOString() });
  const soon = await running().open('/overview');
  await soon.getByRole('heading', { name: 'Volume in USDC' }).waitFor();
  expect(await soon.getByText('These figures are being brought up to date').count()).toBe(0);
});

it('a refusal says the way out', async () => {
  running().refuse('GET /api/figures', 403);
  const refused = await running().open('/overview');
  await refused.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
});

it('loads within the bound of a screen', () =>
  running().expectLight(
    '/transactions',
    async (page) => page.getByRole('heading', { name: 'Transactions' }).first().waitFor(),
    [
      async (page) => {
        await page.getByRole('link', { name: 'Overview' }).first().click();
        await page.getByRole('heading', { name: 'Volume in USDC' }).waitFor();
      },
      async (page) => {
        await page.getByRole('link', { name: 'Wallets' }).first().click();
        await page.locator('.row-link').first().click();
        await page.getByRole('heading', { name: 'Balance over time' }).waitFor();
      },
    ],
  ));
