import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProveLiability } from '@stablecoin/contracts/wallet/prove-liability';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { originOf } from '@stablecoin/event-proofs/checkpoint';
import {
  liabilitiesOriginOf,
  LiabilityStatement,
  readLiabilities,
} from '@stablecoin/event-proofs/liabilities/liability-statement';
import { owedOf, printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { verifyLiability } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { EMPTY_ROOT } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { readEventRows, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { LiabilityRow } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { countedAt } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { Currency } from '@stablecoin/money/currency';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from '../audit/audit-work';
import { ProveLiabilityHandler } from '../audit/prove-liability.handler';
import { Checkpointer } from '../checkpoints/checkpointer';
import { acquireLease, ensureShards, settledHead } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { LiabilitiesContradicted, LiabilityMaker, ShardsMoving } from './liability-maker';
import { StatementMemoryFile } from './statement-memory';

const SEED = Buffer.alloc(32, 5);
const signer = new NoteSigner(liabilitiesOriginOf('ledger.test'), SEED);
const keys = [{ publicKey: signer.publicKey }];
const work = new AuditWork(Object.assign(new WalletLedgerConfiguration(), { poolSize: 20 }));
let files: TestDatabase;
let database: LedgerDatabase;
let owner: LedgerDatabase;
let shards: { writer: ShardWriter; checkpointer: Checkpointer; merchant_id: string }[];
let maker: LiabilityMaker;
let clock = Date.parse('2026-01-01T23:50:00.000Z');
const now = () => new Date((clock += 1_000));

beforeEach(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 6 });
  owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 1 });
  // The third one stays empty.
  await ensureShards(database, 3);
  shards = await Promise.all([0, 1].map(shardOf));
  maker = new LiabilityMaker({ database, signer, intervalMs: 60_000, now });
});

afterEach(async () => {
  await Promise.all([database.$disconnect(), owner.$disconnect()]);
  await files.drop();
});

async function shardOf(shard: number) {
  const lease = await acquireLease(database, shard, randomUUID());
  const head = lease && (await settledHead(database, lease));
  if (!lease || !head) throw new Error('the shard is held');
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  const writer = new ShardWriter({
    ...{ database, lease, head, now, ...callbacks },
    deriveAddress: () => '',
    lastRecordedAt: '',
  });
  const checkpointer = new Checkpointer({
    ...{ database, lease, now, intervalMs: 60_000 },
    signer: new NoteSigner(originOf('ledger.test', shard), SEED),
    connection: { publish: () => undefined },
  });
  return { writer, checkpointer, merchant_id: randomUUID() };
}

const heldShard = (shard: number) => shards[shard] as (typeof shards)[0];

async function submit(shard: number, command: LedgerCommand): Promise<void> {
  const request = { merchant_id: command.merchant_id, command_id: randomUUID(), input_hash: '' };
  await heldShard(shard).writer.submit({ request, command, result: () => ({}) });
}

const ownerOf = (shard: number) => ({ merchant_id: heldShard(shard).merchant_id, customer_id: null });

async function openWallet(
  shard: number,
  currency: Currency = 'USD',
  customer_id: string | null = null,
): Promise<string> {
  const wallet_id = timeOrderedId();
  const about = { address_id: timeOrderedId(), address_index: 1, description: null, network: null } as const;
  await submit(shard, { kind: 'OpenWallet', ...ownerOf(shard), customer_id, wallet_id, currency, ...about });
  return wallet_id;
}

async function deposit(shard: number, wallet_id: string, amount: string, confirmed = true): Promise<void> {
  const { merchant_id } = ownerOf(shard);
  const ids = { id: timeOrderedId(), reference_id: timeOrderedId(), merchant_id, wallet_id };
  await submit(shard, { kind: 'RecordDeposit', ...ids, amount, network: null, reference: 'a deposit', confirmed });
}

