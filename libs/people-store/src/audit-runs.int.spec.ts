import { asRole, createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { randomUUID } from 'node:crypto';
import { AuditRuns } from './audit-runs';
import { AuditOutcome, AuditWork } from './audit-work';
import { PeopleDatabase } from './people-database';

const PROGRESS = { phase: 'log', done: 5, total: 10 };
const SOUND: AuditOutcome = {
  state: 'sound',
  report: { ok: true, events: 10, seconds: 1, findings: [], what_to_do: [] },
};
const MEMBER = { person_id: randomUUID(), member_id: randomUUID(), merchant_id: null };

let copy: TestDatabase;
let service: PeopleDatabase;
let owner: PeopleDatabase;
let login: PeopleDatabase;
let runs: AuditRuns;

beforeEach(async () => {
  copy = await createTestDatabase('backoffice');
  service = new PeopleDatabase({ url: copy.url, poolSize: 2 });
  owner = new PeopleDatabase({ url: copy.ownerUrl, poolSize: 1 });
  login = new PeopleDatabase({ url: asRole(copy.ownerUrl, 'backoffice_audit_runner'), poolSize: 2 });
  runs = new AuditRuns(service);
  await owner.sql
    .$executeRaw`INSERT INTO people (id, sealed_name, sealed_email) VALUES (${MEMBER.person_id}::uuid, '', '')`;
  await owner.sql.$executeRaw`
    INSERT INTO members (id, person_id, side, role, status)
    VALUES (${MEMBER.member_id}::uuid, ${MEMBER.person_id}::uuid, 'operator', 'auditor', 'active')`;
});
afterEach(async () => {
  for (const database of [service, owner, login]) await database.$disconnect();
  await copy.drop();
});

const ask = async () => {
  const number = await runs.ask(MEMBER);
  if (number === undefined) throw new Error('another one waits or runs');
  return number;
};
const runner = () => new AuditWork(login, randomUUID());
async function holding(): Promise<AuditWork> {
  const work = runner();
  expect(await work.hold()).toBe(true);
  return work;
}
const actions = async () =>
  (await owner.sql.$queryRaw<{ action: string }[]>`SELECT action FROM acts ORDER BY number`).map(
    ({ action }) => action,
  );
/** As if the runner had not been heard of for a minute. */
const silence = () => owner.sql.$executeRaw`UPDATE audit_runner SET alive_at = alive_at - interval '1 minute'`;

const silenceOf = (number: number) =>
  owner.sql
    .$executeRaw`UPDATE audit_runs SET alive_at = alive_at - interval '1 minute' WHERE number = ${number}::bigint`;

it('is asked for, runs and ends with its report', async () => {
  const number = await ask();
  expect(await runs.list()).toMatchObject([{ number, state: 'asked', asked_by: MEMBER.member_id, progress: null }]);
  const work = await holding();
  expect(await work.take()).toBe(number);
  expect(await work.take()).toBeUndefined();
  expect(await work.tell(number, PROGRESS)).toBe('goes-on');
  expect(await runs.find(number)).toMatchObject({ state: 'running', progress: PROGRESS, report: null });
  expect(await work.end(number, SOUND)).toBe(true);
  const found = await runs.find(number);
  expect(found).toMatchObject({ state: 'sound', report: { ok: true, events: 10 }, failure: null });
  expect(found?.running_seconds).toBeGreaterThanOrEqual(0);
  expect(await runs.find(number + 1)).toBeUndefined();
});

it('one at a time waits or runs, and who is refused is on no record', async () => {
  const number = await ask();
  expect(await runs.ask(MEMBER)).toBeUndefined();
  const work = await holding();
  await work.take();
  expect(await runs.ask(MEMBER)).toBeUndefined();
  await work.end(number, SOUND);
  expect(await ask()).toBeGreaterThan(number);
  expect(await actions()).toEqual(['audit-run-asked', 'audit-run-asked']);
});

it('is not taken for another one that waits where the database refuses it for something else', async () => {
  await expect(runs.ask({ ...MEMBER, member_id: randomUUID() })).rejects.toThrow(/ForeignKey/);
});

it('one instance works, until it lets go or gives no sign of life', async () => {
  const [one, other] = [runner(), runner()];
  expect(await runs.runner()).toEqual({ is_there: false, alive_at: null });
  expect([await one.hold(), await one.hold(), await other.hold()]).toEqual([true, true, false]);
  expect(await runs.runner()).toMatchObject({ is_there: true });
  await ask();
  expect(await other.take()).toBeUndefined();
  await other.letGo();
  expect(await other.hold()).toBe(false);
  await silence();
  expect(await runs.runner()).toMatchObject({ is_there: false });
  expect([await other.hold(), await one.hold()]).toEqual([true, false]);
  await other.letGo();
  expect(await runs.runner()).toMatchObject({ is_there: false, alive_at: expect.any(Date) as unknown });
  expect(await one.hold()).toBe(true);
});

it('what a runner left behind is interrupted by the next one, which alone may', async () => {
  const number = await ask();
  const work = await holding();
  await work.take();
  const next = runner();
  expect(await next.endInterrupted(undefined)).toEqual([]);
  await silence();
  await next.hold();
  expect(await next.endInterrupted(undefined)).toEqual([number]);
  expect(await runs.find(number)).toMatchObject({ state: 'interrupted', failure: expect.any(String) as unknown });
  expect(await work.tell(number, PROGRESS)).toBe('gone');
  expect(await work.end(number, SOUND)).toBe(false);
  const second = await ask();
  await next.take();
  expect(await next.endInterrupted(second)).toEqual([]);
  expect(await runs.find(second)).toMatchObject({ state: 'running' });
});

it('what a runner took without hearing of it is interrupted by itself', async () => {
  const number = await ask();
  const work = await holding();
  await work.take();
  expect(await work.endInterrupted(undefined)).toEqual([number]);
  expect(await runs.find(number)).toMatchObject({ state: 'interrupted' });
});

it('is cancelled at once while it waits, by its runner while it runs, and at once where that one is silent', async () => {
  const waiting = await ask();
  expect(await runs.cancel(waiting + 1, MEMBER)).toBe('none');
  expect(await runs.cancel(waiting, MEMBER)).toBe('cancelled');
  expect(await runs.find(waiting)).toMatchObject({ state: 'cancelled' });
  expect(await runs.cancel(waiting, MEMBER)).toBe('over');
  const running = await ask();
  const work = await holding();
  await work.take();
  expect(await runs.cancel(running, MEMBER)).toBe('cancelled');
  expect(await runs.find(running)).toMatchObject({ state: 'running', cancelled_at: expect.any(Date) as unknown });
  expect(await runs.cancel(running, MEMBER)).toBe('over');
  expect(await work.tell(running, PROGRESS)).toBe('cancelled');
  expect(await work.end(running, { state: 'cancelled' })).toBe(true);
  const stuck = await ask();
  await work.take();
  await silenceOf(stuck);
  expect(await runs.cancel(stuck, MEMBER)).toBe('cancelled');
  expect(await runs.find(stuck)).toMatchObject({ state: 'cancelled' });
  expect(await actions()).toHaveLength(6);
});

it('that was cancelled, and whose runner died before it saw it, is ended by another cancellation; the first person stays', async () => {
  const other = { ...MEMBER, member_id: randomUUID() };
  await owner.sql.$executeRaw`
    INSERT INTO members (id, person_id, side, role, status)
    VALUES (${other.member_id}::uuid, ${MEMBER.person_id}::uuid, 'operator', 'operations', 'active')`;
  const number = await ask();
  await (await holding()).take();
  expect(await runs.cancel(number, MEMBER)).toBe('cancelled');
  const first = await runs.find(number);
  expect(await runs.cancel(number, other)).toBe('over');
  await silenceOf(number);
  expect(await runs.cancel(number, other)).toBe('cancelled');
  expect(await runs.find(number)).toMatchObject({ state: 'cancelled', cancelled_at: first?.cancelled_at });
  expect(await owner.sql.$queryRaw`SELECT cancelled_by::text FROM audit_runs`).toEqual([
    { cancelled_by: MEMBER.member_id },
  ]);
  expect(await owner.sql.$queryRaw`SELECT action, member_id::text FROM acts ORDER BY number`).toEqual([
    { action: 'audit-run-asked', member_id: MEMBER.member_id },
    { action: 'audit-run-cancelled', member_id: MEMBER.member_id },
    { action: 'audit-run-cancelled', member_id: other.member_id },
  ]);
  expect(await ask()).toBeGreaterThan(number);
});

const ENDS = `state = 'sound', ended_at = now()`;
const REPORT = `report = '{"ok":true}'`;
const BEGUN = `runner = gen_random_uuid(), began_at = now(), alive_at = now()`;

describe('the service', () => {
  it.each([
    ['says that a run is sound', `UPDATE audit_runs SET ${ENDS}`, /audit_runs_/],
    ['writes a report', `UPDATE audit_runs SET ${REPORT}`, /permission denied/],
    ['begins a run', `UPDATE audit_runs SET ${BEGUN}`, /permission denied/],
    ['says that a run begins', `UPDATE audit_runs SET state = 'running'`, /audit_runs_begun/],
    [
      'ends a run that no person cancelled',
      `UPDATE audit_runs SET state = 'cancelled', ended_at = now()`,
      /_cancelled/,
    ],
    [
      'asks for a run that has ended',
      `INSERT INTO audit_runs (asked_by, state) VALUES ('${MEMBER.member_id}', 'sound')`,
      /permission denied/,
    ],
    ['holds the lease', 'UPDATE audit_runner SET alive_at = now()', /permission denied/],
    ['forgets a run', 'DELETE FROM audit_runs', /permission denied/],
  ])('is refused where it %s', async (_what, statement, refusal) => {
    await ask();
    await expect(service.$executeRawUnsafe(statement)).rejects.toThrow(refusal);
  });
});

describe("the runner's login", () => {
  it.each([
    ['asks for a run', `INSERT INTO audit_runs (asked_by) VALUES ('${MEMBER.member_id}')`, /permission denied/],
    ['cancels one', 'UPDATE audit_runs SET cancelled_at = now()', /permission denied/],
    ['changes who asked', 'UPDATE audit_runs SET asked_by = NULL', /permission denied/],
    ['ends one as cancelled', `UPDATE audit_runs SET state = 'cancelled', ended_at = now()`, /audit_runs_cancelled/],
    ['says sound without a report', `UPDATE audit_runs SET ${BEGUN}, ${ENDS}`, /audit_runs_report/],
    ['keeps a report without a verdict', `UPDATE audit_runs SET ${BEGUN}, state = 'running', ${REPORT}`, /_report/],
    ['forgets a run', 'DELETE FROM audit_runs', /permission denied/],
    ['reads people', 'SELECT FROM people', /permission denied/],
    ['reads members', 'SELECT FROM members', /permission denied/],
    ['reads sessions', 'SELECT FROM sessions', /permission denied/],
    ['reads the record of acts', 'SELECT FROM acts', /permission denied/],
    ['reads what was kept of holdings', 'SELECT FROM solvency_reports', /permission denied/],
  ])('is refused where it %s', async (_what, statement, refusal) => {
    await ask();
    await expect(login.$executeRawUnsafe(statement)).rejects.toThrow(refusal);
  });
});

describe('what has ended', () => {
  it.each([
    ['another verdict', `UPDATE audit_runs SET state = 'finding'`],
    ['another report', `UPDATE audit_runs SET report = '{}'`],
    ['no end', `UPDATE audit_runs SET state = 'running', ended_at = NULL, report = NULL`],
    ['none at all', 'DELETE FROM audit_runs'],
    ['none at all, by emptying', 'TRUNCATE audit_runs'],
  ])('is given by no login %s', async (_what, statement) => {
    const number = await ask();
    const work = await holding();
    await work.take();
    await work.end(number, SOUND);
    await expect(owner.$executeRawUnsafe(statement)).rejects.toThrow(/audit run/);
    expect(await runs.find(number)).toMatchObject({ state: 'sound', report: { ok: true } });
  });

  it.each([
    ['who asked', 'UPDATE audit_runs SET asked_at = now()'],
    ['its runner', 'UPDATE audit_runs SET runner = gen_random_uuid()'],
    ['its beginning', `UPDATE audit_runs SET state = 'asked', runner = NULL, began_at = NULL, alive_at = NULL`],
  ])('while it runs it keeps %s', async (_what, statement) => {
    await ask();
    await (await holding()).take();
    await expect(owner.$executeRawUnsafe(statement)).rejects.toThrow(/stays/);
  });
});
