/** Each command of the auditor over a ledger whose shards lie on two databases, one of which has a copy that a shard left behind. */
import { PassThrough } from 'node:stream';
import { eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { AuditedDatabase, auditedDatabase } from './testing/audited-database';
import { signLiabilitiesOf } from './testing/signed-liabilities';
import { createAuditor } from './auditor';
import { runRebuilder } from './rebuilder';

/** Shard 1 as it was when it left home, and as it went on on b. */
const left = eventfulLog(1);
const grown = eventfulLog(1);
const usd = grown.state.walletOf({ merchant_id: grown.merchant_id, customer_id: null }, 'USD')?.id ?? '';
const late = grown.deposit(usd, '12');
grown.resolvePayout(grown.holdPayout('USD', '3'), 'COMPLETED');
const GROWN = grown.events.length;

let home: AuditedDatabase;
let b: AuditedDatabase;
/** The same ledger in one database. */
let one: AuditedDatabase;

beforeAll(async () => {
  [home, b, one] = await Promise.all([
    auditedDatabase([eventfulLog(0), left]),
    auditedDatabase([grown]),
    auditedDatabase([eventfulLog(0), grown]),
  ]);
});

beforeEach(async () => {
  await Promise.all([home.restore(), b.restore()]);
  await home.owner.$executeRaw`UPDATE ledger_shards SET moved_to = 'b', epoch = 4 WHERE shard = 1`;
  await b.owner.$executeRaw`UPDATE ledger_shards SET epoch = 5`;
});

afterAll(() => Promise.all([home, b, one].map((database) => database.drop())));

const shell = async (work: (stdout: PassThrough, stderr: PassThrough) => Promise<number>) => {
  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
  const code = await work(stdout, stderr);
  const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, out: text(stdout), err: text(stderr) };
};

const audit = (args: string, env: NodeJS.ProcessEnv = { AUDIT_DATABASES: `b=${b.auditorUrl}` }) =>
  shell((stdout, stderr) =>
    createAuditor({ AUDIT_DATABASE_URL: home.auditorUrl, ...env }, stdout, stderr).run(args.split(' ')),
  );

const rebuild = (...args: string[]) =>
  shell((stdout, stderr) =>
    runRebuilder(
      ['--json', ...args],
      { LEDGER_MIGRATION_DATABASE_URL: home.ownerUrl, LEDGER_MIGRATION_DATABASES: `b=${b.ownerUrl}` },
      stdout,
      stderr,
    ),
  );