async function holdPayout(shard: number, amount: string, currency: Currency = 'USD'): Promise<string> {
  const id = timeOrderedId();
  await submit(shard, {
    ...{ kind: 'HoldPayout', ...ownerOf(shard), id, reference_id: timeOrderedId(), currency, amount, network: null },
    ...{ sealed_destination: 'v1.sealed', bank_name: 'a bank', bank_code: '058', exchange_rate: '1500' },
    ...{ recipient_currency: 'NGN', recipient_country: null, fee_schedule: { flat: '0.25', basis_points: 100 } },
  });
  return id;
}

async function resolve(shard: number, transaction: string, resolution: 'COMPLETED' | 'FAILED' | 'REVERSED') {
  const { merchant_id } = ownerOf(shard);
  const about = { rail_reference: 'rail-1', onward: null };
  await submit(shard, { kind: 'ResolvePayout', merchant_id, transaction, resolution, ...about });
}

const swap = (shard: number) =>
  submit(shard, {
    ...{ kind: 'PostSwap', ...ownerOf(shard), debit_id: timeOrderedId(), credit_id: timeOrderedId() },
    ...{ swap_id: timeOrderedId(), from_currency: 'USD', to_currency: 'EUR', from_amount: '10', to_amount: '9.9' },
    ...{ quoted_price: '0.99', valid_until: '9999-12-31T23:59:59.999Z' },
  });

const sign = () => Promise.all(shards.map(({ checkpointer }) => checkpointer.make()));
const prove = (shard: number, wallet_id: string) => {
  const request = Object.assign(new ProveLiability(), { merchant_id: heldShard(shard).merchant_id, wallet_id });
  return new ProveLiabilityHandler(LedgerDatabases.only(database), work).execute(request);
};
const refusalOf = async (asked: Promise<unknown>) => ((await asked.catch((error: unknown) => error)) as Refusal).code;
const statementIn = (row: LiabilityRow | undefined) => readLiabilities(row?.note ?? '') as LiabilityStatement;

/** What the log says of each wallet at the statement's positions: every posting, event by event, and no projection. */
async function foldOf({ shards: places }: LiabilityStatement) {
  const wallets = new Map<string, { currency: string; balance: bigint; held: bigint }>();
  const payers = new Map<string, string>();
  for (const { shard, size } of places) {
    for (const { body, position } of await readEventRows(database, shard, 0, 10_000)) {
      const { event } = recordedEvent(body);
      if (position > size) break;
      if (event.type === 'WalletOpened') {
        wallets.set(event.wallet_id, { currency: event.currency, balance: 0n, held: 0n });
      }
      if (event.type !== 'DebitPosted' && event.type !== 'CreditPosted') continue;
      if (event.type === 'DebitPosted' && event.opens) payers.set(event.opens.id, event.opens.wallet_id);
      const units = BigInt(event.amount.replace('.', '')) * (event.type === 'CreditPosted' ? 1n : -1n);
      const payer = event.account_id.startsWith('payout-clearing') ? payers.get(event.transaction) : undefined;
      const wallet = wallets.get(payer ?? event.account_id);
      if (wallet && payer) wallet.held += units;
      else if (wallet) wallet.balance += units;
    }
  }
  return wallets;
}

/** Expects each sum to be that of the fold, and each wallet to have a proof that says what the fold says. */
async function expectSound(row: LiabilityRow | undefined): Promise<void> {
  const statement = statementIn(row);
  const wallets = await foldOf(statement);
  for (const { currency, sum } of statement.owed) {
    const owed = [...wallets.values()].filter((wallet) => wallet.currency === currency).map(owedOf);
    expect([currency, sum]).toEqual([currency, owed.reduce((total, one) => total + one, 0n)]);
  }
  expect(statement.owed.map(({ currency }) => currency)).toEqual(
    [...new Set([...wallets.values()].map(({ currency }) => currency))].sort(),
  );
  const merchants = await database.$queryRaw<{ id: string; shard: number }[]>`SELECT id::text, shard FROM wallets`;
  for (const { id, shard } of merchants) {
    const wallet = wallets.get(id);
    if (!wallet) continue;
    const { liability, statement: named } = verifyLiability(await prove(shard, id), keys);
    expect(liability).toEqual({ wallet_id: id, balance: wallet.balance, held: wallet.held });
    expect(named.number).toBe(statement.number);
  }
}

