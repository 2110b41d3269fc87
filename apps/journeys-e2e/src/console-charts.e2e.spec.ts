/** What the console's charts and statements say of a merchant is what happened to its transactions, and is compared with the log. */
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Database } from 'pg';
import { audit, rebuild } from './audit-command';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant, setPolicy } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';
import type { Transaction } from './resources';

interface Movement {
  transaction_type: string;
  opened: string;
  completed: string;
  failed: string;
  opened_amount: string;
  settled_amount: string;
  p50_ms: string | null;
}
interface Figures {
  currency: string;
  currencies: { currency: string; transactions: string }[];
  days: { day: string; movements: Movement[] }[];
  total: Movement[];
  failures: { reason: string; transactions: string; amount: string }[];
  counted_until: string | null;
}
interface Signers {
  created_by: { kind: string; name: string | null } | null;
  approvals: { kind: string; name: string | null; is_you: boolean }[];
}

const FAILS = '0123450001';
const SETTLES = '0123456789';

let own: OwnStack;
let merchant: Client;
let walletId: string;
let othersWallet: string;
let viewer: ConsoleSession;
let approver: ConsoleSession;
let operations: ConsoleSession;
let waiting: Transaction;
let days: string;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0', CHECKPOINT_INTERVAL_MS: '300' });
  const [created, another] = [await createMerchant([], own.description), await createMerchant([], own.description)];
  merchant = new Client(own.description.base_url, created.api_key);
  const other = new Client(own.description.base_url, another.api_key);
  const today = new Date().toISOString().slice(0, 10);
  days = `start_date=${today}&end_date=${new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10)}`;
  walletId = (await dataOf(merchant.post<{ id: string }>('/wallets', { currency: 'USD' }))).id;
  othersWallet = (await dataOf(other.post<{ id: string }>('/wallets', { currency: 'USD' }))).id;
  for (const amount of ['1000', '0.5', '250.25'])
    await dataOf(merchant.post('/sandbox/deposits', { wallet_id: walletId, amount }));
  const [paid, failed] = [await pay('100.10', SETTLES), await pay('7', FAILS)];
  await eventually('both payouts have ended', async () =>
    (await Promise.all([paid, failed].map(statusOf))).every((status) => status !== 'PENDING'),
  );
  await setPolicy(
    created.merchant_id,
    {
      limits: [{ currency: 'USD', per: 'merchant', within: 'day', amount: '100000' }],
      new_destination_wait_seconds: 0,
      approval: {
        ...{ above: [{ currency: 'USD', amount: '1' }], new_destination: false, new_rail: false },
        ...{ approvers: 2, expires_after_seconds: 3_600 },
      },
    },
    own.description,
  );
  viewer = await ConsoleSession.of('viewer', created.merchant_id, own.description);
  approver = await ConsoleSession.of('approver', created.merchant_id, own.description);
  operations = await ConsoleSession.of('operations', undefined, own.description);
  waiting = await pay('20', SETTLES);
}, 500_000);
afterAll(() => own?.stop(), 90_000);

const pay = (amount: string, account_number: string) =>
  dataOf(
    merchant.post<Transaction>('/payouts/banks', {
      ...{ currency: 'USD', amount, account_number, bank_code: '011', recipient_name: 'Ada Obi' },
    }),
  );

const statusOf = async ({ transaction_id: id }: Transaction) =>
  (await dataOf(merchant.get<Transaction>(`/customers/transactions/by_txid/${id}`))).status;

async function shown<Data>(path: string, by = viewer): Promise<Data> {
  const { status, text } = await by.get(path);
  if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
  return (JSON.parse(text) as { data: Data }).data;
}

async function onLedger(statement: string): Promise<void> {
  const database = new Database({ connectionString: own.description.owner_databases['ledger'] ?? '' });
  await database.connect();
  await database.query(statement);
  await database.end();
}

