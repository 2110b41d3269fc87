import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { appendEventRows, eventRows } from '@stablecoin/ledger-store/event-rows';
import { ProjectionTable } from '@stablecoin/ledger-store/projections/tables';
import { DrivenLog, writeLog } from '@stablecoin/ledger-log/testing/driven-log';
import { AuditedDatabase, auditedDatabase, TABLES } from '../testing/audited-database';
import { verify, VerifyOptions } from './verify';

let database: AuditedDatabase;
let tampered = false;

beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());
afterEach(async () => {
  if (tampered) await database.restore();
  tampered = false;
});

const run = (options?: VerifyOptions) => database.audit((ledger) => verify(ledger, options));

async function tamper(...statements: string[]): Promise<void> {
  tampered = true;
  for (const statement of statements) await database.owner.$executeRawUnsafe(statement);
}

const lengthOf = (log: DrivenLog | undefined) => log?.events.length ?? 0;

describe('an intact ledger', () => {
  it('is intact', async () => {
    const found = await run();
    expect(found).toMatchObject({ ok: true, sums: [], published_beyond: [], events: lengthOf(database.logs[0]) * 2 });
    expect(found.shards.map(({ fault }) => fault)).toEqual([null, null]);
    expect(found.tables.map(({ table, rows }) => [table, rows > 0])).toEqual([
      ...['account_balances', 'wallets', 'deposit_addresses', 'closed_customers'].map((table) => [table, true]),
      // Of merchants with a policy: policies.int.spec.ts.
      ...['payout_policies', 'payout_usage'].map((table) => [table, false]),
      ['transactions', true],
    ]);
  });

  it('is intact shard by shard, in pages of any size, with next to no memory', async () => {
    for (const pageSize of [1, 2, 7]) {
      const found = await run({ pageSize, limits: { maxWallets: 0, maxTransactions: 0 }, shard: 1 });
      expect(found).toMatchObject({ ok: true, events: lengthOf(database.logs[1]) });
    }
  });

  it('is intact when it is empty', async () => {
    await tamper(`TRUNCATE ${TABLES}`);
    expect(await run()).toMatchObject({ ok: true, events: 0, shards: [] });
  });

  it('is checked as of the beginning of the run, while it grows', async () => {
    tampered = true;
    const late = new DrivenLog(2);
    late.deposit(late.openWallet('USD'), '5');
    let written: Promise<void> | undefined;
    const onStart = () => () => void (written ??= writeLog(database.owner, late));
    expect(await run({ pageSize: 5, onStart })).toMatchObject({ ok: true, events: lengthOf(database.logs[0]) * 2 });
    await written;
    expect(await run()).toMatchObject({ ok: true, events: lengthOf(database.logs[0]) * 2 + lengthOf(late) });
  });

  it('is not checked for a shard that does not exist, but refused', async () => {
    await expect(run({ shard: 9 })).rejects.toThrow('There is no shard 9: there are 0, 1.');
  });
});