/** Wallets on both shards, with all that moves money; some of it over midnight. */
async function traffic(): Promise<string> {
  const usd = await openWallet(0);
  await openWallet(0, 'EUR');
  const other = await openWallet(1);
  await openWallet(1, 'USDT');
  await deposit(0, usd, '1000');
  await deposit(0, usd, '7', false);
  await deposit(1, other, '250.12345678'.slice(0, 6));
  await swap(0);
  await resolve(0, await holdPayout(0, '10'), 'COMPLETED');
  await resolve(0, await holdPayout(0, '20'), 'FAILED');
  await holdPayout(0, '30.50');
  await holdPayout(1, '5');
  clock += 86_400_000;
  await holdPayout(0, '40');
  return usd;
}

it('waits until every shard with events is signed; then it signs all wallets of all shards', async () => {
  expect(await maker.make()).toBeUndefined();
  await traffic();
  await heldShard(0).checkpointer.make();
  expect(await maker.make()).toBeUndefined();
  await sign();
  const made = await maker.make();
  expect(statementIn(made).shards[2]).toEqual({ shard: 2, size: 0, root: EMPTY_ROOT });
  await expectSound(made);
});

it('speaks of the last checkpoints, whatever was committed since', async () => {
  const usd = await traffic();
  const [first, second] = [await holdPayout(0, '50'), await holdPayout(0, '60')];
  const returned = await holdPayout(0, '70');
  await resolve(0, returned, 'COMPLETED');
  await sign();
  await resolve(0, first, 'COMPLETED');
  await resolve(0, second, 'FAILED');
  await resolve(0, returned, 'REVERSED');
  await holdPayout(0, '3');
  await resolve(0, await holdPayout(0, '4'), 'FAILED');
  await deposit(0, usd, '99');
  await swap(0);
  const later = await openWallet(0, 'USD', randomUUID());
  await deposit(0, later, '1');
  await expectSound(await maker.make());
  expect(await refusalOf(prove(0, later))).toBe('proof_pending');
  await sign();
  await expectSound(await maker.make());
  expect(verifyLiability(await prove(0, later), keys).owed).toBe(1_00000000n);
});

it('gives a merchant the proofs of its own wallets alone, once there is a statement', async () => {
  const usd = await traffic();
  expect(await refusalOf(prove(0, usd))).toBe('proof_pending');
  await sign();
  await maker.make();
  expect(await refusalOf(prove(1, usd))).toBe('not_found');
  expect(await refusalOf(prove(0, randomUUID()))).toBe('not_found');
  const { path } = await prove(0, usd);
  expect(path).toHaveLength(8);
});

it('signs nothing while nothing new is signed, and keeps the trees of two statements', async () => {
  const usd = await traffic();
  for (let round = 0; round < 4; round += 1) {
    await deposit(0, usd, '1');
    await sign();
    expect(statementIn(await maker.make()).number).toBe(round + 1);
    expect(await maker.make()).toBeUndefined();
  }
  const numbers = await database.$queryRaw<{ number: bigint }[]>`
    SELECT DISTINCT number FROM ledger_liability_tiles ORDER BY number`;
  expect(numbers.map(({ number }) => Number(number))).toEqual([3, 4]);
});

/** What is asked meanwhile is asked with a merchant's key of this mode. */
const withKey = <Result>(mode: 'test' | 'live', work: () => Promise<Result>): Promise<Result> => {
  const caller = { service: 'gateway', request: { by: 'gateway', merchant_id: '', mode, mac: '' } };
  return withRequestContext({ ...freshRequestContext(), caller }, work);
};

