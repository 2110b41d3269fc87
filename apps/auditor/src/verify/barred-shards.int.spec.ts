/** A row of a shard that no instance can take hides the shard's money from its merchants: it is named, with what to do. */
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { verify } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;
beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(() => database.restore());
afterAll(() => database.drop());

const ofShard = (shard: number, set: string) =>
  database.owner.$executeRawUnsafe(`UPDATE ledger_shards SET ${set} WHERE shard = ${shard}`);
const run = (shard?: number) => database.audit((ledger) => verify(ledger, shard === undefined ? {} : { shard }));

it.each([
  ['that a move has reserved', `reserved_until = clock_timestamp() + interval '2500 ms'`],
  ['that an instance holds', `holder = 'a', lease_expires_at = clock_timestamp() + interval '3 s'`],
  ['whose reservation and lease have lapsed', `reserved_until = '2026-01-01', lease_expires_at = '2026-01-01'`],
  ['that has been taken for many years', `epoch = 100000000000`],
])('a shard %s is none', async (_which, set) => {
  await ofShard(1, set);
  expect(await run()).toMatchObject({ ok: true, barred: [] });
});

it.each([
  ['reserved for ever', `reserved_until = 'infinity'`, /^is reserved until infinity, and no move/],
  ['reserved for hours', `reserved_until = clock_timestamp() + interval '2 h'`, /^is reserved until \d{4}-/],
  ['leased for ever', `lease_expires_at = 'infinity'`, /^is leased until infinity, and no instance leases/],
  ['at the last epoch', `epoch = 9223372036854775807`, /^has the epoch 9223372036854775807, which no number/],
])('a shard %s is', async (_how, set, problem) => {
  await ofShard(1, set);
  const found = await run();
  expect(found).toMatchObject({
    ok: false,
    barred: [{ shard: 1, problem: expect.stringMatching(problem) as unknown }],
  });
  expect((await run(0)).barred).toEqual([]);
  const { ok, text } = verificationReport(found, 0);
  expect(ok).toBe(false);
  expect(text).toContain(`!! shard 1 ${found.barred[0]?.problem}`);
  expect(text.match(/^What to do: .*$/gm)).toEqual([
    expect.stringMatching(/No instance takes such a shard/) as unknown,
  ]);
});
