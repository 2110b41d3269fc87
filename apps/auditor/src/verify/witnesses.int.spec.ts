/** What witnesses show that the database, with all its checkpoints, does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { originOf, signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { signHead } from '@stablecoin/event-proofs/signed-head';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { WitnessBook } from '@stablecoin/witness/witness-book';
import { createAuditor } from '../auditor';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signerOf, signLog } from '@stablecoin/ledger-log/testing/signed-log';
import { verify, Verification, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';
import { UNWITNESSED_MAX_MS } from './witnesses';

let database: AuditedDatabase;
let directory: string;
let book: WitnessBook;

beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(async () => {
  await database.restore();
  directory = await mkdtemp(join(tmpdir(), 'witness-'));
  book = new WitnessBook({ directory });
  for (const shard of [0, 1]) await book.submit({ oldSize: 0, path: [], note: noteOf(logOf(shard).rows) });
});
afterEach(() => rm(directory, { recursive: true, force: true }));
afterAll(() => database.drop());

const logOf = (shard: number) => database.logs[shard] as DrivenLog;
const run = (options?: VerifyOptions) => database.audit((ledger) => verify(ledger, { witnesses: [book], ...options }));
const advice = (found: Verification) =>
  verificationReport(found, 1)
    .text.split('\n')
    .filter((line) => line.startsWith('What to do'));

/** What the ledger signs of these events, and the witness is sent. */
function noteOf(rows: readonly EventRow[], signer = signerOf(rows[0]?.shard ?? 0)): string {
  const range = new CompactRange();
  rows.forEach(({ body, hash }) => range.append(leafOfEvent(body, hash)));
  return signCheckpoint({ size: range.size, root: range.root, time: rows.at(-1)?.recorded_at ?? '' }, signer);
}

async function wipe(shard: number): Promise<void> {
  const { merchant_id } = logOf(shard);
  for (const table of [
    'ledger_checkpoints',
    'ledger_checkpoint_keys',
    'ledger_events',
    'ledger_shards',
    'account_balances',
    'transactions',
  ]) {
    await database.owner.$executeRawUnsafe(`DELETE FROM ${table} WHERE shard = ${shard}`);
  }
  await database.owner.$executeRawUnsafe(
    `DELETE FROM deposit_addresses WHERE wallet_id IN (SELECT id FROM wallets WHERE shard = ${shard})`,
  );
  await database.owner.$executeRawUnsafe(`DELETE FROM wallets WHERE shard = ${shard}`);
  await database.owner.$executeRaw`DELETE FROM closed_customers WHERE merchant_id = ${merchant_id}::uuid`;
  await database.owner.$executeRaw`DELETE FROM command_results WHERE merchant_id = ${merchant_id}::uuid`;
  await database.owner.$executeRaw`DELETE FROM transaction_counts WHERE merchant_id = ${merchant_id}::uuid`;
}

/** A log of the owner's own, as long as the one that was there, or of another length. */
function forgedLog(length: number): DrivenLog {
  const forged = new DrivenLog(1);
  const wallet = forged.openWallet('USD');
  while (forged.rows.length < length) forged.deposit(wallet, '1000000');
  return forged;
}

