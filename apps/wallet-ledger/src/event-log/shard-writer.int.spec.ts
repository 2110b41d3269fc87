import { createHash, randomUUID } from 'node:crypto';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { acquireLease, ensureShards, Lease, settledHead } from './lease';
import { ShardWriter } from './shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';

const merchant_id = randomUUID();
const addresses = new DepositAddresses(Buffer.alloc(64, 7));
let files: TestDatabase;
let database: LedgerDatabase;
let lease: Lease;
let writer: ShardWriter;
let leaseLost = 0;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  await ensureShards(database, 1);
  ({ lease, writer } = await takeOver());
});

afterAll(async () => {
  await database.$disconnect();
  await files.drop();
});

async function takeOver(lastRecordedAt = '2026-01-01T00:00:00.000Z') {
  const taken = await acquireLease(database, 0, randomUUID());
  if (!taken) throw new Error('the shard is held');
  const head = await settledHead(database, taken);
  if (!head) throw new Error('no head');
  const options = {
    database,
    lease: taken,
    head,
    lastRecordedAt,
    deriveAddress: addresses.derive.bind(addresses),
    now: () => new Date(),
    onCommit: () => undefined,
    onLeaseLost: () => (leaseLost += 1),
  };
  return { lease: taken, writer: new ShardWriter(options) };
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

function submit(command: LedgerCommand, command_id = randomUUID(), input: unknown = command, to = writer) {
  const request = { merchant_id, command_id, input_hash: hashOf(input) };
  return to.submit({ request, command, result: () => ({ command: command.kind }) });
}

/** As a merchant repeats what was refused as unavailable: each of the pool's connections that were cut refuses once. */
async function untilAnswered<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  try {
    return await ask();
  } catch (error) {
    if ((error as Refusal).code !== 'unavailable') throw error;
    return untilAnswered(ask);
  }
}

const owner = { merchant_id, customer_id: null };
const openUsd = (): LedgerCommand => ({
  kind: 'OpenWallet',
  ...owner,
  wallet_id: timeOrderedId(),
  address_id: timeOrderedId(),
  address_index: 1,
  currency: 'USD',
  network: null,
  description: null,
});

const hold = (amount: string): LedgerCommand => ({
  kind: 'HoldPayout',
  ...owner,
  id: timeOrderedId(),
  reference_id: timeOrderedId(),
  currency: 'USD',
  amount,
  network: null,
  sealed_destination: 'v1.sealed',
  bank_name: null,
  bank_code: '058',
  recipient_currency: 'USD',
  recipient_country: null,
  exchange_rate: '1',
  fee_schedule: null,
});

async function walletId(): Promise<string> {
  const wallet = await database.wallet.findFirstOrThrow({ where: { merchantId: merchant_id, currency: 'USD' } });
  return wallet.id;
}

const deposit = async (amount: string): Promise<LedgerCommand> => ({
  kind: 'RecordDeposit',
  merchant_id,
  id: timeOrderedId(),
  reference_id: timeOrderedId(),
  wallet_id: await walletId(),
  amount,
  network: null,
  reference: null,
  confirmed: true,
});

/** Every table as text, to see whether anything at all has changed. */
async function wholeDatabase(): Promise<string> {
  const tables = [
    'ledger_events',
    'command_results',
    'account_balances',
    'wallets',
    'transactions',
    'closed_customers',
  ];
  const dumps = await Promise.all(
    tables.map((table) =>
      database.$queryRawUnsafe(`SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${table} t`),
    ),
  );
  return JSON.stringify(dumps);
}

async function balance(): Promise<string> {
  const [row] = await database.$queryRaw<{ balance: string }[]>`
    SELECT balance::text FROM account_balances WHERE account_id = ${await walletId()}`;
  return row?.balance ?? 'none';
}