describe('live and test', () => {
  let [played, owned] = ['', ''];
  const stated = async () => {
    await sign();
    const row = await maker.make();
    return Object.fromEntries(statementIn(row).owed.map(({ currency, sum }) => [currency, Number(sum / 100000000n)]));
  };
  beforeEach(async () => {
    played = await withKey('test', () => openWallet(0));
    owned = await withKey('live', () => openWallet(1));
    await deposit(0, played, '7');
    await deposit(1, owned, '5');
  });

  it('are apart, and each wallet has a proof of where it counts', async () => {
    // As a payout that comes back for a closed customer opens it, without a key.
    await deposit(0, await openWallet(0, 'USD', randomUUID()), '2');
    expect(await stated()).toEqual({ USD: 5, 'USD/test': 9 });
    const provedAs = async (shard: number, id: string) => verifyLiability(await prove(shard, id), keys).stated.currency;
    expect([await provedAs(0, played), await provedAs(1, owned)]).toEqual(['USD/test', 'USD']);
  });

  it('a merchant whose wallets were opened in both, or in none, counts as live', async () => {
    await withKey('live', () => openWallet(0, 'EUR'));
    expect(await stated()).toEqual({ EUR: 0, USD: 12 });
  });

  it('are what the log says at the position, whatever was asked since', async () => {
    await sign();
    await withKey('live', () => openWallet(0, 'EUR'));
    expect(statementIn(await maker.make()).owed.map(({ currency }) => currency)).toEqual(['USD', 'USD/test']);
  });

  it('are the same however many openings are read at once', async () => {
    await withKey('test', () => openWallet(0, 'EUR', randomUUID()));
    await openWallet(0, 'USD', randomUUID());
    await withKey('live', () => openWallet(1, 'EUR', randomUUID()));
    await withKey('test', () => openWallet(1, 'USD', randomUUID()));
    const place = { form: 2, shards: [0, 1].map((shard) => ({ shard, size: 100 })) } as const;
    for (const atOnce of [1, 2, 3, 6, 7]) {
      expect((await countedAt([{ sql: database, positions: place.shards }], place, atOnce)).testMerchants).toEqual([
        ownerOf(0).merchant_id,
      ]);
    }
  });

  it('are not what a row of a wallet says: an event speaks of its own wallet', async () => {
    const { merchant_id } = ownerOf(1);
    const own = { merchant_id: randomUUID(), customer_id: null, wallet_id: timeOrderedId(), currency: 'USD' } as const;
    const about = { address_id: timeOrderedId(), address_index: 2, description: null, network: null } as const;
    await withKey('test', () => submit(1, { kind: 'OpenWallet', ...own, ...about }));
    await owner.$executeRawUnsafe(`
      UPDATE wallets SET position = (SELECT position FROM wallets WHERE id = '${own.wallet_id}')
      WHERE merchant_id = '${merchant_id}'`);
    expect(await stated()).toEqual({ USD: 5, 'USD/test': 7 });
  });
});

it('of two instances, one makes the statement', async () => {
  await traffic();
  await sign();
  const outcomes = await Promise.allSettled([maker.make(), maker.make(), maker.make()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1);
  const [row] = await database.$queryRaw<
    { statements: bigint }[]
  >`SELECT count(*) AS statements FROM ledger_liabilities`;
  expect(Number(row?.statements)).toBe(1);
  const [tiles] = await database.$queryRaw<{ tiles: bigint }[]>`SELECT count(*) AS tiles FROM ledger_liability_tiles`;
  expect(Number(tiles?.tiles)).toBe(3);
});

describe('what it has signed last, kept outside Postgres', () => {
  let directory: string;
  let remembering: LiabilityMaker;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'statements-'));
    const memory = new StatementMemoryFile(directory);
    remembering = new LiabilityMaker({ database, signer, intervalMs: 60_000, now, memory });
    await traffic();
    await sign();
    for (const table of ['ledger_liabilities', 'ledger_liability_tiles'])
      await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const goOn = async () => {
    await deposit(0, await openWallet(0, 'GBP'), '1');
    await sign();
  };

  it('is continued', async () => {
    expect(await remembering.make()).toMatchObject({ number: 1 });
    await goOn();
    expect(await remembering.make()).toMatchObject({ number: 2 });
  });

  it.each([
    ['was deleted', 'DELETE FROM ledger_liabilities', 'statement 1, which was signed at \\S+, is gone'],
    [
      'is another one now',
      `UPDATE ledger_liabilities SET note = replace(note, 'number', 'Number')`,
      'statement 1, which was signed at \\S+, is another',
    ],
  ])('%s: no other one takes its number', async (_what, statement, problem) => {
    await remembering.make();
    await goOn();
    await owner.$executeRawUnsafe(statement);
    const error: unknown = await remembering.make().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LiabilitiesContradicted);
    expect((error as Error).message).toMatch(new RegExp(`^${problem}$`));
  });
});

