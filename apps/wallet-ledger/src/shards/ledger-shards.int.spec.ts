import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { OpenWallet, openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ChainVerifier } from '@stablecoin/event-chain/verify-chain';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Sql } from '@stablecoin/persistence/sql';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { RunningShards } from '../testing/running-shards';
import { HoldPayoutHandler } from '../payouts/hold-payout.handler';
import { OpenWalletHandler } from '../wallets/open-wallet.handler';
import { RecordDepositHandler } from '../deposits/record-deposit.handler';
import { announce } from './membership';
import { acquireLease, ensureShards, releaseLease, renewLease } from '../event-log/lease';
import { LedgerShards } from './ledger-shards';

let ledger: RunningShards;
let database: LedgerDatabase;
let client: BusClient;

beforeEach(async () => {
  ledger = await RunningShards.start();
  ({ database } = ledger.servers);
  client = new BusClient(await ledger.servers.connect(), ledger.codec);
});

afterEach(() => ledger.stop());

/** Starts the parts of a ledger instance that handle commands: its leases, its writers, its handlers on the bus. */
async function startInstance(shardCount = 1, through = database): Promise<LedgerShards> {
  const settings = { shards: shardCount, checkpointIntervalMs: 500 };
  const { shards, server, addresses, evidence } = await ledger.newInstance(settings, through);
  const [opening, depositing, holding] = [
    new OpenWalletHandler(shards, addresses),
    new RecordDepositHandler(shards, evidence),
    new HoldPayoutHandler(shards, evidence),
  ];
  server.serve(openWallet, (request) => opening.execute(request));
  server.serve(recordDeposit, (request) => depositing.execute(request));
  server.serve(holdPayout, (request) => holding.execute(request));
  await shards.onApplicationBootstrap();
  return shards;
}

const opening = (merchant_id: string) =>
  Object.assign(new OpenWallet(), commandOf({ merchant_id, currency: 'USD' as const }));

/** A merchant with this amount, all in one wallet. */
async function fundedMerchant(amount: string): Promise<string> {
  const merchant_id = randomUUID();
  const { result } = await client.call(openWallet, opening(merchant_id), { shard: 0 });
  const terms = { merchant_id, wallet_id: result.id, amount, confirmed: true };
  const deposit = Object.assign(new RecordDeposit(), commandOf(terms));
  await client.call(recordDeposit, deposit, { shard: 0 });
  return merchant_id;
}

interface Outcome {
  code: string;
  /** How often the command had to be sent again. */
  retries: number;
}

/** Sends the same command again until its outcome is known, as a careful caller does. */
async function payOut(merchant_id: string, afterMs: number): Promise<Outcome> {
  await delay(afterMs);
  const bank = { rail: 'bank' as const, bank_code: '058', sealed_destination: 'v1.sealed' };
  const terms = { currency: 'USD' as const, amount: '1', recipient_currency: 'USD' as const, exchange_rate: '1' };
  const command = Object.assign(new HoldPayout(), commandOf({ merchant_id, ...bank, ...terms }));
  for (let retries = 0; ; retries += 1) {
    try {
      const { result } = await client.call(holdPayout, command, { shard: 0 });
      return { code: result.status, retries };
    } catch (error) {
      const { code } = error as Refusal;
      if (code !== 'unavailable' && code !== 'idempotency_in_flight') return { code, retries };
      await delay(50);
    }
  }
}

const epoch = async () =>
  (await database.$queryRaw<{ epoch: bigint }[]>`SELECT epoch FROM ledger_shards WHERE shard = 0`)[0]?.epoch;

/** Expects sound books, whatever the instances did. */
async function expectSoundBooks(merchant: string, payouts: number, balance: string): Promise<void> {
  const verifier = new ChainVerifier(0);
  const rows = await readEventRows(database, 0, 0, 10_000);
  rows.forEach(({ shard, position, body: text, hash }) => verifier.follow({ shard, position, text, hash }));
  expect(verifier.fault).toBeUndefined();
  const [head] = await database.$queryRaw<{ head_position: bigint; head_hash: Uint8Array }[]>`
    SELECT head_position, head_hash FROM ledger_shards WHERE shard = 0`;
  expect(verifier.head).toEqual({ position: Number(head?.head_position), hash: Buffer.from(head?.head_hash ?? []) });
  const [sum] = await database.$queryRaw<{ sum: string }[]>`SELECT sum(balance)::text FROM account_balances`;
  expect(Number(sum?.sum)).toBe(0);
  const held = await database.$queryRaw<{ count: bigint; balance: string }[]>`
    SELECT count(*), (SELECT balance::text FROM account_balances WHERE account_id NOT LIKE '%:%') AS balance
    FROM transactions WHERE merchant_id = ${merchant}::uuid AND transaction_type = 'PAYOUT'`;
  expect(held).toEqual([{ count: BigInt(payouts), balance }]);
}