describe('the one writer of a shard', () => {
  it('commits events, projections and the result of a command together', async () => {
    await expect(submit(openUsd())).resolves.toEqual({ result: { command: 'OpenWallet' }, replayed: false });
    await submit(await deposit('100'));
    expect(await balance()).toBe('100.00000000');
  });

  it('accepts exactly what the money covers of 200 payouts that arrive together', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => submit(hold('1'))));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(outcomes.length - refused.length).toBe(100);
    expect(refused.every(({ reason }) => (reason as Refusal).code === 'insufficient_funds')).toBe(true);
    expect(await balance()).toBe('0.00000000');
  });

  it('leaves every table as it was when it refuses', async () => {
    const before = await wholeDatabase();
    await expect(submit(hold('1'))).rejects.toMatchObject({ code: 'insufficient_funds' });
    await expect(submit(openUsd())).rejects.toMatchObject({ code: 'wallet_exists' });
    expect(await wholeDatabase()).toBe(before);
  });

  it('answers a repeated command with its stored result, and does nothing else', async () => {
    const command = await deposit('5');
    const id = randomUUID();
    await submit(command, id);
    const before = await wholeDatabase();
    await expect(submit(command, id)).resolves.toMatchObject({ replayed: true });
    await expect(submit(command, id, 'another input')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await wholeDatabase()).toBe(before);
  });

  it('refuses a command with an objection, unless it took effect before', async () => {
    const command = { ...openUsd(), currency: 'GBP' } as LedgerCommand;
    const request = { merchant_id, command_id: randomUUID(), input_hash: hashOf(command) };
    const objected = { ...request, objection: 'kyc_required' as const };
    const send = (as: typeof request) => writer.submit({ request: as, command, result: () => 'done' });
    const before = await wholeDatabase();
    await expect(send(objected)).rejects.toMatchObject({ code: 'kyc_required' });
    expect(await wholeDatabase()).toBe(before);
    await send(request);
    await expect(send(objected)).resolves.toEqual({ result: 'done', replayed: true });
  });

  it('lets one of a hundred identical commands take effect, and a refused one be retried', async () => {
    const id = randomUUID();
    const command = hold('50');
    await expect(submit(command, id)).rejects.toMatchObject({ code: 'insufficient_funds' });
    await submit(await deposit('45'));
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => submit(command, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance()).toBe('0.00000000');
  });

  it('commits nothing once another writer has the lease', async () => {
    await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() - interval '1 second'`;
    const late = writer;
    const next = await takeOver();
    const before = await wholeDatabase();
    await expect(submit(await deposit('7'), randomUUID(), 'late', late)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await wholeDatabase()).toBe(before);
    expect(leaseLost).toBe(1);
    expect(next.lease.epoch).toBeGreaterThan(lease.epoch);
    writer = next.writer;
    await submit(await deposit('7'));
    expect(await balance()).toBe('7.00000000');
  });

  it('knows whether a commit whose connection broke took effect', async () => {
    for (let round = 0; round < 10; round += 1) {
      const before = await balance();
      const id = randomUUID();
      const command = await deposit('1');
      const pending = submit(command, id).then(
        () => 'committed',
        (error: unknown) => (error as Refusal).code,
      );
      await database.$executeRaw`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.catch(() => 0);
      const outcome = await pending;
      expect(['committed', 'unavailable']).toContain(outcome);
      const retried = await untilAnswered(() => submit(command, id));
      if (outcome === 'committed') expect(retried.replayed).toBe(true);
      expect(Number(await balance())).toBe(Number(before) + 1);
    }
  }, 30_000);

  it('judges by its clock what has expired, though the log is an hour ahead and its times never go back', async () => {
    await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() - interval '1 second'`;
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    ({ writer } = await takeOver(ahead));
    await submit({ ...openUsd(), currency: 'EUR' } as LedgerCommand);
    await submit(await deposit('10'));
    const swap = (afterMs: number): LedgerCommand => ({
      kind: 'PostSwap',
      ...owner,
      debit_id: timeOrderedId(),
      credit_id: timeOrderedId(),
      swap_id: timeOrderedId(),
      from_currency: 'USD',
      to_currency: 'EUR',
      from_amount: '1',
      to_amount: '0.9',
      quoted_price: '0.9',
      valid_until: new Date(Date.now() + afterMs).toISOString(),
    });
    await expect(submit(swap(-1))).rejects.toMatchObject({ code: 'quote_expired' });
    await submit(swap(60_000));
    const [last] = await database.$queryRaw<{ recorded_at: Date }[]>`
      SELECT recorded_at FROM ledger_events ORDER BY position DESC LIMIT 1`;
    expect(last?.recorded_at.toISOString()).toBe(ahead);
  });

  it.each([
    'UPDATE ledger_events SET body = body',
    'DELETE FROM ledger_events',
    'TRUNCATE ledger_events',
    'DROP TABLE ledger_events',
    'ALTER TABLE ledger_events DROP COLUMN hash',
    'ALTER TABLE ledger_events DISABLE TRIGGER ALL',
    'DROP TRIGGER ledger_events_are_append_only ON ledger_events',
    'CREATE OR REPLACE FUNCTION refuse_to_change_the_log() RETURNS trigger LANGUAGE sql AS $$ SELECT 1 $$',
    'SET session_replication_role = replica',
    'CREATE RULE none AS ON INSERT TO ledger_events DO INSTEAD NOTHING',
    'UPDATE command_results SET result = result',
    'DELETE FROM command_results',
  ])('may not change the log: %s', async (statement) => {
    await expect(database.$executeRawUnsafe(statement)).rejects.toThrow(/permission denied|must be owner/);
  });
});
