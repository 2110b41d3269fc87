/**
 * What a login with the rights of the tables' owner can forge, and what verify then says: the place, and one sentence of
 * advice, which is never to build upon a log that can't be trusted.
 */
import { closeCustomerCommandName } from '@stablecoin/contracts/wallet/close-customer-account';
import { signHead } from '@stablecoin/event-proofs/signed-head';
import { addFigures } from '@stablecoin/ledger-store/daily-figures';
import { followedUpTo } from '@stablecoin/ledger-store/following-tables';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { withLedger } from '../database/ledger';
import { onlineRebuild } from '../online-rebuild/online-rebuild';
import { randomUUID } from 'node:crypto';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { AuditedDatabase, auditedDatabase, TABLES } from '../testing/audited-database';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signerOf } from '@stablecoin/ledger-log/testing/signed-log';
import { UNSIGNED_MAX_MS } from './unsigned-tail';
import { verify, Verification, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(() => database.restore());
afterAll(() => database.drop());

const logOf = (shard: number) => database.logs[shard] as DrivenLog;
const run = (options?: VerifyOptions) => database.audit((ledger) => verify(ledger, options));
const rebuild = () =>
  withLedger({ LEDGER_MIGRATION_DATABASE_URL: database.ownerUrl }, (ledger) =>
    onlineRebuild(ledger, new Date(), { switch: true }),
  );
const advice = (found: Verification) =>
  verificationReport(found, 1)
    .text.split('\n')
    .filter((line) => line.startsWith('What to do'));

async function tamper(...statements: string[]): Promise<void> {
  for (const statement of statements) await database.owner.$executeRawUnsafe(statement);
}

/** Fills the index of searches and the figures of each day as the ledger does. */
async function followLogs(): Promise<void> {
  await tamper(
    `INSERT INTO transaction_search_progress SELECT shard, head_position FROM ledger_shards`,
    `INSERT INTO transaction_search
     SELECT merchant_id, position, lower(transaction_id) || ' ' || id FROM transactions`,
  );
  for (const { shard, rows } of database.logs) {
    await followedUpTo(database.owner, 'daily_figures', shard);
    await addFigures(database.owner, shard, 0, rows.length);
  }
}

/** Appends a deposit that the ledger never took, with sound hashes and with its projections. */
async function appendDeposit(shard: number): Promise<EventRow[]> {
  const log = structuredCloneOf(shard);
  const before = log.rows.length;
  const wallet = log.events.find(({ event }) => event.type === 'WalletOpened')?.event as { wallet_id: string };
  log.deposit(wallet.wallet_id, '1000000');
  const tail = eventRows(log.events.slice(before), log.rows[before - 1]?.hash as Buffer);
  await appendEventRows(database.owner, tail);
  const last = tail.at(-1) as EventRow;
  await database.owner
    .$executeRaw`UPDATE ledger_shards SET head_position = ${last.position}, head_hash = ${last.hash} WHERE shard = ${shard}`;
  return tail;
}

/** The same log once more, to be continued by a test. */
function structuredCloneOf(shard: number): DrivenLog {
  const log = new DrivenLog(shard);
  logOf(shard).events.forEach((recorded) => {
    log.events.push(recorded);
    log.state.apply(recorded);
  });
  for (let id = 0; id < 900; id += 1) log.id();
  return log;
}

const signHeadOf = (shard: number, { position, hash }: EventRow) => database.owner.$executeRaw`
  UPDATE ledger_shards SET head_signature = ${signHead({ position, hash }, signerOf(shard))} WHERE shard = ${shard}`;

const lastOf = (shard: number) => logOf(shard).rows.at(-1) as EventRow;

describe('a log that no signature of the ledger vouches for', () => {
  it.each([false, true])(
    'a deposit appended by another login, its heads signed: %s: found, no rebuild',
    async (signed) => {
      if (signed) await signHeadOf(1, lastOf(1));
      const [first] = await appendDeposit(1);
      const found = await run();
      const problem = expect.stringMatching(/^the ledger has not signed the events from here on/) as unknown;
      expect(found).toMatchObject({ ok: false, unsigned: [{ shard: 1, position: first?.position, problem }] });
      // The tables lack the deposit, but they are not to be made from this log.
      expect(found.tables.some(({ missing }) => missing > 0)).toBe(true);
      expect(advice(found)).toEqual([
        expect.stringMatching(/^What to do: No signature vouches for shard 1 from position \d+ on\./) as unknown,
      ]);
    },
  );

  it('what the ledger has appended since the last checkpoint is vouched for by its signed head', async () => {
    const tail = await appendDeposit(1);
    await signHeadOf(1, tail.at(-1) as EventRow);
    expect(await run()).toMatchObject({ unsigned: [] });
    // By another key it is not.
    const other = signHead(tail.at(-1) as EventRow, signerOf(1, 9));
    await database.owner.$executeRaw`UPDATE ledger_shards SET head_signature = ${other} WHERE shard = 1`;
    expect(await run()).toMatchObject({ ok: false, unsigned: [{ shard: 1 }] });
  });

  it('what is dated in the future is found, also where the ledger has signed it', async () => {
    const tail = await appendDeposit(1);
    await signHeadOf(1, tail.at(-1) as EventRow);
    const at = (ms: number) => new Date(Date.parse(tail.at(-1)?.recorded_at ?? '') + ms);
    expect(await run({ now: at(-UNSIGNED_MAX_MS) })).toMatchObject({ unsigned: [] });
    expect(await run({ now: at(-UNSIGNED_MAX_MS - 1) })).toMatchObject({
      ok: false,
      unsigned: [
        {
          shard: 1,
          position: tail.at(-1)?.position,
          problem: expect.stringMatching(/^is dated in the future/) as unknown,
        },
      ],
    });
  });

  it('what is younger than a minute and a half may still be signed', async () => {
    const [first] = await appendDeposit(1);
    const at = (ms: number) => new Date(Date.parse(first?.recorded_at ?? '') + ms);
    expect(await run({ now: at(UNSIGNED_MAX_MS) })).toMatchObject({ unsigned: [] });
    expect(await run({ now: at(UNSIGNED_MAX_MS + 1) })).toMatchObject({ ok: false, unsigned: [{ shard: 1 }] });
    // Dated in the future, it would never be old.
    expect(await run({ now: at(-UNSIGNED_MAX_MS - 1) })).toMatchObject({ ok: false, unsigned: [{ shard: 1 }] });
  });

  it('a head that was signed, its end rewritten or cut off: found at once', async () => {
    const { position, hash } = lastOf(1);
    await signHeadOf(1, { ...lastOf(1), hash: Buffer.alloc(32, 7) });
    const now = new Date(Date.parse(lastOf(1).recorded_at));
    const rewritten = 'is not the event that the ledger signed as its head';
    expect(await run({ now })).toMatchObject({ ok: false, unsigned: [{ shard: 1, position, problem: rewritten }] });
    await signHeadOf(1, { ...lastOf(1), position: position + 4, hash });
    const cut = `missing: the ledger signed its head at ${position + 4}`;
    expect(await run({ now })).toMatchObject({
      ok: false,
      unsigned: [{ shard: 1, position: position + 1, problem: cut }],
    });
  });

  it('a log that was rewritten consistently, its checkpoints deleted: found, though every hash is sound', async () => {
    await tamper(
      ...['ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_events', 'ledger_shards'].map(
        (table) => `DELETE FROM ${table} WHERE shard = 1`,
      ),
      ...['account_balances', 'wallets', 'transactions'].map((table) => `DELETE FROM ${table} WHERE shard = 1`),
      `DELETE FROM deposit_addresses WHERE wallet_id NOT IN (SELECT id FROM wallets)`,
      `DELETE FROM closed_customers WHERE merchant_id = '${logOf(1).merchant_id}'`,
      `DELETE FROM command_results WHERE merchant_id = '${logOf(1).merchant_id}'`,
    );
    const forged = new DrivenLog(1);
    forged.deposit(forged.openWallet('USD'), '1000000');
    await writeLog(database.owner, forged, { signed: false });
    const found = await run({ keys: [{ publicKey: signerOf(0).publicKey }] });
    expect(found.shards.every(({ fault }) => fault === null)).toBe(true);
    const problem = expect.stringMatching(
      /^there is no checkpoint of its events, and the first is of 2026-/,
    ) as unknown;
    expect(found).toMatchObject({ ok: false, unsigned: [{ shard: 1, position: 1, problem }] });
    expect(advice(found)).toHaveLength(1);
  });
});

describe('one tampering', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a broken chain',
      () => database.owner.$executeRaw`UPDATE ledger_events SET body = body || ' ' WHERE shard = 1 AND position = 6`,
      /The log of shard 1 can be trusted up to position 5 and no further/,
    ],
    [
      'a chain broken by a hash',
      () => database.owner.$executeRaw`UPDATE ledger_events SET hash = sha256(hash) WHERE shard = 1 AND position = 6`,
      /The log of shard 1 can be trusted up to position 5 and no further/,
    ],
    [
      'a checkpoint that was changed',
      () =>
        database.owner.$executeRaw`UPDATE ledger_checkpoints SET note = replace(note, '2026', '2025') WHERE shard = 1`,
      /From position \d+ on, shard 1 is not what the ledger has signed/,
    ],
    [
      'a checkpoint that is dated otherwise than it was signed',
      () => database.owner.$executeRaw`UPDATE ledger_checkpoints SET created_at = '2099-01-01' WHERE shard = 1`,
      /From position \d+ on, shard 1 is not what the ledger has signed/,
    ],
    [
      'a checkpoint beside which the next one would begin from other events',
      () => database.owner.$executeRaw`UPDATE ledger_checkpoints SET head_hash = sha256(head_hash) WHERE shard = 1`,
      /From position \d+ on, shard 1 is not what the ledger has signed/,
    ],
    [
      'a broken chain, with wrong tables',
      async () => {
        await tamper(
          `UPDATE account_balances SET balance = balance + 1`,
          `DELETE FROM ledger_events WHERE position = 9`,
        );
      },
      /The log of shard 0 can be trusted up to position 8/,
    ],
  ])('%s: one sentence for each shard, and never the advice to rebuild', async (_name, forge, sentence) => {
    await forge();
    const found = await run();
    const said = advice(found);
    expect(said[0]).toMatch(sentence);
    expect(said).toHaveLength(new Set(found.shards.flatMap(({ fault }) => fault?.shard ?? [])).size || 1);
    expect(said.join()).not.toContain('rebuild');
  });

  it('tables that differ from a log that is whole and signed: the advice is to rebuild, and it helps', async () => {
    await followLogs();
    expect(await run()).toMatchObject({ ok: true });
    await tamper(`UPDATE account_balances SET balance = balance + 1 WHERE account_id = 'fees:USD' AND shard = 1`);
    expect(advice(await run())).toEqual([expect.stringContaining('npm run rebuild -- --switch') as unknown]);
    expect(await rebuild()).toMatchObject({ ok: true, switched: true });
    expect(await run()).toMatchObject({ ok: true });
  });
});

