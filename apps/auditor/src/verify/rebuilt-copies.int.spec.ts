/**
 * What a shard leaves on a database is read there by merchant, customer, wallet and address: a row of it that was changed is shown to
 * merchants of other shards, or decides for them. So it is compared as a row of a shard that is there.
 */
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { clearCopy } from '@stablecoin/ledger-log/move/clear-copy';
import { OpenDatabase } from '@stablecoin/ledger-log/move/move';
import { MoveRequest, moveShard } from '@stablecoin/ledger-log/move/move-shard';
import { followLog } from '@stablecoin/ledger-log/rebuild/follow-log';
import { eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { withLedger, withLedgers } from '../database/ledger';
import { onlineRebuild } from '../online-rebuild/online-rebuild';
import { auditedDatabase, AuditedDatabase } from '../testing/audited-database';
import { signLiabilitiesOf } from '../testing/signed-liabilities';
import { verify } from './verify';
import { verificationReport } from './verify.report';

const here = eventfulLog(0);
const left = eventfulLog(1);
const customer = here.id();
here.deposit(here.openWallet('EUR', null, customer), '500');
left.setPolicy();
const COUNTED = left.events.length;
left.holdPayout('USD', '1');
const EVENTS = left.events.length;
const wallet = left.state.walletOf({ merchant_id: left.merchant_id, customer_id: null }, 'USDC')?.id ?? '';

let home: AuditedDatabase;
let b: AuditedDatabase;

beforeAll(async () => {
  [home, b] = await Promise.all([auditedDatabase([here, left]), auditedDatabase([])]);
});

beforeEach(async () => {
  await Promise.all([home.restore(), b.restore()]);
  for (const { shard, events } of [here, left])
    await home.owner.$transaction((sql) => followLog(sql, shard, events.length));
  await move('b');
});

afterAll(() => Promise.all([home.drop(), b.drop()]));

const move = (to: string, request: Partial<MoveRequest> = {}) =>
  moveShard(
    [
      { name: 'home', sql: home.owner.sql },
      { name: 'b', sql: b.owner.sql },
    ],
    {
      ...{ shard: 1, to, merchants: () => Promise.resolve([]), times: { handOverMs: 100, placeValidMs: 0 } },
      ...{ attempts: 1, ...request },
    },
  );

/** All in one transaction. */
const change = (database: AuditedDatabase, statements: readonly string[]) =>
  database.owner.$transaction(async (sql) => {
    for (const statement of statements) await sql.$executeRawUnsafe(statement);
  });

const run = () =>
  withLedgers({ AUDIT_DATABASE_URL: home.auditorUrl, AUDIT_DATABASES: `b=${b.auditorUrl}` }, (databases) =>
    verify(databases, { settlesWithinMs: 0, pageSize: 7, shardCount: 2 }),
  );

/** Of each table that is not as the logs say: how many rows are not. */
async function faulty() {
  const { ok, tables, derived } = await run();
  const found = [...tables, ...derived].flatMap(({ table, missing, surplus, differing }) =>
    missing + surplus + differing > 0 ? [[table, { missing, surplus, differing }] as const] : [],
  );
  return { ok, ...Object.fromEntries(found) };
}

const SOUND = { ok: true, sums: [], booked_twice: [], shared_addresses: [], commands: [], torn: [] };
const DIFFERS = { missing: 0, surplus: 0, differing: 1 };
const SURPLUS = { missing: 0, surplus: 1, differing: 0 };

it('is intact where the shard has gone, and where it has come back', async () => {
  await signLiabilitiesOf(home.owner, [0, 1], { others: [{ database: b.owner, shards: [1] }] });
  const copy = { shard: 1, events: EVENTS, fault: null };
  const gone = await run();
  expect(gone).toMatchObject({ ...SOUND, copies: [{ ...copy, database: 'home', log: 'b' }], copies_being_made: [] });
  expect(gone.liabilities).toMatchObject({ signed: 1, verified: 1, faults: [] });
  await move('home');
  expect(await run()).toMatchObject({ ...SOUND, copies: [{ ...copy, database: 'b', log: 'home' }] });
});

it('is intact where its last payouts were not counted when the shard left', async () => {
  await home.restore();
  await b.restore();
  await change(home, [
    `UPDATE ledger_shards SET counting_epoch = epoch, counted_position = ${COUNTED} WHERE shard = 1`,
    'DELETE FROM payout_usage WHERE shard = 1',
  ]);
  await move('b');
  expect(await run()).toMatchObject(SOUND);
});

const policy = (merchant: string, shard: number) =>
  `INSERT INTO payout_policies (merchant_id, shard, policy_version, policy, changed_by, reason, changed_at, since_position)
   VALUES ('${merchant}', ${shard}, 1, '{"limits":[],"new_destination_wait_seconds":0,"approval":null}', 'an operator', 'case', now(), 1)`;

const closed = (id: string, merchant: string) =>
  `INSERT INTO closed_customers (customer_id, merchant_id, closed_at) VALUES ('${id}', '${merchant}', now())`;

describe('a row of the copy that was changed is named:', () => {
  it.each([
    [
      'a customer of a shard that is here, closed by a merchant of the copy',
      [closed(customer, left.merchant_id)],
      { closed_customers: SURPLUS },
    ],
    [
      'a wallet that becomes one of a merchant here',
      [`UPDATE wallets SET merchant_id = '${here.merchant_id}', customer_id = '${customer}' WHERE id = '${wallet}'`],
      { wallets: DIFFERS },
    ],
    [
      'its balance',
      [`UPDATE account_balances SET balance = 1000000 WHERE shard = 1 AND account_id = '${wallet}'`],
      { account_balances: DIFFERS },
    ],
    [
      'its address, that of a payee',
      [
        `UPDATE deposit_addresses SET address = '0x52908400098527886E0F7030069857D2E4169EE7' WHERE id = (
         SELECT id FROM deposit_addresses WHERE wallet_id = '${wallet}' LIMIT 1)`,
      ],
      { deposit_addresses: DIFFERS },
    ],
    [
      'the index of its address, from which the counter goes on',
      [`UPDATE wallets SET address_index = 2000000 WHERE id = '${wallet}'`],
      { wallets: DIFFERS },
    ],
    [
      'a transaction that becomes one of a merchant here, with counts as before',
      [
        'CREATE TEMPORARY TABLE counted ON COMMIT DROP AS SELECT * FROM transaction_counts',
        `UPDATE transactions SET merchant_id = '${here.merchant_id}', amount = 1000000 WHERE id = (
         SELECT id FROM transactions WHERE shard = 1 AND transaction_type = 'DEPOSIT' AND status = 'COMPLETED' LIMIT 1)`,
        'DELETE FROM transaction_counts',
        'INSERT INTO transaction_counts SELECT * FROM counted',
      ],
      { transactions: DIFFERS },
    ],
    [
      'figures that become those of a merchant here',
      [
        `UPDATE daily_figures SET merchant_id = '${here.merchant_id}', failure = 'x' WHERE ctid = (
         SELECT ctid FROM daily_figures WHERE shard = 1 LIMIT 1)`,
      ],
      { daily_figures: { missing: 1, surplus: 1, differing: 0 } },
    ],
    ['a policy of a merchant here', [policy(here.merchant_id, 1)], { payout_policies: SURPLUS }],
    [
      'what its payouts count for',
      [`UPDATE payout_usage SET used = '' WHERE ctid = (SELECT ctid FROM payout_usage WHERE shard = 1 LIMIT 1)`],
      { payout_usage: DIFFERS },
    ],
    [
      'what a merchant here has paid out',
      [
        `INSERT INTO payout_usage (merchant_id, subject, shard, used) VALUES ('${here.merchant_id}', 'merchant', 1, '[]')`,
      ],
      { payout_usage: SURPLUS },
    ],
  ])('%s', async (_name, statements, named) => {
    await change(home, statements);
    expect(await faulty()).toEqual({ ok: false, ...named });
  });
});

it.each([
  ['no mover', 'NULL'],
  ['a mover', "'a mover'"],
])('leaves nothing out for a copy without events that no move has made, with %s', async (_name, mover) => {
  await b.owner.$executeRaw`INSERT INTO ledger_shards (shard, head_hash, moved_to) VALUES (0, ${GENESIS_HASH}, 'home')`;
  await change(b, [
    `UPDATE ledger_shards SET mover = ${mover} WHERE shard = 0`,
    closed(customer, here.merchant_id),
    policy(here.merchant_id, 0),
  ]);
  expect(await faulty()).toEqual({ ok: false, closed_customers: SURPLUS, payout_policies: SURPLUS });
});

describe('while it is being made', () => {
  /** A mover that is ended there, over the copy that is on home. @param pages of events before that */
  const ended = async (at: string, pages = 1) => {
    let seen = 0;
    const onProgress: MoveRequest['onProgress'] = (phase) => {
      if (phase === at && (phase !== 'events' || (seen += 1) === pages)) throw new Error('ended');
    };
    await expect(move('home', { pageSize: 7, onProgress })).rejects.toThrow('ended');
  };

  it.each([
    ['clear', 0],
    ['events', 1],
    ['events', 4],
    ['results', 0],
    ['hand over', 0],
  ])('it is intact where its mover is at %s (%i), and the report says so', async (phase, pages) => {
    await ended(phase, pages);
    const found = await run();
    expect(found).toMatchObject({ ...SOUND, copies_being_made: [{ shard: 1, database: 'home' }] });
    expect(verificationReport(found, 1).text).toContain('   shard 1: a move has begun the copy on home; operator');
  });

  it('it is intact where its mover has cleared it, and copied nothing yet', async () => {
    await change(home, [`UPDATE ledger_shards SET mover = 'a mover' WHERE shard = 1`]);
    const [source, target] = [b, home].map(({ owner }, index) => ({
      name: ['b', 'home'][index] ?? '',
      sql: owner.sql,
    }));
    await clearCopy({ shard: 1, token: 'a mover', source: source as OpenDatabase, target: target as OpenDatabase });
    await change(home, [policy(here.merchant_id, 1)]);
    expect(await faulty()).toEqual({ ok: false, payout_policies: SURPLUS });
    await change(home, ['DELETE FROM payout_policies WHERE shard = 1']);
    expect(await run()).toMatchObject({ ...SOUND, copies_being_made: [{ shard: 1, database: 'home' }] });
  });

  it('it is intact where payouts were counted up to another position before', async () => {
    await change(home, [
      `UPDATE ledger_shards SET counting_epoch = epoch, counted_position = ${COUNTED - 1} WHERE shard = 1`,
    ]);
    await ended('hand over');
    expect(await run()).toMatchObject(SOUND);
  });

  it.each([
    ['a mover is making it', () => ended('events')],
    ['a mover is named by hand', () => change(home, [`UPDATE ledger_shards SET mover = 'mine' WHERE shard = 1`])],
  ])('a row that was changed is named where %s', async (_name, begin) => {
    await begin();
    await change(home, [closed(customer, left.merchant_id)]);
    expect(await faulty()).toEqual({ ok: false, closed_customers: SURPLUS });
    expect(verificationReport(await run(), 1).text).toMatch(/What to do: .*--switch\. Before that end the move/);
  });

  it('is compared once the move was made to its end', async () => {
    await ended('events');
    await move('home');
    await move('b');
    expect(await run()).toMatchObject({ ...SOUND, copies_being_made: [] });
    await change(home, [closed(customer, left.merchant_id)]);
    expect(await faulty()).toEqual({ ok: false, closed_customers: SURPLUS });
  });
});

describe('after a rebuild that took its tables away', () => {
  beforeEach(() =>
    withLedger({ LEDGER_MIGRATION_DATABASE_URL: home.ownerUrl }, (ledger) =>
      onlineRebuild(ledger, new Date(), { switch: true }),
    ).then(({ switched }) => expect(switched).toBe(true)),
  );

  it('has its log alone, and is intact', async () => {
    expect(await run()).toMatchObject({ ...SOUND, copies: [{ events: EVENTS, fault: null }] });
  });

  it('leaves nothing out: a row that is of it is a surplus', async () => {
    await change(home, [closed(customer, left.merchant_id)]);
    expect(await faulty()).toEqual({ ok: false, closed_customers: SURPLUS });
  });
});