async function answer(args: string, env?: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const { code, out, err } = await audit(`${args} --json`, env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Record<string, unknown>;
}

describe('replay', () => {
  it('has the digests of the same ledger in one database: a move changes none', async () => {
    const [{ tables: inTwo }, { tables: inOne }] = [
      await answer('replay'),
      await answer('replay', { AUDIT_DATABASE_URL: one.auditorUrl }),
    ];
    expect(inTwo).toEqual(inOne);
  });

  it('names rows that differ on either, and rows that follow from no log', async () => {
    await b.owner.$executeRaw`UPDATE wallets SET address_index = address_index + 1 WHERE currency = 'EUR'`;
    await home.owner
      .$executeRaw`UPDATE transactions SET shard = 9 WHERE id = (SELECT id FROM transactions WHERE shard = 1 ORDER BY position LIMIT 1)`;
    const { code, out } = await audit('replay --json');
    const { tables, differences } = JSON.parse(out) as {
      tables: { table: string; equal: boolean }[];
      differences: { table: string; surplus: number; differing: number }[];
    };
    expect([code, tables.filter(({ equal }) => !equal).map(({ table }) => table)]).toEqual([
      1,
      ['wallets', 'transactions'],
    ]);
    const of = (table: string) => differences.find((difference) => difference.table === table);
    expect([of('wallets'), of('transactions')]).toMatchObject([{ differing: 1 }, { surplus: 1 }]);
  });
});

describe('what is about one shard is read where it is now:', () => {
  it('a balance, its explanation, and a transaction', async () => {
    const { balance } = await answer(`explain --wallet ${usd}`);
    expect(await answer(`balance --wallet ${usd} --as-of ${GROWN}`)).toMatchObject({ shard: 1, balance });
    expect(balance).toBe(grown.state.accounts.get(usd)?.balance.toString());
    expect(await answer(`explain ${late}`)).toMatchObject({ id: late, events: expect.any(Array) as unknown });
    expect(await answer(`explain ${late.toUpperCase()}`)).toMatchObject({ id: late });
  });

  it('a proof, and the checkpoints of each', async () => {
    const { transaction_id } = await answer(`explain ${late}`);
    expect((await audit(`prove ${String(transaction_id)}`)).code).toBe(0);
    expect((await audit(`prove-consistency --shard 1 --from ${GROWN}`)).code).toBe(0);
    expect(await answer('checkpoints')).toMatchObject({
      shards: [
        { shard: 0, latest: { size: home.logs[0]?.events.length } },
        { shard: 1, latest: { size: GROWN } },
      ],
    });
  });

  it('its events, and those of all in the order of the shards', async () => {
    const lines = async (args: string) => (await audit(args)).out.trimEnd().split('\n');
    expect(await lines('export --shard 1')).toHaveLength(GROWN);
    expect(await lines('export')).toEqual(
      (await audit('export', { AUDIT_DATABASE_URL: one.auditorUrl })).out.trimEnd().split('\n'),
    );
    expect((await audit('export --shard 7')).err).toContain('There is no shard 7: there are 0, 1.');
  });
});

it('liabilities are those of both, as they were signed', async () => {
  await signLiabilitiesOf(home.owner, [0, 1], { others: [{ database: b.owner, shards: [1] }] });
  expect(await answer('liabilities')).toMatchObject({
    problem: null,
    shards: [{ shard: 0 }, { shard: 1, size: GROWN }],
  });
});

it.each([
  ...['replay', 'liabilities', 'checkpoints', 'export', 'export --shard 1', 'prove-consistency --shard 1 --from 3'],
  ...[`explain --wallet ${usd}`, `balance --wallet ${usd} --as-of 5`],
])('%s does not answer from what a shard left behind', async (command) => {
  const { code, out, err } = await audit(command, {});
  expect({ code, out, err }).toMatchObject({
    ...{ code: 2, out: '' },
    err: expect.stringContaining('Shard 1 is on the database b, which is not named: set AUDIT_DATABASES') as unknown,
  });
});

it.each(['checkpoints', 'export', 'export --shard 1', `explain --wallet ${usd}`])(
  '%s says of a shard that is on neither how its move is finished',
  async (command) => {
    await b.owner.$executeRaw`UPDATE ledger_shards SET moved_to = 'home'`;
    expect(await audit(command)).toMatchObject({
      ...{ code: 1, out: '' },
      err: expect.stringMatching(/^Shard 1 is on none of the databases[^]*operator shards move 1 --to/) as unknown,
    });
  },
);

it.each(['explain', 'balance --as-of 3'])('%s of a wallet of neither says so', async (command) => {
  const wallet = '0199f000-0000-7000-8fff-000000000001';
  expect(await audit(`${command} --wallet ${wallet}`)).toMatchObject({
    ...{ code: 1, err: `The log knows no wallet ${wallet}: check the id.\n` },
  });
});

describe('rebuild', () => {
  it('makes the shards of the database that is named, and leaves out what it has of others', async () => {
    expect(JSON.parse((await rebuild()).out)).toMatchObject({ ok: true, events: home.logs[0]?.events.length });
    await b.owner.$executeRaw`UPDATE account_balances SET balance = balance + 7 WHERE account_id = 'fees:USD'`;
    expect((await rebuild()).code).toBe(0);
    expect(await rebuild('--database', 'b')).toMatchObject({ code: 1 });
    expect(await rebuild('--database', 'c')).toMatchObject({
      ...{ code: 2, err: 'There is no database c: there are home, b.\n' },
    });
  });

  it('puts them in place without it: what it had stays as evidence, and nothing is missed', async () => {
    await home.owner
      .$executeRaw`UPDATE account_balances SET balance = balance + 7 WHERE shard = 0 AND account_id = 'fees:USD'`;
    const { code, out } = await rebuild('--switch');
    const { replaced_schema } = (JSON.parse(out) as { switch: { replaced_schema: string } }).switch;
    expect(code).toBe(0);
    const countIn = async (schema: string) => {
      const [row] = await home.owner.$queryRawUnsafe<{ count: number }[]>(
        `SELECT count(*)::int AS count FROM ${schema}.wallets WHERE shard = 1`,
      );
      return row?.count ?? 0;
    };
    expect(await countIn('public')).toBe(0);
    expect(await countIn(replaced_schema)).toBeGreaterThan(0);
    expect(await answer('verify')).toMatchObject({ ok: true, copies: [{ shard: 1, fault: null }] });
  });
});
