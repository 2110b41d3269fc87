import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { GetDailyFigures } from '@stablecoin/contracts/wallet/get-daily-figures';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { SETTLEMENT_BOUNDS_MS } from '@stablecoin/ledger-store/daily-figures';
import { LedgerDatabase, LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabases } from '../databases/ledger-databases';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { LogFollower } from '../followers/log-follower';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { DAILY_FIGURES } from './daily-figures-table';
import { GetDailyFiguresHandler } from './get-daily-figures.handler';

const MERCHANT = randomUUID();
const OTHER = randomUUID();
const CREATOR = { key_id: randomUUID(), signer_id: randomUUID() };
const FEE = { flat: '0.10', basis_points: 100 };
const JUNE = { start_date: '2026-06-01', end_date: '2026-06-30' };

let files: TestDatabase;
let database: LedgerDatabase;
let reads: LedgerReads;
let writer: ShardWriter;
let wallet_id: string;
let now = Date.parse('2026-06-01T00:00:00Z');

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  reads = new LedgerReads({ url: files.url, applicationName: 'test reads', poolSize: 2 });
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, randomUUID());
  if (!lease) throw new Error('the shard is held');
  const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date(now) };
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
  wallet_id = await openWallet(MERCHANT);
});
afterAll(async () => {
  await writer.close();
  await Promise.all([database.$disconnect(), reads.$disconnect()]);
  await files.drop();
});