describe('with a witness', () => {
  it('a log that it has seen to its end is intact', async () => {
    const found = await run();
    expect(found).toMatchObject({ ok: true });
    expect(found.witnesses).toMatchObject(
      [0, 1].map((shard) => ({ shard, size: logOf(shard).rows.length, fault: null })),
    );
    expect(verificationReport(found, 1).text).toContain(`shard 1: witness ${directory} has seen it up to position`);
  });

  it.each([
    ['longer', 20],
    ['shorter', -12],
  ])(
    'a log that the owner wrote anew, %s, and signed with a key of his own: found, without a key at hand',
    async (_name, by) => {
      await wipe(1);
      const length = logOf(1).rows.length + by;
      const forged = forgedLog(length);
      await writeLog(database.owner, forged, { signed: false });
      const own = new NoteSigner(originOf('ledger.test', 1), Buffer.alloc(32, 66));
      await signLog(database.owner, forged.rows, [forged.rows.length], own);
      const last = forged.rows.at(-1) as EventRow;
      await database.owner
        .$executeRaw`UPDATE ledger_shards SET head_signature = ${signHead(last, own)} WHERE shard = 1`;
      // Without a witness and without --key, nothing of the forgery shows.
      expect(await run({ witnesses: [], shard: 1 })).toMatchObject({
        checkpoints: [{ shard: 1, fault: null }],
        unsigned: [],
      });
      const found = await run({ shard: 1 });
      expect(found.ok).toBe(false);
      expect(found.checkpoints[0]?.fault?.problem).toMatch(
        by > 0
          ? /^positions 1 to \d+ are not the events that witness .* has seen, as signed at/
          : /^missing: the log ends at \d+, but witness .* has seen \d+ events, as signed at/,
      );
      expect(advice(found)).toHaveLength(1);
      expect(advice(found).join()).not.toContain('rebuild');
    },
  );

  it('checkpoints that were deleted from a log that is as it was: found, the checkpoint named', async () => {
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints WHERE shard = 1`;
    const found = await run();
    const size = logOf(1).rows.length;
    const problem = `the checkpoint of ${size} events, which witness ${directory} has, is missing from the database`;
    expect(found).toMatchObject({ ok: false });
    expect(found.checkpoints.find(({ shard }) => shard === 1)?.fault).toEqual({ shard: 1, position: size, problem });
    expect(advice(found)).toHaveLength(1);
  });

  it('a shard that is gone altogether: found', async () => {
    await wipe(1);
    const found = await run();
    const problem = expect.stringMatching(/^missing: the log ends at 0, but witness/) as unknown;
    expect(found).toMatchObject({ ok: false });
    expect(found.checkpoints.find(({ shard }) => shard === 1)).toMatchObject({ fault: { position: 1, problem } });
  });

  it('all checkpoints of all shards deleted: the name of the ledger is what the witness has', async () => {
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints`;
    expect((await run()).checkpoints.map(({ fault }) => fault?.problem)).toEqual([
      expect.stringContaining('is missing from the database') as unknown,
      expect.stringContaining('is missing from the database') as unknown,
    ]);
    await book.submit({
      oldSize: 0,
      path: [],
      note: noteOf(logOf(0).rows, new NoteSigner('other.test/shard/0', Buffer.alloc(32, 6))),
    });
    await expect(run()).rejects.toThrow(/Give --ledger/);
    expect(await run({ ledger: 'ledger.test' })).toMatchObject({ ok: false });
  });

  it('a database that calls its ledger otherwise is held against what the witness has, by its only name or by the key’s', async () => {
    for (const shard of [0, 1]) {
      const own = new NoteSigner(originOf('renamed.test', shard), Buffer.alloc(32, 66));
      await database.owner
        .$executeRaw`UPDATE ledger_checkpoints SET note = ${noteOf(logOf(shard).rows, own)} WHERE shard = ${shard}`;
    }
    expect((await run()).ok).toBe(false);
    const seen = (found: Verification) => found.witnesses.map(({ size }) => size);
    const sizes = [0, 1].map((shard) => logOf(shard).rows.length);
    expect(seen(await run())).toEqual(sizes);
    const note = noteOf(logOf(0).rows, new NoteSigner('renamed.test/shard/0', Buffer.alloc(32, 6)));
    await book.submit({ oldSize: 0, path: [], note });
    await expect(run()).rejects.toThrow(/give --ledger/i);
    const { publicKey } = signerOf(0);
    expect(seen(await run({ keys: [{ name: originOf('ledger.test', 0), publicKey }] }))).toEqual(sizes);
  });

  it('what it was not shown within two minutes: found; before that it may be under way', async () => {
    const log = new DrivenLog(1);
    logOf(1).events.forEach((recorded) => (log.events.push(recorded), log.state.apply(recorded)));
    for (let id = 0; id < 900; id += 1) log.id();
    const before = log.rows.length;
    const wallet = log.events.find(({ event }) => event.type === 'WalletOpened')?.event as { wallet_id: string };
    log.deposit(wallet.wallet_id, '5');
    const tail = eventRows(log.events.slice(before), log.rows[before - 1]?.hash as Buffer);
    await appendEventRows(database.owner, tail);
    const last = tail.at(-1) as EventRow;
    await database.owner.$executeRaw`
      UPDATE ledger_shards SET head_position = ${last.position}, head_hash = ${last.hash},
        head_signature = ${signHead(last, signerOf(1))} WHERE shard = 1`;
    const at = (ms: number) => new Date(Date.parse(tail[0]?.recorded_at ?? '') + ms);
    const of = (found: Verification) => found.witnesses.find(({ shard }) => shard === 1)?.fault;
    expect(of(await run({ now: at(UNWITNESSED_MAX_MS) }))).toBeNull();
    const late = await run({ now: at(UNWITNESSED_MAX_MS + 1) });
    expect(late).toMatchObject({ ok: false, unsigned: [] });
    expect(of(late)).toEqual({
      position: before + 1,
      problem: `witness ${directory} has seen none of the events from here on, and the first is of ${tail[0]?.recorded_at}`,
    });
    expect(advice(late).join()).not.toContain('rebuild');
  });

  it('one that has seen nothing of a log: found', async () => {
    const empty = new WitnessBook({ directory: await mkdtemp(join(directory, 'empty-')) });
    const found = await run({ witnesses: [empty] });
    expect(found).toMatchObject({ ok: false });
    expect(found.witnesses[1]?.fault?.problem).toMatch(/has seen nothing of this log/);
  });

  it('two logs that the key has signed: found by the evidence that it kept, even while the database has the first', async () => {
    const size = logOf(1).rows.length;
    await book.submit({ oldSize: size, path: [], note: noteOf(forgedLog(size).rows.slice(0, size)) });
    const found = await run();
    expect(found).toMatchObject({ ok: false });
    expect(found.witnesses[1]?.fault?.problem).toMatch(
      /^two logs were signed: at .* refused a checkpoint of \d+ events with another root/,
    );
    expect(advice(found)).toEqual([expect.stringContaining('the key has signed two') as unknown]);
  });

  it('a checkpoint without a proof, which any reader can send to it, is no finding', async () => {
    const { rows } = forgedLog(logOf(1).rows.length + 3);
    await book.submit({ oldSize: logOf(1).rows.length, path: [], note: noteOf(rows) });
    const found = await run();
    expect(found.witnesses[1]).toMatchObject({ unproven: 1, fault: null });
    expect(found).toMatchObject({ ok: true });
  });

  it('with --key, what a witness has must be signed by it', async () => {
    expect(await run({ keys: [{ publicKey: signerOf(0).publicKey }] })).toMatchObject({ ok: true });
    const found = await run({ keys: [{ publicKey: signerOf(0, 9).publicKey }] });
    expect(found).toMatchObject({ ok: false });
  });
});