describe('what answers lists and searches', () => {
  const counts = 'transaction_counts';
  const search = 'transaction_search';
  const figures = 'daily_figures';
  const one = (table: string) => `ctid = (SELECT min(ctid) FROM ${table})`;
  const last = `(SELECT position FROM ${search} ORDER BY position DESC LIMIT 1)`;

  it.each<[string, string, string]>([
    ['a total, changed', counts, `UPDATE ${counts} SET transactions = transactions + 5 WHERE ${one(counts)}`],
    ['a total, emptied', counts, `UPDATE ${counts} SET transactions = 0 WHERE ${one(counts)}`],
    ['a row of totals, deleted', counts, `DELETE FROM ${counts} WHERE ${one(counts)}`],
    [
      'a row of totals too many',
      counts,
      `INSERT INTO ${counts} SELECT merchant_id, day, 'GBP', transaction_type, transaction_mode, status, 3, 9
       FROM ${counts} WHERE ${one(counts)}`,
    ],
    [
      'a day that hides pages, without a transaction',
      counts,
      `INSERT INTO ${counts} SELECT merchant_id, day + 1, currency, transaction_type, transaction_mode, status, 0, 1
       FROM ${counts} WHERE ${one(counts)}`,
    ],
    ['where a day begins, too late', counts, `UPDATE ${counts} SET first_position = first_position + 900`],
    ['where a day begins, too early', counts, `UPDATE ${counts} SET first_position = 1`],
    ['the index of searches, emptied', search, `TRUNCATE ${search}`],
    ['an entry of it, changed', search, `UPDATE ${search} SET ids = 'x' WHERE position = ${last}`],
    ['an entry of it, deleted', search, `DELETE FROM ${search} WHERE position = ${last}`],
    ['an entry too many', search, `INSERT INTO ${search} VALUES (gen_random_uuid(), 7, 'x')`],
    ['its progress, ahead of the log', search, `UPDATE transaction_search_progress SET position = position + 100`],
    ['an amount of a day, changed', figures, `UPDATE ${figures} SET amount = amount + 1 WHERE ${one(figures)}`],
    ['a fee of a day, changed', figures, `UPDATE ${figures} SET fee = fee + 1 WHERE ${one(figures)}`],
    [
      'a failure, counted twice',
      figures,
      `UPDATE ${figures} SET transactions = transactions * 2 WHERE ${one(figures)}`,
    ],
    ['a time of settlement, improved', figures, `UPDATE ${figures} SET settled_within_ms = 1 WHERE ${one(figures)}`],
    ['a figure, given to a later day', figures, `UPDATE ${figures} SET day = day + 1 WHERE ${one(figures)}`],
    ['a figure, deleted', figures, `DELETE FROM ${figures} WHERE ${one(figures)}`],
    ['all figures, emptied', figures, `TRUNCATE ${figures}`],
    ['their progress, ahead of the log', figures, `UPDATE ${figures}_progress SET position = position + 100`],
  ])('%s: found, and rebuild mends it', async (_name, table, statement) => {
    await followLogs();
    expect(await run()).toMatchObject({ ok: true });
    await tamper(statement);
    for (const shard of [undefined, 1]) {
      const found = await run({ shard });
      const faulty = found.derived.filter(({ missing, surplus, differing }) => missing + surplus + differing > 0);
      const isOfOthers = shard === 1 && (statement.includes('gen_random_uuid') || statement.includes('min(ctid)'));
      if (!isOfOthers)
        expect({ ok: found.ok, tables: faulty.map((one) => one.table) }).toEqual({ ok: false, tables: [table] });
      if (!isOfOthers) expect(advice(found)).toEqual([expect.stringContaining('npm run rebuild') as unknown]);
    }
    expect(await rebuild()).toMatchObject({ ok: true, switched: true });
    expect(await run()).toMatchObject({ ok: true });
  });
});

