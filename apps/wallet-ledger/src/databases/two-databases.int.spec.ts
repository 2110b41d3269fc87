import { createHash, randomUUID } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { explainBalance } from '@stablecoin/contracts/wallet/explain-balance';
import { explainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { findDepositAddress } from '@stablecoin/contracts/wallet/find-deposit-address';
import { getDailyBalances } from '@stablecoin/contracts/wallet/get-daily-balances';
import { getDailyFigures } from '@stablecoin/contracts/wallet/get-daily-figures';
import { getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { listShardCheckpoints } from '@stablecoin/contracts/wallet/list-shard-checkpoints';
import { listShards } from '@stablecoin/contracts/wallet/list-shards';
import { listSignedShards } from '@stablecoin/contracts/wallet/list-signed-shards';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { listWalletEntries } from '@stablecoin/contracts/wallet/list-wallet-entries';
import { makeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { proveLiability } from '@stablecoin/contracts/wallet/prove-liability';
import { proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { verifyLiability } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { OpenDatabase } from '@stablecoin/ledger-log/move/move';
import { moveShard } from '@stablecoin/ledger-log/move/move-shard';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { OwnPostgres } from '@stablecoin/testing/own-postgres';
import { NatsConnection } from 'nats';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { WalletLedgerModule } from '../wallet-ledger.module';
import { LedgerDatabases } from './ledger-databases';

const SLOW = { timeoutMs: 20_000 };
const SIGNER = new NoteSigner('ledger.localhost', Buffer.alloc(32, 2));
const AT_HOME = { shard: 0 };
const ON_B = { shard: 1 };
let home: OwnPostgres;
let b: OwnPostgres;
let broker: OwnNats;
let owners: LedgerDatabase[];
let connection: NatsConnection;
let app: INestApplicationContext;
let client: BusClient;

/** Both on servers of their own, so that either can be gone. */
beforeAll(async () => {
  [home, b, broker] = await Promise.all([OwnPostgres.start('ledger'), OwnPostgres.start('ledger'), startOwnNats()]);
  connection = await connectToBus(broker.url, 'spec');
  const busKey = createHash('sha256').update('two databases').digest();
  const codec = new SealedCodec(busKey);
  const configuration = loadConfiguration(WalletLedgerConfiguration, {
    NATS_URL: broker.url,
    BUS_KEY: busKey.toString('base64'),
    LEDGER_DATABASE_URL: home.urls.app,
    LEDGER_DATABASES: `b=${b.urls.app}`,
    LEDGER_SHARDS: '2',
    DATABASE_POOL_SIZE: '8',
    DEPOSIT_SEED: Buffer.alloc(64, 1).toString('hex'),
    CHECKPOINT_SIGNING_KEY: Buffer.alloc(32, 2).toString('base64'),
    CHECKPOINT_INTERVAL_MS: '100',
    LIABILITIES_INTERVAL_MS: '1000',
    COMMANDS_ACCEPTED_UNSIGNED: 'true',
  });
  const provided = { provide: WalletLedgerConfiguration, useValue: configuration };
  const server = new BusServer(connection, codec, 'spec');
  client = new BusClient(connection, codec);
  class Root {}
  const root = {
    module: Root,
    global: true,
    imports: [MessagingModule.of({ connection, codec, client, server }), WalletLedgerModule],
    providers: [provided],
    exports: [provided],
  };
  app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await new Promise<void>((resolve, reject) => server.listen((error) => (error ? reject(error) : resolve())));
  // While the instance holds it: it hands the shard over, and takes it again where it is then.
  owners = [home, b].map(
    ({ urls }) =>
      new LedgerDatabase({ url: urls.owner, applicationName: 'mover', poolSize: 3, statementTimeoutMs: 60_000 }),
  );
  await move(ON_B.shard, 'b');
  await eventually('the shard is held where it was placed', () => isHeld(ON_B.shard), SLOW);
}, 60_000);

afterAll(async () => {
  await app.close();
  await connection.close();
  await Promise.all(owners.map((owner) => owner.$disconnect()));
  await broker.stop();
  await Promise.all([home.stop(), b.stop()]);
});

const move = (shard: number, to: string) =>
  moveShard(
    owners.map(({ sql }, index): OpenDatabase => ({ name: index === 0 ? 'home' : 'b', sql })),
    { shard, to, merchants: () => Promise.resolve([]) },
  );

const isHeld = (shard: number) =>
  client.call(makeCheckpoint, {}, { shard }).then(
    () => true,
    () => false,
  );

interface Owner {
  merchant_id: string;
  wallet_id: string;
}

async function funded(target: { shard: number }): Promise<Owner> {
  const merchant_id = randomUUID();
  const opened = await client.call(openWallet, commandOf({ merchant_id, currency: 'USD' as const }), target);
  const wallet_id = opened.result.id;
  const deposit = { merchant_id, wallet_id, amount: '100', confirmed: true };
  await client.call(recordDeposit, commandOf(deposit), target);
  return { merchant_id, wallet_id };
}

const payout = (merchant_id: string) =>
  commandOf({
    ...{ merchant_id, rail: 'bank' as const, bank_code: '058', sealed_destination: 'v1.sealed' },
    ...{ currency: 'USD' as const, amount: '10', recipient_currency: 'USD' as const, exchange_rate: '1' },
  });

const swap = (merchant_id: string) =>
  commandOf({
    ...{ merchant_id, swap_id: randomUUID(), from_currency: 'USD' as const, to_currency: 'EUR' as const },
    ...{ from_amount: '20', to_amount: '19', quoted_price: '0.95', valid_until: '9999-12-31T23:59:59.999Z' },
  });

/** The code of the refusal, and how long it took. */
async function refused(work: () => Promise<unknown>): Promise<{ code: string; ms: number }> {
  const begun = performance.now();
  const code = await work().then(
    () => 'none',
    (error: unknown) => (error as Refusal).code,
  );
  return { code, ms: performance.now() - begun };
}

const PAGE = { page: 1, limit: 10 };

describe.each([
  ['at home', AT_HOME],
  ['on another database', ON_B],
])('a merchant whose shard is %s', (_, target) => {
  it('moves money, and finds it by its id, its code, its reference, in lists and by parts of ids', async () => {
    const { merchant_id, wallet_id } = await funded(target);
    await client.call(openWallet, commandOf({ merchant_id, currency: 'EUR' as const }), target);
    const { result: held } = await client.call(holdPayout, payout(merchant_id), target);
    const { result: swapped } = await client.call(postSwap, swap(merchant_id), target);
    const { id, transaction_id, reference_id } = held;
    for (const name of [id, transaction_id])
      expect(await client.call(getTransaction, { merchant_id, transaction_id: name }, target)).toMatchObject({ id });
    const referred = await client.call(listTransactionsByReference, { merchant_id, reference_id }, target);
    expect(referred.map((one) => one.id)).toEqual([id]);
    const listed = await client.call(listTransactions, { merchant_id, ...PAGE }, target);
    expect(listed).toMatchObject({ total: 4 });
    expect(listed.items.map((one) => one.id)).toEqual(expect.arrayContaining([id, swapped.debit_transaction.id]));
    const found = await client.call(listTransactions, { merchant_id, search: id.slice(4, 20), ...PAGE }, target);
    expect(found.items.map((one) => one.id)).toEqual([id]);
    const { items } = await client.call(listWallets, { merchant_id, ...PAGE }, target);
    expect(items.map(({ currency, balance }) => [currency, Number(balance)])).toEqual(
      expect.arrayContaining([
        ['USD', 70],
        ['EUR', 19],
      ]),
    );
    const wallet = await client.call(getWallet, { merchant_id, wallet_id }, target);
    expect(wallet.id).toBe(wallet_id);
  });

  it('gets explanations, past balances, checkpoints and proofs from where its log is', async () => {
    const { merchant_id, wallet_id } = await funded(target);
    const { items } = await client.call(listTransactions, { merchant_id, ...PAGE }, target);
    const { transaction_id = '' } = items[0] ?? {};
    const explained = await client.call(explainTransaction, { merchant_id, transaction_id }, target);
    expect(explained.transaction_id).toBe(transaction_id);
    expect(await client.call(getPastBalance, { merchant_id, wallet_id }, target)).toMatchObject({
      balance: '100.00000000',
    });
    await client.call(makeCheckpoint, {}, target);
    const asked = { merchant_id, ...target, ...PAGE };
    const origins = (await client.call(listCheckpoints, asked)).items.map(({ origin }) => origin);
    expect(new Set(origins)).toEqual(new Set([`ledger.localhost/shard/${target.shard}`]));
    const proof = await client.call(proveTransaction, { merchant_id, transaction_id }, target);
    expect(proof).toMatchObject({ transaction_id });
    const { facts } = await client.call(readFacts, { shard: target.shard, after: 0 });
    expect(facts.length).toBeGreaterThan(0);
  });

  it('gets figures, balances by day and entries from where its log is', async () => {
    const { merchant_id, wallet_id } = await funded(target);
    const today = new Date().toISOString().slice(0, 10);
    const days = { start_date: today, end_date: today };
    await eventually(
      'the day is counted',
      async () => {
        const { total } = await client.call(getDailyFigures, { merchant_id, ...days }, target);
        return total.some(({ completed }) => completed === '1');
      },
      SLOW,
    );
    const { days: balances } = await client.call(getDailyBalances, { merchant_id, wallet_id, ...days }, target);
    expect(balances).toEqual([{ day: today, balance: '100.00000000' }]);
    const { items } = await client.call(listWalletEntries, { merchant_id, wallet_id, ...days }, target);
    expect(items).toMatchObject([{ amount: '100.00000000', balance_after: '100.00000000' }]);
  });

  it('is explained to an auditor, who names no shard', async () => {
    const { merchant_id, wallet_id } = await funded(target);
    const explained = await client.call(explainBalance, { wallet_id, as_of: null, limit: 10 });
    expect(explained).toMatchObject({ merchant_id, shard: target.shard, balance: '100.00000000' });
    await client.call(makeCheckpoint, {}, target);
    const { items } = await client.call(listShardCheckpoints, { ...target, ...PAGE });
    expect(new Set(items.map(({ origin }) => origin))).toEqual(new Set([`ledger.localhost/shard/${target.shard}`]));
  });

  it('is not found under a shard that is on the other database', async () => {
    const { merchant_id, wallet_id } = await funded(target);
    const other = target === AT_HOME ? ON_B : AT_HOME;
    expect(await refused(() => client.call(getWallet, { merchant_id, wallet_id }, other))).toMatchObject({
      code: 'not_found',
    });
  });
});

it('publishes the facts of both, and gives the positions of all shards', async () => {
  await Promise.all([funded(AT_HOME), funded(ON_B)]);
  await eventually(
    'both are published',
    async () => {
      const positions = await client.call(listPublishedPositions, {});
      return positions.length === 2 && positions.every(({ position }) => position > 0);
    },
    SLOW,
  );
});

it('lists each shard once, with the database that it is on, and what was signed of it last', async () => {
  const { shards, instances, lost_databases } = await client.call(listShards, {});
  expect(shards.map(({ shard, database, is_held }) => ({ shard, database, is_held }))).toEqual([
    { shard: 0, database: 'home', is_held: true },
    { shard: 1, database: 'b', is_held: true },
  ]);
  expect({ instances: instances.length, lost_databases }).toEqual({ instances: 1, lost_databases: [] });
  const signed = await client.call(listSignedShards, {});
  expect(signed.shards.map(({ shard }) => shard)).toEqual([0, 1]);
});

it('passes over an index for a deposit address that a wallet on another database has', async () => {
  const databases = app.get(LedgerDatabases);
  const owner = new LedgerDatabase({ url: home.urls.owner, applicationName: 'test', poolSize: 1 });
  const merchant_id = randomUUID();
  await client.call(openWallet, commandOf({ merchant_id, currency: 'USDC' as const, network: 'erc20' as const }), ON_B);
  const [last] = await databases.of(ON_B.shard).reads.$queryRaw<{ index: number }[]>`
    SELECT max(address_index) AS index FROM wallets`;
  const taken = last?.index ?? 0;
  await owner.$executeRawUnsafe(`SELECT setval('deposit_address_index', ${taken}, false)`);
  await owner.$disconnect();
  const book = new DepositAddressBook(app.get(WalletLedgerConfiguration), databases);
  expect(await book.drawIndex()).toBeGreaterThan(taken);
});

it('signs what is owed to the wallets of both in one statement, from which each can be proven', async () => {
  const owners = await Promise.all([AT_HOME, ON_B].map(async (target) => ({ target, ...(await funded(target)) })));
  await eventually(
    'both wallets are stated',
    async () => {
      for (const { target, merchant_id, wallet_id } of owners) {
        const document = await client.call(proveLiability, { merchant_id, wallet_id }, target).catch(() => undefined);
        if (!document) return false;
        const { liability } = verifyLiability(document, [{ publicKey: SIGNER.publicKey }]);
        expect(liability).toEqual({ wallet_id, balance: 100_00000000n, held: 0n });
      }
      return true;
    },
    SLOW,
  );
});

describe('a shard that moves while it works', () => {
  interface Course {
    /** Acknowledged ones, of 1 each. */
    deposits: number;
    longestMs: number;
    reads: number;
    longestReadMs: number;
    /** Reads that lack a deposit that was acknowledged before they were asked. */
    stale: number;
    /** Of these the outcome is that nothing was done: on a machine that is too busy to look where the shard is. */
    refused: number;
    failed: number;
  }

  const inTime = <Result>(work: () => Promise<Result>) =>
    withRequestContext({ ...freshRequestContext(), deadline: Date.now() + 5_000 }, work);

  /** Deposits and reads until it is stopped; a command whose outcome is not known is sent again, as merchants do. */
  function depositing({ merchant_id, wallet_id }: Owner) {
    const course: Course = { deposits: 0, longestMs: 0, reads: 0, longestReadMs: 0, stale: 0, refused: 0, failed: 0 };
    let stopped = false;
    const deposit = async () => {
      while (!stopped) {
        const begun = performance.now();
        const command = commandOf({ merchant_id, wallet_id, amount: '1', confirmed: true });
        while ((await refused(() => inTime(() => client.call(recordDeposit, command, ON_B)))).code !== 'none');
        course.deposits += 1;
        course.longestMs = Math.max(course.longestMs, performance.now() - begun);
      }
    };
    const read = async () => {
      while (!stopped) {
        const [begun, acknowledged] = [performance.now(), course.deposits];
        await inTime(() => client.call(getWallet, { merchant_id, wallet_id }, ON_B)).then(
          ({ balance }) => (course.stale += Number(balance) < 101 + acknowledged ? 1 : 0),
          (error: unknown) => {
            if (error instanceof Refusal && error.code === 'unavailable') course.refused += 1;
            else course.failed += 1;
          },
        );
        course.reads += 1;
        course.longestReadMs = Math.max(course.longestReadMs, performance.now() - begun);
      }
    };
    const running = Promise.all([deposit(), read()]);
    return {
      stop: async () => {
        stopped = true;
        await running;
        return course;
      },
    };
  }

  it('loses nothing, doubles nothing and answers no read by an older state, there and back again', async () => {
    const owner = await funded(ON_B);
    const { merchant_id, wallet_id } = owner;
    const before = commandOf({ merchant_id, wallet_id, amount: '1', confirmed: true });
    const answer = await client.call(recordDeposit, before, ON_B);
    const work = depositing(owner);
    const moves = [await move(ON_B.shard, 'home'), await move(ON_B.shard, 'b')];
    await eventually('it is held where it is', () => isHeld(ON_B.shard), SLOW);
    const { deposits, longestMs, reads, longestReadMs, stale, failed, ...course } = await work.stop();
    process.stderr.write(
      `  moved twice under ${deposits} deposits and ${reads} reads: reserved ${moves.map((one) => one.reserved_ms).join(', ')} ms, ` +
        `the longest wait ${Math.round(longestMs)} ms, of a read ${Math.round(longestReadMs)} ms, ${course.refused} reads refused\n`,
    );
    expect({ moved: moves.map(({ moved }) => moved), stale, failed }).toEqual({
      moved: [true, true],
      stale: 0,
      failed: 0,
    });
    expect(reads).toBeGreaterThan(course.refused);
    // What was answered before both moves is answered again, and has no second effect.
    expect(await client.call(recordDeposit, before, ON_B)).toMatchObject({ result: answer.result });
    const { balance } = await client.call(getWallet, { merchant_id, wallet_id }, ON_B);
    expect(Number(balance)).toBe(101 + deposits);
    const { total } = await client.call(listTransactions, { merchant_id, ...PAGE }, ON_B);
    expect(total).toBe(2 + deposits);
    // The older copy at home has the wallet as well.
    const explained = await client.call(explainBalance, { wallet_id, as_of: null, limit: 1 });
    expect(Number(explained.balance)).toBe(101 + deposits);
    const { result } = await client.call(openWallet, commandOf({ merchant_id, currency: 'EUR' as const }), ON_B);
    expect(await client.call(getWallet, { merchant_id, wallet_id: result.id }, ON_B)).toMatchObject({ id: result.id });
  }, 60_000);
});

it('refuses a read that does not say which shard it is about, rather than look in the wrong place', async () => {
  const { merchant_id, wallet_id } = await funded(ON_B);
  expect(await refused(() => client.call(getWallet, { merchant_id, wallet_id }))).toMatchObject({
    code: 'unavailable',
  });
});

describe.each([
  ['another database', ON_B, AT_HOME, () => b],
  ['home', AT_HOME, ON_B, () => home],
])('while %s is gone', (_, gone, other, server) => {
  it('its merchants are refused, the others go on, and all is there when it is back', async () => {
    const [lost, kept] = [await funded(gone), await funded(other)];
    await server().stopAtOnce();
    const databases = app.get(LedgerDatabases);
    await eventually('it counts as lost', () => databases.answering.length === 1, SLOW);

    const read = await refused(() => client.call(getWallet, lost, gone));
    expect(read.code).toBe('unavailable');
    expect(read.ms).toBeLessThan(500);
    expect(await refused(() => client.call(holdPayout, payout(lost.merchant_id), gone))).toMatchObject({
      code: 'unavailable',
    });
    for (let count = 0; count < 5; count += 1) {
      const begun = performance.now();
      await client.call(holdPayout, payout(kept.merchant_id), other);
      await client.call(getWallet, kept, other);
      expect((await client.call(listTransactions, { merchant_id: kept.merchant_id, ...PAGE }, other)).total).toBe(
        count + 2,
      );
      expect(performance.now() - begun).toBeLessThan(2_000);
    }
    // Also what asks for an index, and what would ask all of them.
    await funded(other);
    expect(await client.call(findDepositAddress, { address: '0x52908400098527886E0F7030069857D2E4169EE7' })).toEqual({
      is_ours: false,
    });
    expect(await refused(() => client.call(listPublishedPositions, {}))).toMatchObject({ code: 'unavailable' });
    expect(await refused(() => client.call(listSignedShards, {}))).toMatchObject({ code: 'unavailable' });
    const { shards, lost_databases } = await client.call(listShards, {});
    expect({ shards: shards.map(({ shard }) => shard), lost: lost_databases.length }).toEqual({
      ...{ shards: [other.shard], lost: 1 },
    });
    const ofAuditor = ({ wallet_id }: Owner) => client.call(explainBalance, { wallet_id, as_of: null, limit: 1 });
    expect(await ofAuditor(kept)).toMatchObject({ shard: other.shard });
    expect(await refused(() => ofAuditor(lost))).toMatchObject({ code: 'unavailable' });

    await server().startAgain();
    await eventually(
      'its shard is served again',
      async () => (await refused(() => client.call(holdPayout, payout(lost.merchant_id), gone))).code === 'none',
      SLOW,
    );
    // Its writer may be served before the watch has seen that it answers again, and before it was looked at which shards it has.
    const isRead = async () => (await refused(() => client.call(getWallet, lost, gone))).code === 'none';
    await eventually('its reads are answered', isRead, SLOW);
    const context = { ...freshRequestContext(), deadline: Date.now() + 10_000 };
    const { balance } = await withRequestContext(context, () => client.call(getWallet, lost, gone));
    expect(Number(balance)).toBeLessThanOrEqual(90);
  }, 60_000);
});
