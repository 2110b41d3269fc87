/** A shard that was moved leaves a copy behind: it is judged as evidence, and nothing of it that is right is a surplus or counted twice. */
import { closeCustomerCommandName } from '@stablecoin/contracts/wallet/close-customer-account';
import { followLog } from '@stablecoin/ledger-log/rebuild/follow-log';
import { eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { appendEventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { withLedgers } from '../database/ledger';
import { auditedDatabase, AuditedDatabase } from '../testing/audited-database';
import { signLiabilitiesOf } from '../testing/signed-liabilities';
import { verify, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

/** Shard 1 as it was when it left home, and as it went on on b. */
const left = eventfulLog(1);
const grown = eventfulLog(1);
const usd = left.state.walletOf({ merchant_id: left.merchant_id, customer_id: null }, 'USD')?.id ?? '';
grown.deposit(usd, '12');
grown.resolvePayout(grown.holdPayout('USD', '3'), 'COMPLETED');
const [LEFT, GROWN] = [left.events.length, grown.events.length];

let home: AuditedDatabase;
let b: AuditedDatabase;

beforeAll(async () => {
  [home, b] = await Promise.all([auditedDatabase([eventfulLog(0), left]), auditedDatabase([grown])]);
});

beforeEach(async () => {
  await Promise.all([home.restore(), b.restore()]);
  for (const [database, shards] of [
    [home, [0, 1]],
    [b, [1]],
  ] as const)
    for (const shard of shards)
      await database.owner.$transaction((sql) =>
        followLog(sql, shard, database.logs.find((log) => log.shard === shard)?.events.length ?? 0),
      );
  await onHome(`INSERT INTO relay_checkpoints (shard, position) VALUES (1, ${GROWN})`);
  await onHome(`UPDATE ledger_shards SET moved_to = 'b', epoch = 4 WHERE shard = 1`);
  await onB('UPDATE ledger_shards SET epoch = 5');
});

afterAll(() => Promise.all([home.drop(), b.drop()]));

const onHome = (statement: string) => home.owner.$executeRawUnsafe(statement);
const onB = (statement: string) => b.owner.$executeRawUnsafe(statement);

const run = (options: VerifyOptions = {}) =>
  withLedgers({ AUDIT_DATABASE_URL: home.auditorUrl, AUDIT_DATABASES: `b=${b.auditorUrl}` }, (databases) =>
    verify(databases, { settlesWithinMs: 0, pageSize: 7, ...options }),
  );

const NOTHING = {
  ...{ missing: [], torn: [], booked_twice: [], shared_addresses: [], commands: [], sums: [], published_beyond: [] },
};

const ofCopy = { shard: 1, database: 'home', log: 'b' };

it('is the beginning of the log where the shard is, and nothing that it left is compared or counted twice', async () => {
  await signLiabilitiesOf(home.owner, [0, 1], { others: [{ database: b.owner, shards: [1] }] });
  const found = await run({ shardCount: 2 });
  expect(found).toMatchObject({ ok: true, ...NOTHING, liabilities: { signed: 1, verified: 1 } });
  expect(found.copies).toEqual([{ ...ofCopy, events: LEFT, fault: null }]);
  expect(found.shards.map(({ shard, events }) => [shard, events])).toEqual([
    [0, home.logs[0]?.events.length],
    [1, GROWN],
  ]);
  expect(found.checkpoints.map(({ shard }) => shard)).toEqual([0, 1]);
  expect(verificationReport(found, 1).text).toContain(
    `   shard 1: the copy on home is the log on b up to position ${LEFT}`,
  );
  expect(await run({ shard: 1 })).toMatchObject({ ok: true, copies: [{ fault: null }] });
  expect(await run({ shard: 0 })).toMatchObject({ ok: true, copies: [] });
});

// A mover that begins takes them away in the transaction that sets the head: see rebuilt-copies.int.spec.ts.
it('has no rows before its mover has copied the events that they follow from', async () => {
  await onHome(`UPDATE ledger_shards SET moved_to = NULL WHERE shard = 1`);
  await onHome(
    `UPDATE ledger_shards SET moved_to = 'b', mover = 'a mover', head_position = 0, head_hash = '\\x00' WHERE shard = 1`,
  );
  const { ok, tables, ...found } = await run();
  const surplus = tables.flatMap((each) => (each.surplus > 0 ? [each.table] : []));
  expect(found).toMatchObject({ ...NOTHING, copies: [{ ...ofCopy, events: LEFT, fault: null }] });
  expect({ ok, surplus }).toEqual({
    ok: false,
    surplus: expect.arrayContaining(['wallets', 'transactions']) as unknown,
  });
});

it('has projections that are compared with its own log, up to where the shard left', async () => {
  await onHome('UPDATE account_balances SET balance = balance + 7 WHERE shard = 1');
  await onHome(`UPDATE transactions SET status = 'FAILED' WHERE shard = 1 AND status = 'COMPLETED'`);
  const { ok, tables, ...found } = await run();
  const differing = tables.flatMap((each) => (each.differing > 0 ? [each.table] : []));
  expect({ ok, differing, found }).toMatchObject({
    ...{ ok: false, differing: ['account_balances', 'transactions'], found: NOTHING },
  });
});

it('is compared up to its head where events of the log lie beyond it', async () => {
  await appendEventRows(home.owner, grown.rows.slice(LEFT));
  expect(await run()).toMatchObject({ ok: true, ...NOTHING, copies: [{ ...ofCopy, events: GROWN, fault: null }] });
});

it('has results of commands that changed nothing, which are counted where the shard is', async () => {
  const closed = left.events.find(({ event }) => event.type === 'CustomerClosed')?.customer_id ?? '';
  const store = (database: LedgerDatabase) => database.$executeRaw`
    INSERT INTO command_results (command_id, merchant_id, input_hash, result) VALUES (
      ${derivedUuid(closeCustomerCommandName(closed))}::uuid, ${left.merchant_id}::uuid, 'hash',
      ${JSON.stringify({ customer_id: closed })})`;
  await store(home.owner);
  await store(b.owner);
  expect(await run()).toMatchObject({ ok: true, commands: [], unlogged_results: 1 });
});

describe('rows of which no log knows anything stay findings beside one that a mover is making:', () => {
  beforeEach(() => onHome(`UPDATE ledger_shards SET mover = 'a mover' WHERE shard = 1`));

  const other = '0199f000-0000-7000-8fff-000000000001';
  it.each([
    ['account_balances', `UPDATE account_balances SET shard = 9 WHERE shard = 1 AND account_id = 'fees:USD'`],
    ['wallets', `UPDATE wallets SET shard = 9 WHERE id = '${usd}'`],
    [
      'deposit_addresses',
      `UPDATE deposit_addresses SET wallet_id = '${other}' WHERE wallet_id IN (SELECT id FROM wallets WHERE shard = 1)`,
    ],
    [
      'closed_customers',
      `UPDATE closed_customers SET merchant_id = '${other}' WHERE merchant_id = '${left.merchant_id}'`,
    ],
    [
      'transactions',
      'UPDATE transactions SET shard = 9 WHERE shard = 1 AND position = (SELECT max(position) FROM transactions WHERE shard = 1)',
    ],
    [
      'transaction_counts',
      `UPDATE transaction_counts SET merchant_id = '${other}' WHERE merchant_id = '${left.merchant_id}'`,
    ],
    [
      'transaction_search',
      `UPDATE transaction_search SET merchant_id = '${other}' WHERE merchant_id = '${left.merchant_id}'`,
    ],
    ['daily_figures', `UPDATE daily_figures SET shard = 9 WHERE shard = 1`],
  ])('in %s', async (table, statement) => {
    await onHome(statement);
    const { ok, tables, derived } = await run();
    const { surplus = 0, differing = 0 } = [...tables, ...derived].find((one) => one.table === table) ?? {};
    expect({ ok, isFound: surplus + differing > 0 }).toEqual({ ok: false, isFound: true });
  });

  it.each([
    ['of a command that is in no log', `command_id = '${other}'`],
    ['that is not the one where the shard is', `result = '{"status":"COMPLETED"}'`],
    ["under another merchant's name, whose command has the same id", `merchant_id = '${other}'`],
  ])('in command_results, one %s', async (_which, set) => {
    const command_id = left.events[0]?.command_id;
    await onHome(`UPDATE command_results SET ${set} WHERE command_id = '${command_id}'`);
    const named = set.startsWith('command_id') ? other : command_id;
    expect(await run()).toMatchObject({ ok: false, commands: [{ command_id: named }] });
  });
});

describe('that is not the beginning of the log is found, by its position:', () => {
  const row = (position: number) => `WHERE shard = 1 AND position = ${position}`;
  it.each([
    [
      'a text, under the hash that it had',
      `UPDATE ledger_events SET body = replace(body, 'USD', 'USX') ${row(1)}`,
      1,
      'has another event than the log on b',
    ],
    ['a hash', `UPDATE ledger_events SET hash = sha256(hash) ${row(9)}`, 9, 'has another event than the log on b'],
    [
      'a time beside the text',
      `UPDATE ledger_events SET recorded_at = recorded_at + interval '1 second' ${row(9)}`,
      9,
      'has another event than the log on b',
    ],
    ['an event that is gone', `DELETE FROM ledger_events ${row(8)}`, 8, 'lacks this event, and has later ones'],
    [
      'its end that is gone',
      `DELETE FROM ledger_events WHERE shard = 1 AND position > ${LEFT - 2}`,
      LEFT - 1,
      `ends before its head, which is at ${LEFT}`,
    ],
    [
      'all of it that is gone',
      'DELETE FROM ledger_events WHERE shard = 1',
      1,
      `ends before its head, which is at ${LEFT}`,
    ],
  ])('%s', async (_name, statement, position, problem) => {
    await onHome(statement);
    const found = await run();
    expect(found).toMatchObject({ ok: false, ...NOTHING });
    expect(found.copies.map(({ fault }) => fault)).toEqual([{ position, problem: `the copy on home ${problem}` }]);
    expect([...found.tables, ...found.derived].filter(({ surplus }) => surplus > 0)).toEqual([]);
    const { json } = verificationReport(found, 1);
    expect(json['findings']).toEqual([`shard 1 position ${position}: the copy on home ${problem}`]);
    expect(json['what_to_do']).toEqual([expect.stringContaining('What home has of shard 1 answers no caller')]);
  });

  const setHead = async (assignment: string) => {
    await onHome('UPDATE ledger_shards SET moved_to = NULL WHERE shard = 1');
    await onHome(`UPDATE ledger_shards SET moved_to = 'b', ${assignment} WHERE shard = 1`);
  };

  it('a head that is another', async () => {
    await setHead('head_hash = sha256(head_hash)');
    const problem = 'the copy on home has another event than the head that its database names';
    expect((await run()).copies).toMatchObject([{ fault: { position: LEFT, problem } }]);
  });

  it('a head that the log has not', async () => {
    await setHead(`head_position = ${GROWN + 1}`);
    const problem = `the head of the copy on home is at ${GROWN + 1}, and the log on b ends before it`;
    expect((await run()).copies).toMatchObject([{ fault: { position: LEFT + 1, problem } }]);
  });

  it('events beyond the end of the log, as where the log was restored to a moment before', async () => {
    await b.drop();
    b = await auditedDatabase([left]);
    try {
      await onHome(`TRUNCATE ledger_events`);
      await home.restore();
      await home.owner.$executeRawUnsafe('DELETE FROM ledger_shards WHERE shard = 1');
      const longer = await auditedDatabase([eventfulLog(0), grown]);
      try {
        await longer.owner.$executeRaw`UPDATE ledger_shards SET moved_to = 'b' WHERE shard = 1`;
        const found = await withLedgers(
          { AUDIT_DATABASE_URL: longer.auditorUrl, AUDIT_DATABASES: `b=${b.auditorUrl}` },
          (databases) => verify(databases, { settlesWithinMs: 0 }),
        );
        const problem = `the copy on home goes on, and the log on b ends at ${LEFT}`;
        expect(found.copies).toMatchObject([{ fault: { position: LEFT + 1, problem } }]);
      } finally {
        await longer.drop();
      }
    } finally {
      await b.drop();
      b = await auditedDatabase([grown]);
    }
  });
});

describe('a shard that is not on one database alone', () => {
  const surplus = (found: Awaited<ReturnType<typeof run>>) =>
    [...found.tables, ...found.derived].filter((table) => table.surplus > 0);

  it('is on two where one was restored: each is verified once, by the later word', async () => {
    await onHome('UPDATE ledger_shards SET moved_to = NULL WHERE shard = 1');
    const found = await run();
    expect(found).toMatchObject({
      ...{ ...NOTHING, ok: false, copies: [{ ...ofCopy, events: LEFT, fault: null }] },
      torn: [{ shard: 1, problem: 'home and b both have it; by its epoch b has it' }],
    });
    expect([found.shards.map(({ shard }) => shard), surplus(found)]).toEqual([[0, 1], []]);
    const { json } = verificationReport(found, 1);
    expect(json['findings']).toEqual(['shard 1 home and b both have it; by its epoch b has it']);
    expect(json['what_to_do']).toEqual([
      expect.stringContaining('Was home restored to a moment before shard 1 went to b?'),
    ]);
  });

  it('is on one again when the restored one says that it is gone, as the advice has it', async () => {
    await onHome('UPDATE ledger_shards SET moved_to = NULL WHERE shard = 1');
    const [advice = ''] = verificationReport(await run(), 1).json['what_to_do'] as string[];
    const [statement = ''] = /UPDATE [^;]*;/.exec(advice) ?? [];
    await onHome(statement);
    expect(await run()).toMatchObject({ ok: true, ...NOTHING, copies: [{ ...ofCopy, events: LEFT, fault: null }] });
  });

  it('is not on a database that was restored to before it came there', async () => {
    await onB('DELETE FROM ledger_events WHERE shard = 1');
    await onB('DELETE FROM ledger_shards WHERE shard = 1');
    const problem = 'is on none of the databases: home says that it is on b, and b has nothing of it';
    const found = await run();
    expect(found).toMatchObject({ ok: false, torn: [{ shard: 1, problem }] });
    expect(verificationReport(found, 1).json['what_to_do']).toEqual([
      expect.stringContaining(
        'b has lost shard 1, or was restored to before it came there: restore it to a moment after',
      ),
    ]);
  });

  it('is on one that was restored to a moment after it came there', async () => {
    await b.drop();
    b = await auditedDatabase([left]);
    try {
      expect(await run()).toMatchObject({ ok: true, copies: [{ ...ofCopy, events: LEFT, fault: null }] });
    } finally {
      await b.drop();
      b = await auditedDatabase([grown]);
    }
  });

  it('is on none where its mover is gone: the command that finishes it is named', async () => {
    await onB(`UPDATE ledger_shards SET moved_to = 'home'`);
    await signLiabilitiesOf(home.owner, [0, 1], { others: [{ database: b.owner, shards: [1] }] });
    const found = await run({ shardCount: 2 });
    const problem = 'is on none of the databases: home says that it is on b, b says that it is on home';
    expect(found).toMatchObject({ ...NOTHING, ok: false, torn: [{ shard: 1, problem }], liabilities: null });
    expect(surplus(found)).toEqual([]);
    expect(verificationReport(found, 1).json['what_to_do']).toEqual([
      expect.stringContaining('operator shards move 1 --to one of home and b finishes it, or undoes it'),
    ]);
    await expect(run({ shard: 1 })).rejects.toThrow(`Shard 1 ${problem}. Shard 1 was being moved`);
  });

  it('is looked at again while it changes sides', async () => {
    await onB(`UPDATE ledger_shards SET moved_to = 'home'`);
    const [found] = await Promise.all([run({ settlesWithinMs: 20_000 }), arriveLater()]);
    expect(found).toMatchObject({ ok: true, ...NOTHING });
  });

  /** As a mover does it, once verify has seen the shard on neither side. */
  async function arriveLater(): Promise<void> {
    for (;;) {
      const [seen] = await home.owner.$queryRaw<{ seen: boolean }[]>`
        SELECT count(*) > 0 AS seen FROM pg_stat_activity WHERE application_name = 'auditor' AND state LIKE 'idle%'`;
      if (seen?.seen) break;
    }
    await onB('UPDATE ledger_shards SET moved_to = NULL, epoch = 6');
  }
});
