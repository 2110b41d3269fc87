/**
 * What a statement of liabilities costs with 1,000, 10,000 and 100,000 wallets on four shards: how long it takes, how long it
 * keeps the event loop, which it shares with writers, from anything else, and how much memory; how long a branch takes, and how
 * large its document is. Of the wallets, one in ten has a payout under way; the log has the event that opened each.
 */
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { given } from '@stablecoin/benchmarking/given';
import { median } from '@stablecoin/benchmarking/measure';
import { progress, report } from '@stablecoin/benchmarking/report';
import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { liabilitiesOriginOf, readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { verifyLiability } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { EMPTY_ROOT } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { insertCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { LiabilityRow } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { liabilityDocument } from '@stablecoin/ledger-store/liabilities/prove-liability';
import { countedAt, readLeaves } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { LiabilityMaker } from '../src/liabilities/liability-maker';

const WALLETS = [1_000, 10_000, 100_000];
const SHARDS = 4;
const ROUNDS = 3;
const BRANCHES = 50;
const SEED = Buffer.alloc(32, 1);
const signer = new NoteSigner(liabilitiesOriginOf('ledger.benchmark'), SEED);

async function main(): Promise<void> {
  const database = new LedgerDatabase({ url: given('LEDGER_DATABASE_URL'), applicationName: 'benchmark', poolSize: 4 });
  const owner = new LedgerDatabase({
    ...{ url: given('BENCHMARK_OWNER_URL'), applicationName: 'benchmark', poolSize: 1 },
    statementTimeoutMs: 120_000,
  });
  const figures: Record<string, number> = {};
  try {
    let wallets = 0;
    for (const [index, count] of WALLETS.entries()) {
      await addWallets(owner, wallets, count);
      wallets = count;
      Object.assign(figures, await measured(database, owner, count, index));
    }
    report(figures, process.argv.includes('--json'));
  } finally {
    await Promise.all([database.$disconnect(), owner.$disconnect()]);
  }
}

async function measured(database: LedgerDatabase, owner: LedgerDatabase, wallets: number, step: number) {
  const maker = new LiabilityMaker({ database, signer, intervalMs: 60_000, now: () => new Date() });
  const [seconds, pauses, grown]: number[][] = [[], [], []];
  let row: LiabilityRow | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each statement speaks of a later position: one that is the same is not made again.
    await signAll(owner, WALLETS.length * 1_000_000 + step * 10 + round + 1);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const began = performance.now();
    row = await maker.make();
    seconds?.push((performance.now() - began) / 1_000);
    loop.disable();
    pauses?.push(loop.max / 1e6);
    grown?.push((process.memoryUsage().rss - before) / 2 ** 20);
  }
  if (!row) throw new Error('no statement was made');
  const [branch, { openingsMs, firstPageMs }] = [await branchFigures(database, row), await beginning(database, row)];
  const name = `wallets_${wallets}`;
  progress(
    `${wallets} wallets: ${median(seconds ?? []).toFixed(2)} s, pause ${Math.max(...(pauses ?? [])).toFixed(1)} ms`,
  );
  return {
    [`${name}_seconds`]: median(seconds ?? []),
    [`${name}_longest_pause_ms`]: median(pauses ?? []),
    [`${name}_memory_grown_mb`]: Math.max(...(grown ?? [])),
    [`${name}_openings_ms`]: openingsMs,
    [`${name}_first_page_ms`]: firstPageMs,
    [`${name}_branch_ms`]: branch.ms,
    [`${name}_document_bytes`]: branch.bytes,
  };
}

/**
 * What a statement begins with: the openings of all wallets, by parts, and the one statement that grows with the wallets, which joins and
 * sorts all of them. That has the 4 s of any statement.
 */
function beginning(database: LedgerDatabase, { note, secret }: LiabilityRow) {
  const statement = readLiabilities(note);
  if (!statement) throw new Error('the statement can not be read');
  const widths = new Map(statement.owed.map(({ currency, depth }) => [currency, 2 ** depth]));
  return database.$transaction(async (snapshot) => {
    const began = performance.now();
    const counted = await countedAt([{ sql: snapshot, positions: statement.shards }], statement);
    const openingsRead = performance.now();
    await readLeaves(counted, { secret, widths, pending: 'by counts' }).next();
    return { openingsMs: openingsRead - began, firstPageMs: performance.now() - openingsRead };
  });
}

async function branchFigures(database: LedgerDatabase, row: LiabilityRow): Promise<{ ms: number; bytes: number }> {
  const wallets = await database.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM wallets WHERE currency = 'USDT' ORDER BY id LIMIT ${BRANCHES}`;
  const taken: number[] = [];
  let bytes = 0;
  for (const { id } of wallets) {
    const began = performance.now();
    const document = await liabilityDocument(database, row, { id, currency: 'USDT' });
    taken.push(performance.now() - began);
    verifyLiability(document, [{ publicKey: signer.publicKey }]);
    bytes = JSON.stringify(document).length;
  }
  return { ms: median(taken), bytes };
}

/** Wallets, balances and pending payouts as projections have them, what opened the wallets, and the house's accounts that they leave. */
async function addWallets(owner: LedgerDatabase, from: number, to: number): Promise<void> {
  progress(`${to} wallets`);
  await owner.$executeRaw`
    INSERT INTO ledger_shards (shard, head_hash, head_position)
    SELECT shard, sha256(''), 1 FROM generate_series(0, ${SHARDS - 1}) AS shard ON CONFLICT DO NOTHING`;
  const merchant = randomUUID();
  // All openings of test merchants are read, of a live merchant those until one says so: the worst is that most are test merchants'.
  const mode = from === 0 ? 'live' : 'test';
  await owner.$executeRaw`
    WITH made AS (
      INSERT INTO wallets (id, shard, merchant_id, customer_id, currency, address_index, created_at, updated_at, position)
      SELECT overlay(gen_random_uuid()::text PLACING lpad(to_hex(number), 8, '0') FROM 1 FOR 8)::uuid, -- in the order of time
        number % ${SHARDS}, ${merchant}::uuid, gen_random_uuid(), CASE WHEN number % 3 = 0 THEN 'USD' ELSE 'USDT' END,
        number, now(), now(), number
      FROM generate_series(${from + 1}::int, ${to}::int) AS number
      RETURNING id, shard, currency, position
    ), paying AS (
      INSERT INTO transactions (id, shard, position, merchant_id, transaction_id, reference_id, wallet_id, transaction_type,
        transaction_mode, currency, amount, fee, status, balance, created_at, updated_at)
      SELECT gen_random_uuid(), shard, position, ${merchant}::uuid, lpad(position::text, 10, '0'), gen_random_uuid(), id, 'PAYOUT',
        'DEBIT', currency, 5, 0.25, 'PENDING', 0, now(), now()
      FROM made WHERE position % 10 = 0
    )
    INSERT INTO account_balances (shard, account_id, currency, balance, open_transactions, updated_at)
    SELECT shard, id::text, currency, position % 1000, 0, now() FROM made`;
  await owner.$executeRaw`
    INSERT INTO ledger_events (shard, position, recorded_at, account_id, body, hash)
    SELECT shard, position, now(), id::text, format(
      '{"asked_by":{"mode":"%s","service":"gateway"},"command_id":"%s","customer_id":"%s","event":{"address_index":%s,' ||
        '"balance_after":"0.00000000","currency":"%s","type":"WalletOpened","version":1,"wallet_id":"%s"},"group":%s,' ||
        '"merchant_id":"%s","movement":"wallet-opened","position":%s,"recorded_at":"%s","shard":%s}',
      ${mode}::text, gen_random_uuid(), customer_id, address_index, currency, id, position, merchant_id, position, now(), shard), sha256('')
    FROM wallets WHERE position > ${from}`;
  await owner.$executeRaw`DELETE FROM account_balances WHERE account_id LIKE '%:%'`;
  await owner.$executeRaw`
    INSERT INTO account_balances (shard, account_id, currency, balance, open_transactions, updated_at)
    SELECT shard, 'payout-clearing:' || currency, currency, sum(amount + fee), 0, now() FROM transactions GROUP BY shard, currency`;
  await owner.$executeRaw`
    INSERT INTO account_balances (shard, account_id, currency, balance, open_transactions, updated_at)
    SELECT shard, 'external:bank:' || currency, currency, -sum(balance), 0, now() FROM account_balances GROUP BY shard, currency`;
  await owner.$executeRaw`ANALYZE`;
}

async function signAll(owner: LedgerDatabase, size: number): Promise<void> {
  for (let shard = 0; shard < SHARDS; shard += 1) {
    const shardSigner = new NoteSigner(originOf('ledger.benchmark', shard), SEED);
    const created_at = new Date().toISOString();
    const [last] = await owner.$queryRaw<{ size: bigint | null }[]>`
      SELECT max(tree_size) AS size FROM ledger_checkpoints WHERE shard = ${shard}`;
    const made = {
      ...{ shard, size, previous_size: last?.size ? Number(last.size) : null, created_at, range: [EMPTY_ROOT] },
      ...{ head_hash: EMPTY_ROOT, key_id: shardSigner.keyId, verifier_key: shardSigner.verifierKey },
      note: signCheckpoint({ size, root: EMPTY_ROOT, time: created_at }, shardSigner),
    };
    await insertCheckpoint(owner, made, 0n);
  }
}

void main();