describe('the stored nodes of the tree', () => {
  const long = () => {
    const log = new DrivenLog(2);
    const wallet = log.openWallet('USD');
    while (log.events.length < 600) log.deposit(wallet, '1');
    return log;
  };

  afterEach(() => database.owner.$executeRaw`TRUNCATE ledger_tree_nodes`);

  it.each([
    ['changed', 'UPDATE ledger_tree_nodes SET hash = sha256(hash) WHERE index = 0'],
    ['deleted', 'DELETE FROM ledger_tree_nodes WHERE index = 1'],
    ['too many', `INSERT INTO ledger_tree_nodes SELECT shard, level, 7, hash FROM ledger_tree_nodes WHERE index = 0`],
  ])('one %s: found, and rebuild mends it', async (_name, statement) => {
    await writeLog(database.owner, long());
    expect(await run()).toMatchObject({ ok: true });
    await tamper(statement);
    const found = await run();
    expect(found).toMatchObject({ ok: false, checkpoints: [{}, {}, { shard: 2, fault: null, nodes_differing: 1 }] });
    expect(advice(found)).toEqual([expect.stringContaining('npm run rebuild') as unknown]);
    expect(await rebuild()).toMatchObject({ ok: true, switched: true });
    expect(await run()).toMatchObject({ ok: true });
  });
});