describe('signs nothing, and stores nothing, where', () => {
  it.each([
    [
      'a wallet’s balance was changed',
      `UPDATE account_balances SET balance = balance - 1 WHERE account_id NOT LIKE '%:%' AND balance > 1`,
    ],
    ['a house account was', `UPDATE account_balances SET balance = balance - 1 WHERE account_id = 'external:bank:USD'`],
    [
      'a pending payout was',
      `UPDATE transactions SET amount = amount - 1 WHERE status = 'PENDING' AND transaction_type = 'PAYOUT'`,
    ],
    ['a wallet was removed', `DELETE FROM wallets WHERE currency = 'EUR'`],
    [
      'a checkpoint is another key’s',
      `UPDATE ledger_checkpoints SET note = replace(note, 'ledger.test', 'other.test')`,
    ],
  ])('%s', async (_what, statement) => {
    await traffic();
    await sign();
    await owner.$executeRawUnsafe(`ALTER TABLE ledger_checkpoints DISABLE TRIGGER USER`);
    await owner.$executeRawUnsafe(statement);
    await expect(maker.make()).rejects.toThrow(LiabilitiesContradicted);
    const [row] = await database.$queryRaw<{ tiles: bigint }[]>`SELECT count(*) AS tiles FROM ledger_liability_tiles`;
    expect(Number(row?.tiles)).toBe(0);
  });
});

it('counts a wallet below zero as zero, and lowers nothing that is owed to others', async () => {
  const usd = await traffic();
  const wallet = (
    await foldOf({ ...statementIn(undefined), shards: [{ shard: 0, size: 10_000, root: EMPTY_ROOT }] })
  ).get(usd);
  const taken = printUnits((wallet?.balance ?? 0n) + 5_00000000n);
  await owner.$executeRawUnsafe(
    `UPDATE account_balances SET balance = balance - ${taken}, reversed_deposits = ${taken} WHERE account_id = '${usd}'`,
  );
  await owner.$executeRawUnsafe(
    `UPDATE account_balances SET balance = balance + ${taken} WHERE account_id = 'external:bank:USD' AND shard = 0`,
  );
  await sign();
  await maker.make();
  const proved = verifyLiability(await prove(0, usd), keys);
  expect(proved.liability.balance).toBe(-5_00000000n);
  expect(proved.owed).toBe(wallet?.held);
  const other = (await foldOf({ ...proved.statement })).values();
  const others = [...other].filter(
    ({ currency, held, balance }) => currency === 'USD' && balance + held < 900_00000000n,
  );
  expect(proved.stated.sum).toBe((wallet?.held ?? 0n) + others.map(owedOf).reduce((sum, one) => sum + one, 0n));
});

it('makes none while a shard moves, and was found in two databases or in none, and one as soon as it is in one', async () => {
  await traffic();
  await sign();
  const otherFiles = await createTestDatabase('ledger');
  const other = new LedgerDatabase({ url: otherFiles.ownerUrl, applicationName: 'test', poolSize: 2 });
  const ofBoth = new LiabilityMaker({ database, others: [other], signer, intervalMs: 60_000, now });
  const place = async (here: string | null, there: string | null) => {
    await owner.$executeRaw`UPDATE ledger_shards SET moved_to = ${here} WHERE shard = 1`;
    await other.$executeRaw`
      INSERT INTO ledger_shards (shard, head_hash, moved_to) VALUES (1, ${EMPTY_ROOT}, ${there})
      ON CONFLICT (shard) DO UPDATE SET moved_to = excluded.moved_to`;
  };
  await place(null, null);
  await expect(ofBoth.make()).rejects.toThrow(ShardsMoving);
  await place('b', 'home');
  await expect(ofBoth.make()).rejects.toThrow(ShardsMoving);
  await place(null, 'home');
  expect(await ofBoth.make()).toMatchObject({ number: 1 });
  await other.$disconnect();
  await otherFiles.drop();
});