describe('a checkpoint that was removed from the middle', () => {
  it('is found without a witness, because the next one names it', async () => {
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints WHERE shard = 1`;
    await signLog(database.owner, logOf(1).rows, [5, 9, logOf(1).rows.length]);
    expect(await run({ witnesses: [] })).toMatchObject({ ok: true });
    await database.owner.$executeRawUnsafe(
      `ALTER TABLE ledger_checkpoints DROP CONSTRAINT IF EXISTS ${await foreignKey()}`,
    );
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints WHERE shard = 1 AND tree_size = 9`;
    const found = await run({ witnesses: [] });
    const size = logOf(1).rows.length;
    expect(found.checkpoints.find(({ shard }) => shard === 1)?.fault).toEqual({
      shard: 1,
      position: size,
      problem: `the checkpoint of 9 events, which the one of ${size} continues, is missing`,
    });
  });

  async function foreignKey(): Promise<string> {
    const [row] = await database.owner.$queryRaw<{ conname: string }[]>`
      SELECT conname FROM pg_constraint
      WHERE conrelid = 'ledger_checkpoints'::regclass AND confrelid = 'ledger_checkpoints'::regclass`;
    return row?.conname ?? '';
  }
});

describe('the command', () => {
  async function audit(args: string, env: NodeJS.ProcessEnv = {}) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await createAuditor({ AUDIT_DATABASE_URL: database.auditorUrl, ...env }, stdout, stderr).run(
      args.split(' '),
    );
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }

  it('asks those that it is given, else those in AUDIT_WITNESSES', async () => {
    const address = `file:${directory}`;
    expect(await audit(`verify --witness ${address}`)).toMatchObject({ code: 0 });
    expect(await audit('verify', { AUDIT_WITNESSES: address })).toMatchObject({ code: 0 });
    await database.owner.$executeRaw`DELETE FROM ledger_checkpoints WHERE shard = 1`;
    const { code, out } = await audit('verify', { AUDIT_WITNESSES: address });
    expect(code).toBe(1);
    expect(out).toContain('is missing from the database');
  });

  it('says where each witness is', async () => {
    const { code, out } = await audit(`witnesses --witness file:${directory}`);
    expect(code).toBe(0);
    expect(out).toMatch(/shard 1 +.*\d+ events signed, \d+ seen/);
    const empty = await mkdtemp(join(directory, 'empty-'));
    expect(await audit(`witnesses --witness file:${empty}`)).toMatchObject({ code: 1 });
  });

  it('one that can not be asked is an outage, and a wrong address is wrong usage', async () => {
    expect(await audit('verify --witness nowhere')).toMatchObject({ code: 2 });
    expect((await audit('verify', { AUDIT_WITNESSES: 'nowhere' })).err).toContain('AUDIT_WITNESSES: expected file:');
    const away = await audit(`verify --witness file:${directory}/gone`);
    expect(away.code).toBe(2);
  });
});