describe('stored results', () => {
  const commandAt = (movement: string) => {
    const recorded = logOf(1).events.find((event) => event.movement === movement);
    if (!recorded) throw new Error(`no ${movement}`);
    return recorded;
  };
  const change = (movement: string, from: string, to: string) => database.owner.$executeRaw`
    UPDATE command_results SET result = replace(result, ${from}, ${to})
    WHERE command_id = ${commandAt(movement).command_id}::uuid`;

  it.each([
    ['deposit-recorded', '"PENDING"', '"COMPLETED"', 'status'],
    ['deposit-completed', '"1000.00000000"', '"9000.00000000"', 'amount'],
    ['payout-accepted', '"PENDING"', '"FAILED"', 'status'],
    ['payout-reversed', '"REVERSED"', '"COMPLETED"', 'status'],
    ['swap-accepted', '"92.50000000"', '"99.50000000"', 'credit_transaction.amount'],
    ['wallet-opened', '"USD"', '"EUR"', 'currency'],
  ])('of a command in the log (%s), changed: found, and its fields named', async (movement, from, to, fields) => {
    expect(await change(movement, from, to)).toBe(1);
    for (const pageSize of [1, 3, undefined]) {
      const found = await run({ pageSize });
      const { command_id } = commandAt(movement);
      const position = logOf(1).events.find((event) => event.command_id === command_id)?.position;
      const problem = `has a stored result that its events contradict, in ${fields}`;
      expect(found).toMatchObject({ ok: false, commands: [{ shard: 1, position, command_id, problem }] });
      expect(advice(found)).toEqual([expect.stringContaining('Restore command_results') as unknown]);
    }
  });

  it.each([
    [
      'a transaction that is not there',
      () => `{"id":"0199f000-0000-7000-9000-000000000009","transaction_id":"AAAAAAAAAA"}`,
    ],
    ['a payout of the merchant’s, as it is', () => resultOf('payout-accepted')],
    ['an amount that is not the transaction’s', () => resultOf('payout-accepted').replace('"40.', '"4000.')],
    ['a wallet of the merchant’s', () => resultOf('wallet-opened')],
    ['both halves of a swap', () => resultOf('swap-accepted')],
    ['a customer who is not closed', () => `{"customer_id":"0199f000-0000-7000-9000-000000000009"}`],
    ['no JSON', () => 'x'],
  ])('of no command in the log, with %s: found', async (_name, result) => {
    await invent(result(), logOf(1).merchant_id);
    const found = await run();
    expect(found).toMatchObject({ ok: false, unlogged_results: 1, commands: [{ shard: null, position: null }] });
    expect(found.commands[0]?.problem).toMatch(/no event/);
  });

  it('of a customer closed once more: counted, and another merchant’s is found', async () => {
    const closed = resultOf('customer-closed');
    const again = closingOf((JSON.parse(closed) as { customer_id: string }).customer_id);
    await invent(closed, logOf(1).merchant_id, again);
    expect(await run()).toMatchObject({ ok: true, unlogged_results: 1, commands: [] });
    await database.owner.$executeRaw`DELETE FROM command_results WHERE command_id = ${again}::uuid`;
    await invent(closed, logOf(0).merchant_id, again);
    expect(await run()).toMatchObject({ ok: false, unlogged_results: 1 });
  });

  it('of a customer closed once more, under the id of a command that is still to come: found', async () => {
    const settlement = derivedUuid('payout:0199f000-0000-7000-9000-000000000009:COMPLETED');
    await invent(resultOf('customer-closed'), logOf(1).merchant_id, settlement);
    const found = await run();
    expect(found).toMatchObject({ ok: false, commands: [{ shard: null, command_id: settlement }] });
    expect(found.commands[0]?.problem).toContain('sent again it would take no effect');
  });

  const results = new Map<string, string>();
  beforeEach(async () => {
    const rows = await database.owner.$queryRaw<{ command_id: string; result: string }[]>`
      SELECT command_id::text, result FROM command_results`;
    rows.forEach(({ command_id, result }) => results.set(command_id, result));
  });

  const lastAt = (movement: string) =>
    logOf(1)
      .events.filter((event) => event.movement === movement)
      .at(-1);
  const resultOf = (movement: string) => results.get(lastAt(movement)?.command_id ?? '') ?? '';

  const closingOf = (customer_id: string) => derivedUuid(closeCustomerCommandName(customer_id));
  const invent = (result: string, merchant_id: string, command_id: string = randomUUID()) => database.owner.$executeRaw`
    INSERT INTO command_results (command_id, merchant_id, input_hash, result)
    VALUES (${command_id}::uuid, ${merchant_id}::uuid, 'hash', ${result})`;
});

