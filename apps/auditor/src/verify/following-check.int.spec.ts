/** How far searches and charts follow the log, and what is said where somebody has set them back with all that lies beyond. */
import { PassThrough } from 'node:stream';
import { followLog } from '@stablecoin/ledger-log/rebuild/follow-log';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { addFigures } from '@stablecoin/ledger-store/daily-figures';
import { createAuditor } from '../auditor';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { verify, VerifyOptions } from './verify';

let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(async () => {
  await database.restore();
  for (const { shard, rows } of database.logs) await followLog(database.owner, shard, rows.length);
});
afterAll(() => database.drop());

const run = (options?: VerifyOptions) => database.audit((ledger) => verify(ledger, options));

async function tamper(...statements: string[]): Promise<void> {
  for (const statement of statements) await database.owner.$executeRawUnsafe(statement);
}

const logOf = (shard: number) => database.logs[shard] as DrivenLog;
const endOf = (shard: number) => logOf(shard).rows.length;
const timeOf = (shard: number, position: number) => logOf(shard).rows[position - 1]?.recorded_at ?? '';
const ageOf = (shard: number, position: number) =>
  Date.parse(timeOf(shard, endOf(shard))) - Date.parse(timeOf(shard, position));
const fault = (of: string, shard: number, position: number) => ({
  position,
  problem:
    `${of} lack the log from here on: this is of ${timeOf(shard, position)}, ` +
    `and the last event of ${timeOf(shard, endOf(shard))}`,
});

const SEARCHES_SET_BACK = [
  'UPDATE transaction_search_progress SET position = 5',
  'DELETE FROM transaction_search WHERE position > 5',
];
const CHARTS_SET_BACK = [
  'DELETE FROM daily_figures_progress WHERE shard = 1',
  'DELETE FROM daily_figures WHERE shard = 1',
];

it('says of each shard how far they are', async () => {
  const all = [0, 1].map((shard) => ({
    ...{ shard, end: endOf(shard), searches: endOf(shard), charts: endOf(shard), faults: [] },
  }));
  expect(await run({ followedWithinMs: 0 })).toMatchObject({ ok: true, following: all });
  expect((await run({ shard: 1, followedWithinMs: 0 })).following).toEqual(all.slice(1));
});

it('being behind is no fault in itself, as after an upgrade', async () => {
  await tamper(...SEARCHES_SET_BACK, ...CHARTS_SET_BACK);
  expect(await run()).toMatchObject({
    ok: true,
    following: [
      { shard: 0, end: endOf(0), searches: 5, charts: endOf(0), faults: [] },
      { shard: 1, end: endOf(1), searches: 5, charts: 0, faults: [] },
    ],
  });
});

it('being further behind than the auditor says is one, of each that is', async () => {
  await tamper(...SEARCHES_SET_BACK, ...CHARTS_SET_BACK);
  expect(ageOf(1, 1)).toBeGreaterThan(ageOf(1, 6));
  expect(await run({ followedWithinMs: ageOf(1, 6) - 1 })).toMatchObject({
    ok: false,
    following: [{ shard: 0 }, { shard: 1, faults: [fault('searches', 1, 6), fault('charts', 1, 1)] }],
  });
  expect(await run({ shard: 1, followedWithinMs: ageOf(1, 6) })).toMatchObject({
    ok: false,
    following: [{ shard: 1, faults: [fault('charts', 1, 1)] }],
  });
  expect(await run({ shard: 1, followedWithinMs: ageOf(1, 1) })).toMatchObject({ ok: true });
});

it('the first event after a long pause does not make what was followed too old', async () => {
  const last = timeOf(0, endOf(0));
  const first = logOf(0).rows.findIndex(({ recorded_at }) => recorded_at === last);
  expect(ageOf(0, first)).toBeGreaterThan(0);
  await tamper(
    `UPDATE transaction_search_progress SET position = ${first} WHERE shard = 0`,
    `DELETE FROM transaction_search WHERE position > ${first}
       AND merchant_id IN (SELECT merchant_id FROM transactions WHERE shard = 0)`,
    'DELETE FROM daily_figures WHERE shard = 0',
    'UPDATE daily_figures_progress SET position = 0 WHERE shard = 0',
  );
  await addFigures(database.owner, 0, 0, first);
  expect(await run({ shard: 0, followedWithinMs: 0 })).toMatchObject({
    ...{ ok: true, following: [{ searches: first, charts: first, faults: [] }] },
  });
});

it('of a log that can not be trusted nothing is said', async () => {
  await tamper('UPDATE ledger_events SET hash = sha256(hash) WHERE shard = 0 AND position = 4');
  expect((await run({ followedWithinMs: 0 })).following.map(({ shard }) => shard)).toEqual([1]);
});

describe('the command', () => {
  async function audit(...args: string[]) {
    const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
    const auditor = createAuditor({ AUDIT_DATABASE_URL: database.auditorUrl }, stdout, stderr);
    const code = await auditor.run(['verify', ...args]);
    return { code, out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') };
  }

  it('says it in a line for each shard', async () => {
    await tamper(...CHARTS_SET_BACK);
    const { code, out } = await audit();
    const has = (shard: number, charts: number) =>
      `   shard ${shard}: ${endOf(shard)} events, searches have it up to position ${endOf(shard)}, charts up to position ${charts}`;
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual(expect.arrayContaining([has(0, endOf(0)), has(1, 0)]));
  });

  it('takes minutes, ends with 1 and says what to do', async () => {
    await tamper(...CHARTS_SET_BACK);
    const { problem } = fault('charts', 1, 1);
    const { code, out } = await audit('--followed-within', '0');
    expect(code).toBe(1);
    const lines = out.split('\n');
    expect(lines.filter((line) => line.startsWith('!!'))).toEqual([`!! shard 1 position 1: ${problem}`]);
    expect(lines.filter((line) => line.startsWith('What to do'))).toEqual([
      expect.stringContaining('Searches and charts show less than the log has'),
    ]);
    expect(JSON.parse((await audit('--followed-within', '0', '--json')).out)).toMatchObject({
      ...{ ok: false, findings: [`shard 1 position 1: ${problem}`] },
    });
    const minutes = Math.ceil(ageOf(1, 1) / 60_000);
    expect(await audit('--followed-within', String(minutes))).toMatchObject({ code: 0 });
    expect(await audit('--followed-within', '1h')).toMatchObject({ code: 2 });
  });
});
