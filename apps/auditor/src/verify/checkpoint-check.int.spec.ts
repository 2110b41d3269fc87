import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signerOf, signLog } from '@stablecoin/ledger-log/testing/signed-log';
import { verify, VerifyOptions } from './verify';

let database: AuditedDatabase;
let notes: string[];

const rowsOf = (shard: number) => (database.logs[shard] as DrivenLog).rows;
const end = () => rowsOf(1).length;
const SIZES = () => [4, 9, end()];

beforeAll(async () => {
  database = await auditedDatabase();
  await database.owner.$executeRaw`ALTER TABLE ledger_checkpoints DISABLE TRIGGER ledger_checkpoints_are_append_only`;
});
beforeEach(async () => {
  await database.owner.$executeRaw`TRUNCATE ledger_checkpoints, ledger_checkpoint_keys`;
  await database.restore({ signed: false });
  notes = await signLog(database.owner, rowsOf(1), SIZES());
});
afterAll(() => database.drop());

const run = (options: VerifyOptions = {}) => database.audit((ledger) => verify(ledger, options));

/** Replaces everything of shard 1 by another log, as if the signed one had never existed. */
async function replaceBy(log: DrivenLog): Promise<void> {
  const { owner } = database;
  const tables = ['ledger_events', 'ledger_shards', 'relay_checkpoints', 'account_balances', 'wallets', 'transactions'];
  for (const table of tables) await owner.$executeRawUnsafe(`DELETE FROM ${table} WHERE shard = 1`);
  await owner.$executeRaw`DELETE FROM deposit_addresses WHERE wallet_id NOT IN (SELECT id FROM wallets)`;
  await owner.$executeRaw`DELETE FROM closed_customers WHERE merchant_id = ${log.merchant_id}::uuid`;
  await owner.$executeRaw`DELETE FROM command_results WHERE merchant_id = ${log.merchant_id}::uuid`;
  await writeLog(owner, log, { signed: false });
}

/** A log with the first four events of the signed one, and deposits after them. */
function anotherLog(length: number): DrivenLog {
  const log = new DrivenLog(1);
  const wallet = log.openWallet('USD');
  log.openWallet('USDC', 'erc20');
  log.openWallet('USDC', 'solana');
  while (log.rows.length < length) log.deposit(wallet, '1', false);
  return log;
}

describe('the checkpoints of a log', () => {
  it('agree with it, by the keys of the database or by given ones', async () => {
    const last = rowsOf(1).at(-1) as EventRow;
    const outcome = { shard: 1, verified: 3, size: end(), time: last.recorded_at, fault: null };
    const other = { shard: 0, verified: 1, size: rowsOf(0).length, fault: null };
    for (const keys of [undefined, [{ publicKey: signerOf(1).publicKey }, { publicKey: signerOf(0).publicKey }]]) {
      expect(await run({ keys })).toMatchObject({ ok: true, checkpoints: [other, outcome] });
    }
    expect(await run({ shard: 1, pageSize: 3 })).toMatchObject({ ok: true, checkpoints: [outcome] });
  });

  it('a tail cut off from log and head: found, with the position', async () => {
    await replaceBy(anotherLog(5));
    const found = await run();
    expect(found).toMatchObject({ ok: false, shards: [{ fault: null }, { fault: null }], sums: [] });
    expect(found.tables.every(({ missing, surplus, differing }) => missing + surplus + differing === 0)).toBe(true);
    const problem = expect.stringMatching(/^missing: the log ends at 5, but 9 events were signed at 2026-/) as unknown;
    expect(found.checkpoints[1]).toMatchObject({ fault: { shard: 1, position: 6, problem }, verified: 1 });
  });

  it.each([
    [
      'the newest one once more, as if it were of more events',
      'note',
      /^the checkpoint of \d+ events is one of \d+ events of /,
    ],
    [
      'one that no key has signed',
      `replace(note, '2026', '2025')`,
      /^the checkpoint of \d+ events: no valid signature/,
    ],
  ])(
    'put in beyond the end of the log: %s: found as what it is, and not as a log that was cut off',
    async (_, note, problem) => {
      await database.owner.$executeRawUnsafe(`
      INSERT INTO ledger_checkpoints SELECT shard, tree_size + 1000, tree_size, ${note}, key_id, range_hashes, head_hash, created_at
      FROM ledger_checkpoints WHERE shard = 1 ORDER BY tree_size DESC LIMIT 1`);
      const fault = { position: end() + 1000, problem: expect.stringMatching(problem) as unknown };
      expect(await run()).toMatchObject({ ok: false, checkpoints: [{ fault: null }, { verified: 3, fault }] });
    },
  );

  it('a log whose hashes were all recomputed: found, between the checkpoints that enclose the change', async () => {
    await replaceBy(anotherLog(end()));
    const found = await run();
    expect(found.shards.every(({ fault }) => fault === null)).toBe(true);
    const problem = expect.stringMatching(/^positions 5 to 9 are not the events that were signed at 2026-/) as unknown;
    expect(found.checkpoints[1]).toMatchObject({ verified: 1, fault: { shard: 1, position: 5, problem } });
  });

  it('a checkpoint that was changed or has no valid signature: found', async () => {
    await database.owner
      .$executeRaw`UPDATE ledger_checkpoints SET note = replace(note, '2026', '2025') WHERE tree_size = 9`;
    const problem = expect.stringMatching(/^the checkpoint of 9 events: no valid signature/) as unknown;
    expect(await run()).toMatchObject({ ok: false, checkpoints: [{}, { fault: { position: 9, problem } }] });
    const others = [{ publicKey: signerOf(1, 7).publicKey }];
    expect(await run({ keys: others })).toMatchObject({ ok: false, checkpoints: [{}, { fault: { position: 4 } }] });
  });

  it('checkpoints that were deleted: found by what they left unsigned, and by one that was kept elsewhere', async () => {
    await replaceBy(anotherLog(5));
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints WHERE shard = 1 AND tree_size > 4`;
    const unsigned = [{ shard: 1, position: 5 }];
    expect(await run()).toMatchObject({
      ok: false,
      unsigned,
      checkpoints: [{}, { verified: 1, size: 4, fault: null }],
    });
    const kept = [notes[2] ?? ''];
    expect(await run({ kept })).toMatchObject({ ok: false, checkpoints: [{}, { fault: { position: 6 } }] });
  });

  it('a shard whose rows are all deleted: found', async () => {
    for (const table of ['ledger_events', 'ledger_shards', 'account_balances', 'wallets', 'transactions']) {
      await database.owner.$executeRawUnsafe(`DELETE FROM ${table} WHERE shard = 1`);
    }
    const { checkpoints } = await run();
    expect(checkpoints).toMatchObject([
      { shard: 0, fault: null },
      { shard: 1, fault: { position: 1 } },
    ]);
  });
});