describe('a log that was changed', () => {
  const row = (position: number) => `WHERE shard = 1 AND position = ${position}`;
  const last = () => lengthOf(database.logs[1]);
  const cases: [string, () => string[], () => number][] = [
    [
      'a byte of a body',
      () => [`UPDATE ledger_events SET body = overlay(body PLACING 'X' FROM 30) ${row(5)}`],
      () => 5,
    ],
    [
      'a byte of a hash',
      () => [`UPDATE ledger_events SET hash = set_byte(hash, 9, 255 - get_byte(hash, 9)) ${row(6)}`],
      () => 6,
    ],
    ['recorded_at', () => [`UPDATE ledger_events SET recorded_at = recorded_at + interval '1 ms' ${row(7)}`], () => 7],
    ['account_id', () => [`UPDATE ledger_events SET account_id = 'fees:USD' ${row(8)}`], () => 8],
    ['transaction', () => [`UPDATE ledger_events SET transaction = gen_random_uuid() ${row(9)}`], () => 9],
    ['a row, deleted', () => [`DELETE FROM ledger_events ${row(10)}`], () => 10],
    [
      'two rows, swapped',
      () => [
        `UPDATE ledger_events SET position = 1000 ${row(11)}`,
        `UPDATE ledger_events SET position = 11 ${row(12)}`,
        `UPDATE ledger_events SET position = 12 ${row(1000)}`,
      ],
      () => 11,
    ],
    [
      'the tail, cut off',
      () => [`DELETE FROM ledger_events WHERE shard = 1 AND position > ${last() - 3}`],
      () => last() - 2,
    ],
    ['all of a shard, cut off', () => ['DELETE FROM ledger_events WHERE shard = 1'], () => 1],
    [
      'the head',
      () => [
        'UPDATE ledger_shards SET head_hash = set_byte(head_hash, 0, 255 - get_byte(head_hash, 0)) WHERE shard = 1',
      ],
      last,
    ],
    ['the head, deleted', () => ['DELETE FROM ledger_shards WHERE shard = 1'], last],
  ];

  it.each(cases)('%s: found, with shard and position', async (_name, statements, position) => {
    await tamper(...statements());
    for (const pageSize of [3, undefined]) {
      const found = await run({ pageSize });
      expect(found.ok).toBe(false);
      expect(found.shards.map(({ fault }) => fault?.position)).toEqual([undefined, position()]);
      // The other shard's projections are still compared with its log.
      expect(found.tables.map(({ missing, surplus, differing }) => missing + surplus + differing)).toEqual([
        0, 0, 0, 0, 0, 0, 0,
      ]);
    }
  });

  it('an event that the tables refuse, with recomputed hashes: found, and the other shard is still checked', async () => {
    const events = structuredClone(database.logs[0]?.events ?? []);
    Object.assign(events[0]?.event ?? {}, { description: 'a\u0000b' });
    const rows = eventRows(events, GENESIS_HASH);
    await tamper('DELETE FROM ledger_events WHERE shard = 0');
    await appendEventRows(database.owner, rows);
    await database.owner.$executeRaw`UPDATE ledger_shards SET head_hash = ${rows.at(-1)?.hash} WHERE shard = 0`;
    const found = await run();
    const problem = expect.stringMatching(/^positions 1 to \d+ cannot be projected: .*0x00/) as unknown;
    expect(found.shards.map(({ fault }) => fault)).toEqual([{ shard: 0, position: 1, problem }, null]);
    expect(found.tables.every(({ missing, surplus, differing }) => missing + surplus + differing === 0)).toBe(true);
  });

  it.each([
    ['of its own shard', 1],
    ['of another shard', 0],
  ])('a transaction that opens as one %s, its hashes made anew: found where it opens', async (_name, shard) => {
    const opensIn = (of: number) =>
      database.logs[of]?.events.flatMap((recorded) =>
        'opens' in recorded.event && recorded.event.opens ? [{ recorded, opens: recorded.event.opens }] : [],
      ) ?? [];
    const [first, last] = [opensIn(shard)[0], opensIn(1).at(-1)];
    const events = structuredClone(database.logs[1]?.events ?? []);
    const position = last?.recorded.position ?? 0;
    const event = events[position - 1]?.event;
    if (event && 'opens' in event && event.opens && first) event.opens.transaction_id = first.opens.transaction_id;
    const rows = eventRows(events, GENESIS_HASH);
    await tamper('DELETE FROM ledger_events WHERE shard = 1');
    await appendEventRows(database.owner, rows);
    await database.owner.$executeRaw`UPDATE ledger_shards SET head_hash = ${rows.at(-1)?.hash} WHERE shard = 1`;
    for (const options of [{}, { pageSize: 3, limits: { maxWallets: 0, maxTransactions: 0 } }]) {
      const problem = 'the transaction is open already';
      expect((await run(options)).shards.map(({ fault }) => fault)).toEqual([null, { shard: 1, position, problem }]);
    }
  });

  /** Replaces the log of shard 0 by a shorter one, with matching head and projections. */
  async function cutOff(): Promise<void> {
    const [log] = database.logs;
    const shorter = new DrivenLog(0);
    shorter.openWallet('USD');
    await tamper(
      `DELETE FROM ledger_events WHERE shard = 0`,
      ...['ledger_shards', 'account_balances', 'wallets', 'transactions'].map(
        (table) => `DELETE FROM ${table} WHERE shard = 0`,
      ),
      `DELETE FROM deposit_addresses WHERE wallet_id NOT IN (SELECT id FROM wallets)`,
      `DELETE FROM closed_customers WHERE merchant_id = '${log?.merchant_id}'`,
    );
    await writeLog(database.owner, shorter, { signed: false });
  }

  it('a tail cut off together with its head and its projections: found by the relay’s checkpoint', async () => {
    await database.owner.$executeRaw`INSERT INTO relay_checkpoints (shard, position) VALUES (0, 3)`;
    await cutOff();
    expect(await run()).toMatchObject({
      ok: false,
      shards: [{ fault: null }, { fault: null }],
      sums: [],
      published_beyond: [{ shard: 0, published: 3, logged: 1 }],
    });
  });
});