it('counts what happened, to the last digit', async () => {
  const figures = await eventually('all of it is counted', async () => {
    const found = await shown<Figures>(`/figures?${days}`);
    return found.counted_until === null && found.total.length === 2 ? found : undefined;
  });
  expect(figures.currency).toBe('USD');
  expect(figures.currencies).toEqual([{ currency: 'USD', transactions: '6' }]);
  const [deposits, payouts] = figures.total;
  expect(deposits).toMatchObject({
    ...{ transaction_type: 'DEPOSIT', opened: '3', completed: '3', failed: '0' },
    ...{ opened_amount: '1250.75000000', settled_amount: '1250.75000000' },
  });
  expect(payouts).toMatchObject({
    ...{ transaction_type: 'PAYOUT', opened: '3', completed: '1', failed: '1' },
    ...{ opened_amount: '127.10000000', settled_amount: '100.10000000' },
  });
  // The sandbox settles after a while, never within the first bound.
  expect(Number(payouts?.p50_ms)).toBeGreaterThan(10);
  expect(figures.failures).toEqual([
    { transaction_type: 'PAYOUT', reason: 'not_paid_out', transactions: '1', amount: '7.00000000' },
  ]);
  const listed = await dataOf(merchant.get<Transaction[]>('/transactions?limit=100'));
  const counts = figures.days.flatMap(({ movements }) => movements.map(({ opened }) => Number(opened)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(listed.length);
});

it('has what the wallet held at the end of each day, and each posting', async () => {
  const balances = await shown<{ days: { balance: string }[] }>(`/wallets/${walletId}/balances?${days}`);
  const { balance } = await dataOf(merchant.get<{ balance: string }>(`/wallets/${walletId}`));
  expect(balances.days.at(-1)?.balance).toBe(balance);
  const csv = await viewer.get(`/wallets/${walletId}/statement.csv?${days}`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  const [header = '', opening = '', ...lines] = csv.text.trimEnd().split('\r\n');
  expect(header).toBe('recorded_at,movement,transaction_id,transaction_type,amount,balance_after,position');
  const cells = lines.map((line) => line.split(','));
  const hundredMillionths = (text: string) => BigInt(text.replace('.', ''));
  const sum = cells.reduce((total, [, , , , amount = '']) => total + hundredMillionths(amount), 0n);
  expect(hundredMillionths(opening.split(',')[5] ?? '') + sum).toBe(hundredMillionths(balance));
  expect(cells.at(-1)?.[5]).toBe(balance);
  expect(lines).toHaveLength(7);
  const pdf = await viewer.get(`/wallets/${walletId}/statement.pdf?${days}`);
  expect([pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([
    200,
    'application/pdf',
    '%PDF-',
  ]);
});

it('lists deposits, and of those that were not credited none', async () => {
  const deposits = await shown<Transaction[]>('/deposits');
  expect(deposits.map(({ amount }) => amount)).toEqual(['250.25000000', '0.50000000', '1000.00000000']);
  expect(await shown<Transaction[]>('/deposits?status=FAILED')).toEqual([]);
  expect(await shown<unknown[]>('/deposits/unrecognised')).toEqual([]);
});

it('names who approved, to who may see names', async () => {
  const { transaction_id: id } = waiting;
  const device = await approver.addPasskey();
  const { approval_hash } = await shown<{ approval_hash: string }>(`/transactions/${id}`, approver);
  const { body } = await approver.post<{ options: { challenge: string } }>(`/payouts/${id}/approve/options`, {});
  const answer = { approval_hash, response: device.shows(body.options) };
  // A member approves nothing that was asked for before it joined: this one was asked for afterwards.
  expect((await approver.post(`/payouts/${id}/approve`, answer)).status).toBe(200);
  const seen = await shown<Signers>(`/transactions/${id}/signers`, approver);
  expect(seen.approvals).toEqual([expect.objectContaining({ kind: 'person', name: 'Bola Ade', is_you: true })]);
  expect(seen.created_by).toMatchObject({ kind: 'api_key' });
  const { approvals } = await shown<Signers>(`/transactions/${id}/signers`);
  expect(approvals).toEqual([expect.objectContaining({ kind: 'person', name: null, is_you: false })]);
});

it('is for members of the merchant, and of its own wallets', async () => {
  for (const path of [
    `/figures?${days}`,
    '/deposits',
    '/deposits/unrecognised',
    `/wallets/${walletId}/balances?${days}`,
  ])
    expect([path, (await operations.get(path)).status]).toEqual([path, 403]);
  for (const path of ['balances', 'statement.csv', 'statement.pdf'])
    expect((await viewer.get(`/wallets/${othersWallet}/${path}?${days}`)).status).toBe(404);
  expect((await viewer.get('/figures?start_date=2026-01-01&end_date=2027-01-02')).status).toBe(400);
  expect((await viewer.get('/figures')).status).toBe(400);
});

it('is compared with the log, and made anew from it', async () => {
  expect((await audit(own.description, 'verify')).stdout).toContain('Intact');
  await onLedger(`UPDATE daily_figures SET amount = amount + 1 WHERE outcome = 'failed'`);
  const { stdout, code } = await audit(own.description, 'verify');
  expect(code).not.toBe(0);
  expect(stdout.match(/^!! +daily_figures .*1 differing/m)).not.toBeNull();
  expect(await rebuild(own.description, '--switch')).toMatchObject({ code: 0 });
  expect((await audit(own.description, 'verify')).stdout).toContain('Intact');
  const { failures } = await shown<Figures>(`/figures?${days}`);
  expect(failures).toMatchObject([{ amount: '7.00000000' }]);
});
