import type { Schema, Transaction } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { TRANSACTIONS, WALLET_ID } from '../testing/stub-content';

type Unrecognised = Schema<'Unrecognised'>;

const [seen] = TRANSACTIONS.filter(({ transaction_id: id }) => id === 'K7Q2ZP9X4B') as [Transaction];
const deposit = (id: string, over: Partial<Transaction>): Transaction => ({
  ...seen,
  ...{ id: `0190c6f0-7f5b-7c1e-9d2a-00000000${id}`, transaction_id: `DEPOSIT${id.slice(1)}` },
  ...over,
});
const PENDING = deposit('1001', { status: 'PENDING', confirmations: 3, confirmations_required: 12 });
const DEPOSITS = [
  PENDING,
  deposit('1002', { status: 'PENDING', confirmations: 12, confirmations_required: 12, amount: '0.00000001' }),
  deposit('1003', { status: 'COMPLETED', amount: '98765432.10000000' }),
  deposit('1004', { status: 'REVERSED' }),
  deposit('1005', { status: 'FAILED', network: null, explorer_url: null }),
];
const UNRECOGNISED: Unrecognised = {
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000ee', network: 'bep20', transaction_hash: `0x${'4e'.repeat(32)}` },
  ...{ from_address: `0x${'11'.repeat(20)}`, to_address: `0x${'22'.repeat(20)}`, token: `0x${'33'.repeat(20)}` },
  ...{ currency: 'USDT', units: '1000000', amount: '1.00000000', block_number: 7, standing: 'final' },
  ...{ reason: 'wrong_currency', wallet_id: WALLET_ID, seen_at: '2026-01-31T09:30:00.000Z' },
  explorer_url: 'https://bscscan.com/tx/0x4e',
};

let deposits: readonly Transaction[] = DEPOSITS;
let unrecognised: readonly Unrecognised[] = [UNRECOGNISED];
const pageOf = <Item>(items: readonly Item[]) => ({
  ...{ status: 'success', data: items },
  pagination: { total: items.length, page: 1, limit: 20, totalPages: Math.min(1, items.length) },
});
const nothing = () => {
  deposits = [];
  unrecognised = [];
};

const SCREENS: Screen[] = [
  { name: 'deposits', path: '/deposits', heading: 'Received and not credited' },
  { name: 'deposits-empty', path: '/deposits', heading: 'No deposits yet', prepare: nothing },
];
const running = consoleInBrowser(SCREENS, {
  'GET /api/deposits': ({ url }) =>
    pageOf(deposits.filter(({ status }) => status === (url.searchParams.get('status') ?? status))),
  'GET /api/deposits/unrecognised': () => pageOf(unrecognised),
});
beforeEach(() => {
  deposits = DEPOSITS;
  unrecognised = [UNRECOGNISED];
});

it('says of each how far it is, and where it can be looked at', async () => {
  const page = await running().open('/deposits');
  await page.getByText('3 of 12 confirmations.').waitFor();
  await page.getByText('Final; it is being checked before it is credited.').waitFor();
  await page.getByText('Credited.', { exact: true }).waitFor();
  await page.getByText('Taken back: its transfer left the chain after it was credited.').waitFor();
  await page.getByText('Not credited: its transfer is not on the chain any more.').waitFor();
  expect(await page.getByRole('progressbar', { name: `Confirmations of ${PENDING.transaction_id}` }).count()).toBe(1);
  expect(await page.getByRole('link', { name: 'Look at it on the chain' }).count()).toBe(5);
  await page.getByText('Sent to the address of a wallet in another currency.').waitFor();
});

it('shows what comes without a reload', async () => {
  const page = await running().open('/deposits');
  await page.getByText('3 of 12 confirmations.').waitFor();
  deposits = [{ ...PENDING, status: 'COMPLETED' }];
  running().stub.tell(PENDING.transaction_id);
  await page.getByText('3 of 12 confirmations.').waitFor({ state: 'detached' });
  await page.getByText('Credited.', { exact: true }).waitFor();
});

it('asks for those of a status, and for no other that the address says', async () => {
  const page = await running().open('/deposits?status=FAILED&page=x');
  await page.getByText('Not credited: its transfer').waitFor();
  expect(await page.getByText('Credited.', { exact: true }).count()).toBe(0);
  await page.getByLabel('Status').selectOption('REVERSED');
  await page.getByText('Taken back').waitFor();
  expect(page.url()).toContain('status=REVERSED');
});

it('leads to an address where there is no deposit yet', async () => {
  nothing();
  const page = await running().open('/deposits');
  await page.getByRole('img', { name: /^QR code of the address/ }).waitFor();
  expect(await page.getByText('Received and not credited').count()).toBe(0);
});

it('loads within the bound of a screen', () =>
  running().expectLight(
    '/transactions',
    async (page) => page.getByRole('heading', { name: 'Transactions' }).first().waitFor(),
    [
      async (page) => {
        await page.getByRole('link', { name: 'Deposits' }).first().click();
        await page.getByText('3 of 12 confirmations.').waitFor();
      },
    ],
  ));