describe('changed stored results of commands', () => {
  it('a result that is missing, or another merchant’s: found, with the position of its command', async () => {
    const [one, other] = [3, 5].map((position) => database.logs[1]?.events[position - 1]?.command_id);
    await tamper(
      `DELETE FROM command_results WHERE command_id = '${one}'`,
      `UPDATE command_results SET merchant_id = gen_random_uuid() WHERE command_id = '${other}'`,
    );
    const commandOf = (id: string | undefined) => database.logs[1]?.events.find(({ command_id }) => command_id === id);
    for (const pageSize of [2, undefined]) {
      const found = await run({ pageSize });
      expect(found.ok).toBe(false);
      expect(
        new Map(found.commands.map(({ command_id, position, problem }) => [`${position} ${command_id}`, problem])),
      ).toEqual(
        new Map([
          [`${commandOf(one)?.position} ${one}`, 'has no stored result'],
          [`${commandOf(other)?.position} ${other}`, 'has a stored result of another merchant'],
        ]),
      );
    }
  });
});

describe('a changed projection', () => {
  const UUID = '0199f000-0000-7000-9000-000000000001';
  const NOW = `'2026-11-21T12:00:00Z'`;
  const first = (table: string, key = 'id') =>
    `WHERE ${key} = (SELECT min(${key}::text) FROM ${table} WHERE shard = 1)::uuid`;
  const wallet = () => database.logs[1]?.events[0]?.event as { wallet_id: string };
  const account = () => `WHERE account_id = '${wallet().wallet_id}'`;
  const merchant = () => database.logs[1]?.merchant_id;
  const ofShard = (table: string) =>
    `${table} WHERE wallet_id IN (SELECT id FROM wallets WHERE shard = 1) AND network = 'solana'`;
  type Case = [string, () => string, 'missing' | 'surplus' | 'differing', string[]];
  /** Those of policies have a spec of their own: policies.int.spec.ts. */
  const cases: Record<Exclude<ProjectionTable, 'payout_policies' | 'payout_usage'>, Case[]> = {
    account_balances: [
      ['a balance', () => `UPDATE account_balances SET balance = balance + 1 ${account()}`, 'differing', ['balance']],
      [
        'a count',
        () => `UPDATE account_balances SET open_transactions = 7 ${account()}`,
        'differing',
        ['open_transactions'],
      ],
      ['an account, deleted', () => `DELETE FROM account_balances ${account()}`, 'missing', []],
      [
        'an account too many',
        () => `INSERT INTO account_balances VALUES (1, 'fees:GBP', 'GBP', 0, 0, ${NOW})`,
        'surplus',
        [],
      ],
    ],
    wallets: [
      ['a text', () => `UPDATE wallets SET description = NULL ${first('wallets')}`, 'differing', ['description']],
      ['a wallet, deleted', () => `DELETE FROM wallets ${first('wallets')}`, 'missing', []],
      [
        'a wallet too many',
        () => `INSERT INTO wallets VALUES ('${UUID}', 1, '${UUID}', NULL, 'USD', NULL, 9, ${NOW}, ${NOW}, 2)`,
        'surplus',
        [],
      ],
    ],
    deposit_addresses: [
      ['an address', () => `UPDATE ${ofShard("deposit_addresses SET address = 'mine'")}`, 'differing', ['address']],
      ['an address, deleted', () => `DELETE FROM ${ofShard('deposit_addresses')}`, 'missing', []],
      [
        'an address too many',
        () => `INSERT INTO deposit_addresses VALUES ('${UUID}', '${wallet().wallet_id}', 'trc20', 'mine', ${NOW})`,
        'surplus',
        [],
      ],
    ],
    closed_customers: [
      [
        'a time',
        () => `UPDATE closed_customers SET closed_at = now() WHERE merchant_id = '${merchant()}'`,
        'differing',
        ['closed_at'],
      ],
      ['a customer, deleted', () => `DELETE FROM closed_customers WHERE merchant_id = '${merchant()}'`, 'missing', []],
      [
        'a customer too many',
        () => `INSERT INTO closed_customers VALUES ('${UUID}', '${merchant()}', ${NOW})`,
        'surplus',
        [],
      ],
    ],
    transactions: [
      [
        'a status',
        () =>
          `UPDATE transactions SET status = 'COMPLETED' WHERE shard = 1 AND transaction_type = 'PAYOUT' AND status = 'PENDING'`,
        'differing',
        ['status'],
      ],
      ['a transaction, deleted', () => `DELETE FROM transactions ${first('transactions')}`, 'missing', []],
      [
        'a transaction too many',
        () => `INSERT INTO transactions (id, shard, position, merchant_id, transaction_id, reference_id, wallet_id,
          transaction_type, transaction_mode, currency, amount, status, balance, created_at, updated_at)
          VALUES ('${UUID}', 1, 2, '${merchant()}', 'AAAAAAAAAA', '${UUID}', '${wallet().wallet_id}',
          'DEPOSIT', 'CREDIT', 'USD', 1, 'FAILED', 0, ${NOW}, ${NOW})`,
        'surplus',
        [],
      ],
    ],
  };
  const everyCase = Object.entries(cases).flatMap(([table, some]) => some.map((one) => [table, ...one] as const));

  it.each(everyCase)('%s: %s: found, and the row named', async (table, _name, statement, kind, columns) => {
    await tamper(statement());
    for (const shard of [undefined, 1]) {
      const found = await run({ shard });
      expect(found.ok).toBe(false);
      const faulty = found.tables.filter(({ missing, surplus, differing }) => missing + surplus + differing > 0);
      expect(faulty).toEqual([
        expect.objectContaining({ table, [kind]: 1, first: [{ key: expect.any(String) as unknown, kind, columns }] }),
      ]);
    }
    expect((await run({ shard: 0 })).ok).toBe(true);
  });

  it('a row with another shard’s number: found by a check of either shard', async () => {
    await tamper(`UPDATE transactions SET shard = 0 ${first('transactions')}`);
    for (const [shard, kind] of [
      [undefined, 'differing'],
      [1, 'differing'],
      [0, 'surplus'],
    ] as const) {
      expect((await run({ shard })).tables.find(({ table }) => table === 'transactions')).toMatchObject({ [kind]: 1 });
    }
  });

  it('a row of a shard that does not exist: found by a run over all shards', async () => {
    await tamper(`INSERT INTO closed_customers VALUES ('${UUID}', '${UUID}', ${NOW})`);
    expect((await run()).tables.find(({ table }) => table === 'closed_customers')).toMatchObject({ surplus: 1 });
  });

  it('each wrong sum: found and named', async () => {
    await tamper(
      `UPDATE account_balances SET balance = balance + 1 WHERE shard = 1 AND account_id = 'payout-clearing:USD'`,
    );
    expect((await run()).sums).toEqual([
      { shard: 1, of: 'USD', problem: 'all accounts sum to 1.00000000, not to zero' },
      {
        shard: 1,
        of: 'payout-clearing:USD',
        problem: expect.stringContaining('pending payouts amount to 40.65') as unknown,
      },
    ]);
    await database.restore();
    await tamper(
      `UPDATE transactions SET amount = amount + 1 WHERE wallet_id = '${wallet().wallet_id}' AND transaction_type = 'DEPOSIT'`,
    );
    const problem = expect.stringContaining('its transactions amount to') as unknown;
    expect((await run()).sums).toEqual([{ shard: 1, of: wallet().wallet_id, problem }]);
  });
});