const at = (time: string) => (now = Date.parse(time));
const submit = (command: LedgerCommand) =>
  writer.submit({
    request: { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' },
    command,
    result: () => ({}),
  });

async function openWallet(merchant_id: string): Promise<string> {
  const id = timeOrderedId();
  const about = { address_id: timeOrderedId(), address_index: 1, network: null, description: null, customer_id: null };
  await submit({ kind: 'OpenWallet', merchant_id, currency: 'USD', wallet_id: id, ...about });
  return id;
}

async function deposit(amount: string, confirmed = true): Promise<string> {
  const id = timeOrderedId();
  const about = { id, reference_id: timeOrderedId(), wallet_id, amount, network: null, reference: null };
  await submit({ kind: 'RecordDeposit', merchant_id: MERCHANT, ...about, confirmed });
  return id;
}

async function payout(amount: string): Promise<string> {
  const id = timeOrderedId();
  await submit({
    ...{
      kind: 'HoldPayout',
      merchant_id: MERCHANT,
      customer_id: null,
      id,
      reference_id: timeOrderedId(),
      currency: 'USD',
      amount,
    },
    ...{
      sealed_destination: 'sealed:v1.x',
      recipient_currency: 'USD',
      exchange_rate: '1',
      network: null,
      fee_schedule: FEE,
    },
    ...{
      recipient_country: null,
      bank_name: null,
      bank_code: '011',
      destination_hash: 'a'.repeat(64),
      created_by: CREATOR,
    },
  });
  return id;
}

const resolve = (transaction: string, resolution: 'COMPLETED' | 'FAILED' | 'REVERSED') =>
  submit({ kind: 'ResolvePayout', merchant_id: MERCHANT, transaction, resolution, rail_reference: null, onward: null });

async function follow(): Promise<void> {
  const followers = [1, 2, 3].map(() => new LogFollower(reads, 0, DAILY_FIGURES));
  await Promise.all(followers.map((follower) => follower.advance()));
  for (const follower of followers) await follower.advance();
}

const figures = (asked: Partial<GetDailyFigures> = {}) =>
  new GetDailyFiguresHandler(LedgerDatabases.only(reads)).execute({ merchant_id: MERCHANT, ...JUNE, ...asked });

const NONE = { opened: '0', completed: '0', failed: '0', reversed: '0', p50_ms: null, p95_ms: null };
const NOTHING = { opened_amount: '0.00000000', settled_amount: '0.00000000', settled_fees: '0.00000000' };
const kind = (transaction_type: string, transaction_mode: string) => ({
  ...NONE,
  ...NOTHING,
  transaction_type,
  transaction_mode,
});
const DEPOSITS = kind('DEPOSIT', 'CREDIT');
const PAYOUTS = kind('PAYOUT', 'DEBIT');

it('has nothing of a merchant without transactions', async () => {
  const nothing = { ...JUNE, currency: null, currencies: [], days: [], total: [], failures: [], counted_until: null };
  expect(await figures({ merchant_id: OTHER })).toEqual(nothing);
});

it('counts what happened to the transactions of a day on that day, exactly, and once by however many followers', async () => {
  at('2026-06-02T23:59:59.000Z');
  await deposit('1000.00000001');
  const slow = await deposit('10', false);
  const [paid, returned, failed] = [await payout('100'), await payout('50.5'), await payout('7')];
  at('2026-06-03T00:00:01.500Z');
  await resolve(paid, 'COMPLETED');
  await resolve(returned, 'COMPLETED');
  await resolve(failed, 'FAILED');
  expect((await figures()).counted_until).toBe('2026-06-01T00:00:00.000Z');
  await follow();
  const settled = {
    completed: '2',
    settled_amount: '150.50000000',
    settled_fees: '1.71000000',
    p50_ms: '2512',
    p95_ms: '2512',
  };
  const payouts = { ...PAYOUTS, opened: '3', failed: '1', opened_amount: '157.50000000', ...settled };
  const deposits = { ...DEPOSITS, opened: '2', completed: '1', opened_amount: '1010.00000001' };
  const instant = { ...deposits, settled_amount: '1000.00000001', p50_ms: '10', p95_ms: '10' };
  expect(await figures()).toMatchObject({
    ...{ currency: 'USD', currencies: [{ currency: 'USD', transactions: '5' }], counted_until: null },
    days: [{ day: '2026-06-02', movements: [instant, payouts] }],
    total: [instant, payouts],
    failures: [{ transaction_type: 'PAYOUT', reason: 'not_paid_out', transactions: '1', amount: '7.00000000' }],
  });
  at('2026-06-04T12:00:00.000Z');
  await resolve(returned, 'REVERSED');
  await submit({ kind: 'FailDeposit', merchant_id: MERCHANT, transaction: slow });
  await deposit('1');
  await follow();
  const later = await figures();
  const reversed = { ...payouts, reversed: '1', settled_amount: '100.00000000', settled_fees: '1.10000000' };
  expect(later.days).toEqual([
    { day: '2026-06-02', movements: [{ ...instant, failed: '1' }, reversed] },
    {
      day: '2026-06-04',
      movements: [
        {
          ...DEPOSITS,
          opened: '1',
          completed: '1',
          opened_amount: '1.00000000',
          settled_amount: '1.00000000',
          p50_ms: '10',
          p95_ms: '10',
        },
      ],
    },
  ]);
  expect(later.total).toEqual([
    expect.objectContaining({ opened: '3', completed: '2', settled_amount: '1001.00000001' }),
    reversed,
  ]);
  expect(later.failures).toContainEqual(
    expect.objectContaining({ reason: 'deposit_not_final', amount: '10.00000000' }),
  );
  expect((await figures({ start_date: '2026-06-03' })).days.map(({ day }) => day)).toEqual(['2026-06-04']);
  expect(await figures({ currency: 'EUR' })).toMatchObject({ currency: 'EUR', days: [], total: [] });
  expect(await figures({ merchant_id: OTHER, currency: 'USD' })).toMatchObject({ days: [], currencies: [] });
});

it('says which payouts were rejected, and which had no approval in time', async () => {
  at('2026-06-05T00:00:00.000Z');
  const above = [{ currency: 'USD', amount: '0.00000001' }] as const;
  const approval = {
    above: [...above],
    new_destination: false,
    new_rail: false,
    approvers: 1,
    expires_after_seconds: 60,
  };
  const limits = [{ currency: 'USD', per: 'merchant', within: 'payment', amount: '100' }] as const;
  const policy = { limits: [...limits], new_destination_wait_seconds: 0, approval };
  await submit({ kind: 'ChangePolicy', merchant_id: MERCHANT, policy, changed_by: 'a spec', reason: 'a spec' });
  const [rejected, forgotten] = [await payout('3'), await payout('4')];
  await submit({
    kind: 'RejectPayout',
    merchant_id: MERCHANT,
    transaction: rejected,
    signer: { key_id: randomUUID(), signer_id: randomUUID() },
  });
  at('2026-06-05T00:02:00.000Z');
  await submit({ kind: 'EndPayoutWait', merchant_id: MERCHANT, transaction: forgotten });
  await follow();
  const { failures } = await figures({ start_date: '2026-06-05' });
  expect(failures.map(({ reason, amount }) => [reason, amount])).toEqual([
    ['approval_expired', '4.00000000'],
    ['rejected', '3.00000000'],
  ]);
});

it('reads percentiles from bounds that are a quarter apart', async () => {
  at('2026-06-10T00:00:00.000Z');
  await submit({
    ...{ kind: 'ChangePolicy', merchant_id: MERCHANT, changed_by: 'a spec', reason: 'a spec' },
    policy: {
      limits: [{ currency: 'USD', per: 'merchant', within: 'payment', amount: '100' }],
      new_destination_wait_seconds: 0,
    },
  });
  const opened: string[] = [];
  for (let number = 0; number < 20; number += 1) opened.push(await payout('1'));
  for (const [index, id] of opened.entries()) {
    at(new Date(Date.parse('2026-06-10T00:00:00.000Z') + (index + 1) * 1_000).toISOString());
    await resolve(id, 'COMPLETED');
  }
  await follow();
  const [day] = (await figures({ start_date: '2026-06-10' })).days;
  // 10 and 19 seconds, exactly; the first bounds that are not below.
  expect(day?.movements).toEqual([expect.objectContaining({ p50_ms: '10000', p95_ms: '19953' })]);
  expect(
    SETTLEMENT_BOUNDS_MS.every((bound, index, all) => index === 0 || bound / (all[index - 1] as number) < 1.31),
  ).toBe(true);
});

it.each([
  [{ start_date: '2026-06-02', end_date: '2026-06-01' }],
  [{ start_date: '2026-01-01', end_date: '2027-01-02' }],
  [{ start_date: '2026-02-30', end_date: '2026-03-01' }],
])('refuses %j', (range) => {
  expect(() => validateRequest(GetDailyFigures, { merchant_id: MERCHANT, ...range })).toThrow('validation_failed');
});

it('takes a leap year as a whole', () => {
  const range = { start_date: '2028-01-01', end_date: '2028-12-31' };
  expect(validateRequest(GetDailyFigures, { merchant_id: MERCHANT, ...range })).toMatchObject(range);
});