describe('deposit addresses', () => {
  it('that two wallets have: found, with one sentence', async () => {
    await database.owner.$executeRawUnsafe(`TRUNCATE ${TABLES}`);
    await writeLog(database.owner, logOf(0));
    const twice = new DrivenLog(1, (network) => `${network}-again`);
    twice.openWallet('USDC', 'erc20');
    twice.openWallet('USDT', 'erc20');
    await writeLog(database.owner, twice);
    const found = await run();
    expect(found).toMatchObject({ ok: false, schema: [], shared_addresses: [{ address: 'erc20-again' }] });
    expect(found.shared_addresses[0]?.wallets).toHaveLength(2);
    expect(advice(found)).toEqual([
      expect.stringContaining('The counter deposit_address_index was set back') as unknown,
    ]);
  });

  const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
  const TRON = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';
  it.each([
    ['of an EVM network: one address', EVM, [{ address: EVM }]],
    ['of another network: two', TRON, []],
  ])('in letters of another case, %s', async (_name, address, shared_addresses) => {
    await database.owner.$executeRawUnsafe(`TRUNCATE ${TABLES}`);
    const letters = [address, address.toLowerCase()];
    for (const shard of [0, 1]) {
      const log = new DrivenLog(shard, () => letters[shard] ?? '');
      log.openWallet('USDC', 'erc20');
      await writeLog(database.owner, log);
    }
    expect(await run()).toMatchObject({ ok: shared_addresses.length === 0, shared_addresses });
  });
});
