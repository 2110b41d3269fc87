import { Client } from 'pg';
import { auditedDatabase, AuditedDatabase } from '../testing/audited-database';
import { eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signLiabilitiesOf } from '../testing/signed-liabilities';
import { withLedgers } from '../database/ledger';
import { verify, VerifyOptions } from './verify';

let home: AuditedDatabase;
let b: AuditedDatabase;

beforeAll(async () => {
  [home, b] = await Promise.all([auditedDatabase([eventfulLog(0)]), auditedDatabase([eventfulLog(1)])]);
});

beforeEach(async () => {
  await Promise.all([home.restore(), b.restore()]);
  await onHome(`INSERT INTO ledger_shards (shard, epoch, head_hash, moved_to) VALUES (1, 1, '\\x00', 'b')`);
});

afterAll(() => Promise.all([home.drop(), b.drop()]));

const onHome = (statement: string) => home.owner.$executeRawUnsafe(statement);

const run = (options?: VerifyOptions, env: NodeJS.ProcessEnv = { AUDIT_DATABASES: `b=${b.auditorUrl}` }) =>
  withLedgers({ AUDIT_DATABASE_URL: home.auditorUrl, ...env }, (databases) => verify(databases, options));

/** As the ledger signs it: over the wallets of both, kept at home. */
const signBoth = () => signLiabilitiesOf(home.owner, [0, 1], { others: [{ database: b.owner, shards: [1] }] });

it('verifies each shard where it is, and all of them together', async () => {
  await signBoth();
  const found = await run({ shardCount: 2 });
  expect(found).toMatchObject({ ok: true, missing: [], liabilities: { signed: 1, verified: 1, faults: [] } });
  expect(found.shards.map(({ shard, fault }) => ({ shard, fault }))).toEqual([
    { shard: 0, fault: null },
    { shard: 1, fault: null },
  ]);
  expect(found.checkpoints.map(({ shard }) => shard).sort()).toEqual([0, 1]);
  const events = home.logs.concat(b.logs).reduce((sum, { rows }) => sum + rows.length, 0);
  expect(found.events).toBe(events);
});

it('verifies one of them alone', async () => {
  expect(await run({ shard: 1 })).toMatchObject({ ok: true, shards: [{ shard: 1 }], checkpoints: [{ shard: 1 }] });
});

describe('finds what is wrong on a database beside home:', () => {
  it('an event', async () => {
    await b.owner.$executeRaw`UPDATE ledger_events SET hash = sha256(hash) WHERE position = 4`;
    const { ok, shards } = await run();
    expect({ ok, faults: shards.filter(({ fault }) => fault).map(({ shard }) => shard) }).toEqual({
      ok: false,
      faults: [1],
    });
  });

  it('a row of a projection', async () => {
    await b.owner.$executeRaw`UPDATE wallets SET description = 'another'`;
    const { ok, tables } = await run();
    const { differing } = tables.find(({ table }) => table === 'wallets') ?? {};
    expect({ ok, isFound: (differing ?? 0) > 0 }).toEqual({ ok: false, isFound: true });
  });

  it('its schema, and says where', async () => {
    const owner = new Client({ connectionString: b.ownerUrl });
    await owner.connect();
    await owner.query(
      'CREATE TRIGGER another BEFORE INSERT ON wallets FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_the_log()',
    );
    try {
      expect((await run()).schema).toEqual([
        { of: 'wallets on b', problem: expect.stringContaining('another') as string },
      ]);
    } finally {
      await owner.query('DROP TRIGGER another ON wallets');
      await owner.end();
    }
  });

  it('a login that is not named, and says where', async () => {
    const [row] = await b.owner.$queryRaw<[{ login: string }]>`SELECT current_user AS login`;
    const { ok, logins } = await run({ logins: ['another'] });
    expect(ok).toBe(false);
    expect(logins?.faults.map(({ of }) => of)).toEqual(
      expect.arrayContaining([`login ${row.login}`, `login ${row.login} on b`]),
    );
  });

  it('an index, and says where', async () => {
    const kept = (isKept: boolean) =>
      b.owner.$executeRawUnsafe(
        `UPDATE pg_index SET indisready = ${isKept} WHERE indexrelid = 'transactions_by_merchant'::regclass`,
      );
    await kept(false);
    try {
      expect((await run()).indexes.faults).toMatchObject([{ of: 'transactions on b' }]);
    } finally {
      await kept(true);
    }
  });

  it('an amount that a statement of liabilities leaves out', async () => {
    await signLiabilitiesOf(home.owner, [0, 1], { others: [] });
    expect((await run()).liabilities?.faults).toHaveLength(1);
  });
});

it('finds a shard that no database has any more, though one says where it went', async () => {
  await b.owner.$executeRawUnsafe(
    'TRUNCATE ledger_events, ledger_shards, ledger_checkpoints, ledger_checkpoint_keys, ledger_tree_nodes',
  );
  const { ok, torn } = await run({ settlesWithinMs: 0 });
  const problem = 'is on none of the databases: home says that it is on b, and b has nothing of it';
  expect({ ok, torn }).toMatchObject({ ok: false, torn: [{ shard: 1, problem }] });
});

it('finds a shard that two databases have', async () => {
  await onHome('UPDATE ledger_shards SET moved_to = NULL WHERE shard = 1');
  const { ok, torn } = await run({ settlesWithinMs: 0 });
  expect({ ok, torn }).toMatchObject({
    ok: false,
    torn: [{ shard: 1, problem: expect.stringContaining('home and b both have it') as string }],
  });
});

it('does not look at a part of the ledger and say that it is whole', async () => {
  await expect(run({}, {})).rejects.toThrow('Shard 1 is on the database b, which is not named: set AUDIT_DATABASES');
  expect(await run({ shard: 0 }, {})).toMatchObject({ ok: true });
});

it('says what is wrong with the names of databases', () =>
  expect(run({}, { AUDIT_DATABASES: 'b' })).rejects.toThrow('AUDIT_DATABASES: expected NAME=URL'));
