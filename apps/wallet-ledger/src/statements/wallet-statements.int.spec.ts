import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { ListWalletEntries } from '@stablecoin/contracts/wallet/list-wallet-entries';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Money } from '@stablecoin/money/money';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from '../audit/audit-work';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { GetDailyBalancesHandler } from './get-daily-balances.handler';
import { ListWalletEntriesHandler } from './list-wallet-entries.handler';

const MERCHANT = randomUUID();
const FEE = { flat: '0.10', basis_points: 100 };
const DEPOSITS = 1_100;

let files: TestDatabase;
let reads: LedgerReads;
let writer: ShardWriter;
let wallet_id: string;
let now = Date.parse('2026-06-02T00:00:00Z');

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  reads = new LedgerReads({ url: files.url, applicationName: 'test', poolSize: 4 });
  await ensureShards(reads, 1);
  const lease = await acquireLease(reads, 0, randomUUID());
  if (!lease) throw new Error('the shard is held');
  const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date(now) };
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  writer = new ShardWriter({ database: reads, lease, ...start, deriveAddress: () => 'address', ...callbacks });
  await recordMonth();
});
afterAll(async () => {
  await writer.close();
  await reads.$disconnect();
  await files.drop();
});

const submit = (command: LedgerCommand) =>
  writer.submit({
    request: { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' },
    command,
    result: () => ({}),
  });

/** Opened on the 2nd, with deposits on the 3rd, payouts on the 4th of which one fails on the 5th, and one that comes back on the 9th. */
async function recordMonth(): Promise<void> {
  wallet_id = timeOrderedId();
  const about = { address_id: timeOrderedId(), address_index: 1, network: null, description: null, customer_id: null };
  await submit({ kind: 'OpenWallet', merchant_id: MERCHANT, currency: 'USD', wallet_id, ...about });
  now = Date.parse('2026-06-03T23:59:59.999Z');
  await Promise.all(Array.from({ length: DEPOSITS }, () => deposit('1.00000001')));
  now = Date.parse('2026-06-04T12:00:00Z');
  const [paid, failed] = [await payout('100'), await payout('5')];
  await resolve(paid, 'COMPLETED');
  now = Date.parse('2026-06-05T00:00:00Z');
  await resolve(failed, 'FAILED');
  now = Date.parse('2026-06-09T00:00:00Z');
  await resolve(paid, 'REVERSED');
}

const deposit = (amount: string) => {
  const about = {
    id: timeOrderedId(),
    reference_id: timeOrderedId(),
    wallet_id,
    amount,
    network: null,
    reference: null,
  };
  return submit({ kind: 'RecordDeposit', merchant_id: MERCHANT, ...about, confirmed: true });
};

async function payout(amount: string): Promise<string> {
  const id = timeOrderedId();
  await submit({
    ...{ kind: 'HoldPayout', merchant_id: MERCHANT, customer_id: null, id, reference_id: timeOrderedId() },
    ...{ currency: 'USD', amount, sealed_destination: 'sealed:v1.x', recipient_currency: 'USD', exchange_rate: '1' },
    ...{ network: null, fee_schedule: FEE, recipient_country: null, bank_name: null, bank_code: '011' },
  });
  return id;
}

const resolve = (transaction: string, resolution: 'COMPLETED' | 'FAILED' | 'REVERSED') =>
  submit({ kind: 'ResolvePayout', merchant_id: MERCHANT, transaction, resolution, rail_reference: null, onward: null });

const work = () => new AuditWork({ readConnections: 4 } as WalletLedgerConfiguration);
const balances = (start_date: string, end_date: string, merchant_id = MERCHANT, wallet = wallet_id) =>
  new GetDailyBalancesHandler(LedgerDatabases.only(reads), work()).execute({
    merchant_id,
    wallet_id: wallet,
    start_date,
    end_date,
  });
const entries = (asked: Partial<ListWalletEntries> = {}) =>
  new ListWalletEntriesHandler(LedgerDatabases.only(reads), work()).execute({
    ...{ merchant_id: MERCHANT, wallet_id, start_date: '2026-06-01', end_date: '2026-06-30', ...asked },
  });

const USD = (text: string) => Money.parseSigned('USD', text);

it('has what was held at the end of each UTC day', async () => {
  const { days, currency } = await balances('2026-06-01', '2026-06-09');
  expect(currency).toBe('USD');
  expect(days).toEqual([
    { day: '2026-06-01', balance: '0.00000000' },
    { day: '2026-06-02', balance: '0.00000000' },
    { day: '2026-06-03', balance: '1100.00001100' },
    { day: '2026-06-04', balance: '993.75001100' },
    ...['05', '06', '07', '08'].map((day) => ({ day: `2026-06-${day}`, balance: '998.90001100' })),
    { day: '2026-06-09', balance: '1100.00001100' },
  ]);
});

it('has no day that has not begun, and a leap year in one answer', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const year = Number(today.slice(0, 4));
  const { days } = await balances(`${year}-12-31`, `${year + 1}-12-31`);
  expect(days.every(({ day }) => day <= today)).toBe(true);
  expect((await balances('2024-01-01', '2024-12-31')).days).toHaveLength(366);
});

it('has each posting once, page after page: opening balance and their sum are the closing balance', async () => {
  const pages = [await entries()];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null)
    pages.push(await entries({ after: next }));
  expect(pages.map(({ items }) => items.length)).toEqual([500, 500, 105]);
  const items = pages.flatMap((page) => page.items);
  expect(new Set(items.map(({ position }) => position)).size).toBe(items.length);
  expect(items.map(({ position }) => position)).toEqual(items.map(({ position }) => position).sort((a, b) => a - b));
  let held = USD(pages[0]?.opening_balance ?? '');
  for (const { amount, balance_after } of items) {
    held = held.plus(USD(amount));
    expect(held.toString()).toBe(balance_after);
  }
  expect(held.toString()).toBe((await balances('2026-06-30', '2026-06-30')).days[0]?.balance ?? held.toString());
  expect(items.slice(-5).map(({ movement, amount }) => [movement, amount])).toEqual([
    ['payout-accepted', '-101.10000000'],
    ['payout-accepted', '-5.15000000'],
    ['payout-failed', '5.15000000'],
    ['payout-reversed', '100.00000000'],
    ['payout-reversed', '1.10000000'],
  ]);
});

it('begins a part of the days with what was held before', async () => {
  expect(await entries({ start_date: '2026-06-05', end_date: '2026-06-08' })).toMatchObject({
    opening_balance: '993.75001100',
    items: [{ recorded_at: '2026-06-05T00:00:00.000Z', amount: '5.15000000', balance_after: '998.90001100' }],
    next: null,
  });
  expect(await entries({ start_date: '2026-06-06', end_date: '2026-06-06' })).toMatchObject({
    opening_balance: '998.90001100',
    items: [],
  });
});

it('knows no wallet of another merchant', async () => {
  const other = { merchant_id: randomUUID() };
  await expect(entries(other)).rejects.toThrow('not_found');
  await expect(entries({ wallet_id: randomUUID() })).rejects.toThrow('not_found');
  await expect(balances('2026-06-01', '2026-06-02', randomUUID())).rejects.toThrow('not_found');
  await expect(balances('2026-06-01', '2026-06-02', MERCHANT, randomUUID())).rejects.toThrow('not_found');
});