const PAYOUTS = 200;
const overTwoSeconds = (merchant: string) =>
  Promise.all(Array.from({ length: PAYOUTS }, (_, index) => payOut(merchant, index * 10)));

describe('two instances on one database', () => {
  it('accept exactly what the money covers while one takes the shard from the other', async () => {
    await startInstance();
    await startInstance();
    const merchant = await fundedMerchant('100');
    const before = await epoch();
    const payouts = overTwoSeconds(merchant);
    await delay(300);
    await eventually('the shard to change hands', async () => {
      await database.$executeRaw`DELETE FROM ledger_instances`;
      await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = now() - interval '1 second' WHERE epoch = ${before}`;
      return (await epoch()) !== before;
    });
    const outcomes = await payouts;
    const count = (code: string) => outcomes.filter((outcome) => outcome.code === code).length;
    expect({ accepted: count('PENDING'), refused: count('insufficient_funds') }).toEqual({
      accepted: 100,
      refused: 100,
    });
    await expectSoundBooks(merchant, 100, '0.00000000');
  }, 30_000);

  it('hand a shard over under load without a failed request', async () => {
    const leaving = await startInstance();
    await startInstance();
    const merchant = await fundedMerchant('200');
    const payouts = overTwoSeconds(merchant);
    await delay(300);
    await leaving.beforeApplicationShutdown();
    const outcomes = await payouts;
    expect(outcomes.filter(({ code, retries }) => code !== 'PENDING' || retries > 0)).toEqual([]);
    await expectSoundBooks(merchant, PAYOUTS, '0.00000000');
  }, 30_000);
});

/** How many shards each holder has, most first. */
async function holdings(): Promise<number[]> {
  const rows = await database.$queryRaw<{ held: bigint }[]>`
    SELECT count(*) AS held FROM ledger_shards WHERE lease_expires_at > now() GROUP BY holder ORDER BY held DESC`;
  return rows.map(({ held }) => Number(held));
}

const held = (...expected: number[]) =>
  eventually(`shards to be held ${expected.join(' and ')}`, async () => String(await holdings()) === String(expected));

describe('instances share the shards', () => {
  it('evenly as instances start and stop, and no shard moves in between', async () => {
    const first = await startInstance(5);
    await held(5);
    const second = await startInstance(5);
    await held(3, 2);
    await startInstance(5);
    await held(2, 2, 1);
    const epochs = () => database.$queryRaw`SELECT shard, epoch, holder FROM ledger_shards ORDER BY shard`;
    const before = await epochs();
    await delay(3_000);
    expect(await epochs()).toEqual(before);
    await first.beforeApplicationShutdown();
    await held(3, 2);
    await second.beforeApplicationShutdown();
    await held(5);
  }, 60_000);

  it('but not with one that has only just started and may end again', async () => {
    await startInstance(2);
    const flicker = (name: string) => database.$executeRaw`
      INSERT INTO ledger_instances (instance, joined_at, seen_at) VALUES (${name}, now(), now())`;
    for (let round = 0; round < 4; round += 1) {
      await flicker(`dies soon, ${round}`);
      await delay(600);
      expect(await holdings()).toEqual([2]);
      await database.$executeRaw`DELETE FROM ledger_instances WHERE instance = ${`dies soon, ${round}`}`;
    }
    expect(await database.$queryRaw`SELECT epoch FROM ledger_shards`).toEqual([{ epoch: 1n }, { epoch: 1n }]);
  }, 30_000);

  it('but not for long with one that reports itself alive and takes no shard', async () => {
    const alive = setInterval(() => void announce(database, 'takes nothing').catch(() => undefined), 300);
    try {
      await announce(database, 'takes nothing');
      await startInstance(4);
      await held(4);
      await delay(2_500);
      expect(await holdings()).toEqual([4]);
    } finally {
      clearInterval(alive);
    }
  }, 30_000);

  it('also with one of an older version, which holds leases and sends no heartbeat', async () => {
    await database.$executeRaw`
      INSERT INTO ledger_shards (shard, head_hash, holder, lease_expires_at)
      SELECT shard, '\\x00', 'old', CASE WHEN shard < 2 THEN now() + interval '1 hour' END FROM generate_series(0, 3) AS shard`;
    await startInstance(4);
    await held(2, 2);
  }, 30_000);
});

describe('shards that maintenance reserves', () => {
  it('are handed over and stay free, then are taken again, without a failed request', async () => {
    await startInstance(2);
    await startInstance(2);
    const merchant = await fundedMerchant('200');
    const payouts = overTwoSeconds(merchant);
    await delay(300);
    await database.$executeRaw`UPDATE ledger_shards SET reserved_until = now() + interval '1 minute'`;
    await held();
    await delay(500);
    expect(await holdings()).toEqual([]);
    await database.$executeRaw`UPDATE ledger_shards SET reserved_until = NULL`;
    await held(1, 1);
    expect((await payouts).filter(({ code, retries }) => code !== 'PENDING' || retries > 0)).toEqual([]);
    await expectSoundBooks(merchant, PAYOUTS, '0.00000000');
  }, 30_000);
});

describe('an instance that gets the signal to stop', () => {
  const freed = async () =>
    (await database.$queryRaw<{ shard: number }[]>`SELECT shard FROM ledger_shards WHERE holder IS NULL`).length === 1;

  it('waits for the shard that it is handing over', async () => {
    let commits = Promise.resolve();
    const slow = new Proxy(database, {
      get: (target, name) => {
        if (name !== 'sql') return Reflect.get(target, name) as unknown;
        return {
          $transaction: async (work: (transaction: Sql) => Promise<unknown>) => {
            await commits;
            return target.sql.$transaction(work);
          },
        };
      },
    });
    const instance = await startInstance(1, slow);
    const merchant = await fundedMerchant('1');
    let commit = (): void => undefined;
    commits = new Promise((resolve) => (commit = resolve));
    const payout = payOut(merchant, 0);
    await delay(100);
    await database.$executeRaw`UPDATE ledger_shards SET reserved_until = now() + interval '1 minute'`;
    // It looks for reservations every 250 ms.
    await delay(600);
    let stopped = false;
    const stopping = instance.beforeApplicationShutdown().then(() => (stopped = true));
    await delay(300);
    expect(stopped).toBe(false);
    commit();
    await stopping;
    expect(await freed()).toBe(true);
    expect(await payout).toEqual({ code: 'PENDING', retries: 0 });
  }, 30_000);

  it('takes no shard that becomes free only then', async () => {
    await ensureShards(database, 1);
    const lease = await acquireLease(database, 0, 'another');
    if (!lease) throw new Error('the shard is held');
    let stopping: Promise<void> | undefined;
    let stops = false;
    // The shard becomes free just before the instance looks; the signal to stop arrives before it reads the membership.
    const slow = new Proxy(database, {
      get: (target, name) => {
        if (name !== '$queryRaw') return Reflect.get(target, name) as unknown;
        return async (text: TemplateStringsArray, ...values: unknown[]) => {
          const [looks, asks] = ['AS reserved', 'AS settled'].map((part) => text.join('').includes(part));
          if (stops && looks) await releaseLease(target, lease);
          if (stops && asks) {
            stopping ??= instance.beforeApplicationShutdown();
            await delay(200);
          }
          return target.$queryRaw(text, ...values);
        };
      },
    });
    const instance = await startInstance(1, slow);
    stops = true;
    await eventually('it to stop', () => stopping !== undefined);
    await stopping;
    await delay(300);
    expect(await freed()).toBe(true);
  }, 30_000);
});

it('a lease that was released stays free, also when a renewal follows', async () => {
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, 'one');
  if (!lease) throw new Error('the shard is held');
  expect(await renewLease(database, lease)).toBe(true);
  await releaseLease(database, lease);
  expect(await renewLease(database, lease)).toBe(false);
  expect(await acquireLease(database, 0, 'another')).toBeDefined();
});

describe('a dead holder that still locks its shard', () => {
  it('costs the other instances none of their shards, and is replaced as soon as the lock ends', async () => {
    await startInstance(2);
    const owner = new LedgerDatabase({ url: ledger.servers.files.ownerUrl, applicationName: 'test', poolSize: 1 });
    // Most of RENEW_MS passes first, so that only one renewal is left before the leases lapse.
    await delay(600);
    await owner
      .$transaction(async (hung) => {
        await hung.$executeRaw`
          UPDATE ledger_shards SET epoch = epoch + 1, holder = 'hung', lease_expires_at = now() WHERE shard = 0`;
        for (let look = 0; look < 35; look += 1) {
          await delay(100);
          const [other] = await database.$queryRaw<{ held: boolean }[]>`
            SELECT lease_expires_at > now() AS held FROM ledger_shards WHERE shard = 1`;
          expect([look, other?.held]).toEqual([look, true]);
        }
      })
      .finally(() => owner.$disconnect());
    await held(2);
  }, 30_000);
});

describe('an instance that loses a shard', () => {
  it('keeps the others, also while the broker does not answer', async () => {
    await startInstance(2);
    process.kill(ledger.servers.broker.pid, 'SIGSTOP');
    try {
      await database.$executeRaw`
        UPDATE ledger_shards SET epoch = epoch + 1, lease_expires_at = now() + interval '1 minute' WHERE shard = 0`;
      for (let look = 0; look < 50; look += 1) {
        await delay(100);
        const [other] = await database.$queryRaw<{ held: boolean }[]>`
          SELECT lease_expires_at > now() AS held FROM ledger_shards WHERE shard = 1`;
        expect([look, other?.held]).toEqual([look, true]);
      }
    } finally {
      process.kill(ledger.servers.broker.pid, 'SIGCONT');
    }
  }, 30_000);
});

describe('an instance that reaches the broker but not the database', () => {
  let wire: TcpProxy;
  let wired: LedgerDatabase;

  beforeEach(async () => {
    const { proxy, through } = await TcpProxy.inFrontOf(ledger.servers.files.url);
    wire = proxy;
    wired = new LedgerDatabase({ url: through, applicationName: 'wired', poolSize: 10 });
  });

  afterEach(async () => {
    await ledger.stopInstances();
    await wired.$disconnect();
  });

  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: unknown) => (error as Refusal).code,
    );
  const openDollars = () => client.call(openWallet, opening(randomUUID()), { shard: 0 });

  it('answers `unavailable`, and does not blame the request', async () => {
    await startInstance(1, wired);
    expect(await codeOf(openDollars())).toBe('done');
    await wire.close();
    expect(await codeOf(openDollars())).toBe('unavailable');
  }, 30_000);

  it('leaves its shards to instances that reach both, and sends no answers beside theirs', async () => {
    await startInstance(1, wired);
    const merchant = await fundedMerchant('100');
    const before = await epoch();
    await startInstance();
    await wire.close();
    await eventually('the other to hold the shard', async () => (await epoch()) !== before, { timeoutMs: 10_000 });
    await eventually('one to be answered at once', async () => (await payOut(merchant, 0)).retries === 0, {
      timeoutMs: 10_000,
    });
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => payOut(merchant, index * 20)));
    expect(outcomes.filter(({ code, retries }) => code !== 'PENDING' || retries > 0)).toEqual([]);
  }, 40_000);
});

describe('an instance whose clock is an hour away from the database', () => {
  let aheadMs = 0;

  /** The database as an instance sees it whose own clock is wrong: the database's differs from it. */
  const seenWithAWrongClock = (): LedgerDatabase =>
    new Proxy(database, {
      get(target, property) {
        if (property !== '$queryRaw') return Reflect.get(target, property) as unknown;
        return async (query: TemplateStringsArray, ...values: unknown[]) => {
          const rows = await target.$queryRaw(query, ...values);
          if (!String(query.raw).includes('clock_timestamp()')) return rows;
          return (rows as { now: number }[]).map(({ now }) => ({ now: now - aheadMs }));
        };
      },
    });

  it('holds no shard until its clock is right, and hands over those that it has', async () => {
    aheadMs = 3_600_000;
    const wrong = await startInstance(2, seenWithAWrongClock());
    await delay(1_500);
    expect(await holdings()).toEqual([]);
    expect(() => wrong.writer(0)).toThrow('unavailable');
    aheadMs = 0;
    await held(2);
    // The lease comes first, and the writer when the log was judged.
    await eventually('its writers', () => [wrong.writer(0), wrong.writer(1)]);
    await startInstance(2);
    await held(1, 1);
    aheadMs = -3_600_000;
    await held(2);
    expect(() => [wrong.writer(0), wrong.writer(1)]).toThrow('unavailable');
  }, 30_000);
});
