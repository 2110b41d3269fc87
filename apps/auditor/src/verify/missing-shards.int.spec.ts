/** A shard that is deleted with every row of every table: what is left names it, and what to do is one sentence. */
import { LiabilityStatement } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { EMPTY_ROOT } from '@stablecoin/event-proofs/merkle-tree';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signLiabilitiesOf } from '../testing/signed-liabilities';
import { verify, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;
beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(() => database.restore());
afterAll(() => database.drop());

const run = (options: VerifyOptions = {}) => database.audit((ledger) => verify(ledger, options));
const tamper = (statement: string) => database.owner.$executeRawUnsafe(statement);

const OF_SHARD = [
  ...['ledger_events', 'relay_checkpoints', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes'],
  ...['account_balances', 'payout_policies', 'payout_usage', 'transactions', 'transaction_search_progress'],
  ...['daily_figures', 'daily_figures_progress'],
];
const OF_MERCHANT = ['closed_customers', 'command_results', 'transaction_counts', 'transaction_search'];

/** @param rebornEmpty as an instance of the ledger leaves it that has started since */
async function deleteShard(shard: number, { rebornEmpty = false } = {}): Promise<void> {
  const { merchant_id } = database.logs[shard] as DrivenLog;
  await tamper(`DELETE FROM deposit_addresses USING wallets WHERE wallet_id = wallets.id AND shard = ${shard}`);
  for (const table of [...OF_SHARD, 'wallets']) await tamper(`DELETE FROM ${table} WHERE shard = ${shard}`);
  for (const table of OF_MERCHANT) await tamper(`DELETE FROM ${table} WHERE merchant_id = '${merchant_id}'`);
  if (rebornEmpty)
    await tamper(
      `UPDATE ledger_shards SET head_position = 0, head_hash = decode(repeat('00', 32), 'hex') WHERE shard = ${shard}`,
    );
  else await tamper(`DELETE FROM ledger_shards WHERE shard = ${shard}`);
}

async function expectMissing(shard: number, problem: RegExp, options: VerifyOptions = {}): Promise<void> {
  const found = await run(options);
  expect(found.missing).toEqual([{ shard, position: 1, problem: expect.stringMatching(problem) as unknown }]);
  const { ok, text, json } = verificationReport(found, 0);
  expect(ok).toBe(false);
  expect(text).toContain(`!! shard ${shard} position 1: missing: `);
  expect(text.match(/^What to do: .*$/gm)).toEqual([
    expect.stringContaining(`What to do: Shard ${shard} is gone from position 1 on`) as unknown,
  ]);
  expect(json['first_fault']).toMatchObject({ shard, position: 1 });
}

it('no shard is missing from a whole ledger', async () => {
  await signLiabilitiesOf(database.owner, [0, 1]);
  expect(await run({ shardCount: 2 })).toMatchObject({ ok: true, missing: [] });
});

it('the others name one before them, because their numbers have no gap', async () => {
  await deleteShard(0);
  await expectMissing(0, /^missing: there is nothing of this shard, and something of shard 1$/);
});

it('a statement of liabilities names one that the ledger has signed that it owes for', async () => {
  await signLiabilitiesOf(database.owner, [0, 1]);
  await deleteShard(1);
  const problem = /^missing: statement 1 of liabilities, signed at 2026-\S+, speaks of its first \d+ events$/;
  await expectMissing(1, problem);
});

it('also one that had no event by then', async () => {
  const forge = ({ shards, ...stated }: LiabilityStatement) => ({
    ...stated,
    shards: [...shards, { shard: 2, size: 0, root: EMPTY_ROOT }],
  });
  await signLiabilitiesOf(database.owner, [0, 1], { forge });
  await expectMissing(2, /speaks of its first 0 events$/);
});

it('and so it does where the ledger has begun an empty one in its place', async () => {
  await signLiabilitiesOf(database.owner, [0, 1]);
  await deleteShard(1, { rebornEmpty: true });
  await expectMissing(1, /speaks of its first \d+ events$/);
});

it('how many there are names the last one, where nothing in the database does', async () => {
  await deleteShard(1);
  expect(await run()).toMatchObject({ ok: true, missing: [] });
  await expectMissing(1, /^missing: there is nothing of this shard, and the ledger has 2$/, { shardCount: 2 });
});
