/** Runs of verify at the console's routes: who may ask for one, look at it and cancel it, and what a page hears of it. */
import { REQUEST_DEADLINE_MS } from '@stablecoin/messaging/request-context';
import { AuditWork } from '@stablecoin/people-store/audit-work';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { MERCHANT_ROLES } from '@stablecoin/people-store/roles';
import { eventually } from '@stablecoin/testing/eventually';
import { asRole } from '@stablecoin/testing/postgres';
import { randomUUID } from 'node:crypto';
import type { Heard } from '../testing/browser';
import { newMerchant, RunningBackoffice, SignedIn } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;
let people: PeopleDatabase;
let work: AuditWork;
let auditor: SignedIn;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
  people = new PeopleDatabase({ url: asRole(backoffice.database.ownerUrl, 'backoffice_audit_runner'), poolSize: 1 });
  work = new AuditWork(people, randomUUID());
  auditor = await backoffice.member('auditor', null);
});
afterAll(async () => {
  await people.$disconnect();
  await backoffice.stop();
});

const REPORT = { ok: true, events: 7, seconds: 1, findings: [], what_to_do: [], first_fault: null };
const ask = async ({ browser }: SignedIn = auditor) => {
  const { status, body } = await browser.post('/api/audit/runs');
  expect(status).toBe(201);
  return (body as { data: { number: number } }).data.number;
};
const seen = async (number: number, { browser }: SignedIn = auditor) =>
  ((await browser.get(`/api/audit/runs/${number}`)).body as { data: Record<string, unknown> }).data;
const end = (number: number) => work.end(number, { state: 'sound', report: REPORT });
async function takeAndEnd(): Promise<void> {
  await work.hold();
  const number = await work.take();
  if (number !== undefined) await end(number);
}

interface Said {
  run: { number: number; state: string; progress: unknown } | null;
  is_runner_there: boolean;
}
const doneOf = (run: Said['run']) => (run?.progress as { done?: number } | null)?.done;
/** What a page has heard of runs, in order. */
const saidIn = ({ text }: Heard): Said[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Said] : []));

describe('a page that listens', () => {
  it('hears how the newest run goes, without a name, and keeps no session alive', async () => {
    await backoffice.rows(
      `UPDATE sessions SET last_used_at = last_used_at - interval '5 minutes' WHERE member_id = $1`,
      [auditor.memberId],
    );
    const lastUse = () =>
      backoffice.rows('SELECT id, last_used_at FROM sessions WHERE member_id = $1 ORDER BY id', [auditor.memberId]);
    const before = await lastUse();
    const page = await auditor.browser.hear('/api/audit/runs/live');
    await eventually('a first event', () => saidIn(page).length > 0);
    expect(await lastUse()).toEqual(before);
    const number = await ask();
    const asked = await lastUse();
    const heard = (state: string) =>
      eventually(state, () => saidIn(page).find(({ run }) => run?.number === number && run.state === state));
    expect(await heard('asked')).toMatchObject({ run: { progress: null } });
    await work.hold();
    await work.take();
    await work.tell(number, { phase: 'log', done: 3, total: 7 });
    expect(await heard('running')).toMatchObject({ is_runner_there: true });
    await eventually('progress', () => saidIn(page).some(({ run }) => doneOf(run) === 3));
    await end(number);
    await heard('sound');
    expect(page.text).not.toContain('Ada Obi');
    expect(await lastUse()).toEqual(asked);
    page.stop();
  });

  it('hears on for longer than a request may take', async () => {
    const page = await auditor.browser.hear('/api/audit/runs/live');
    const number = await ask();
    await work.hold();
    await work.take();
    const over = Date.now() + REQUEST_DEADLINE_MS + 1_000;
    for (let done = 1; Date.now() < over; done += 1) {
      await work.tell(number, { phase: 'log', done, total: 1_000 });
      await eventually(`${done} events are heard of`, () => saidIn(page).some(({ run }) => doneOf(run) === done));
    }
    await end(number);
    page.stop();
  });

  it('hears nothing more once its person has another role', async () => {
    const person = await backoffice.member('auditor', null);
    const page = await person.browser.hear('/api/audit/runs/live');
    await eventually('a first event', () => saidIn(page).length > 0);
    await backoffice.rows(`UPDATE members SET role = 'support' WHERE id = $1`, [person.memberId]);
    await eventually('the end of the stream', () => page.hasEnded);
  });

  it('is one of at most five of a person', async () => {
    const person = await backoffice.member('auditor', null);
    const pages: Heard[] = [];
    for (let page = 0; page < 5; page += 1) pages.push(await person.browser.hear('/api/audit/runs/live'));
    expect(await person.browser.get('/api/audit/runs/live')).toMatchObject({ status: 429 });
    for (const page of pages) page.stop();
  });
});

describe.each(['auditor', 'compliance', 'operations'] as const)('a person with the role %s', (role) => {
  it('asks for a run, sees it and cancels it, on the record', async () => {
    const person = await backoffice.member(role, null);
    const number = await ask(person);
    const asked_by = { member_id: person.memberId, name: role === 'compliance' ? 'Ada Obi' : null, is_you: true };
    expect(await seen(number, person)).toMatchObject({ number, state: 'asked', report: null, asked_by });
    const listed = (await person.browser.get('/api/audit/runs')).body as { data: { runs: unknown[] } };
    expect(listed.data.runs[0]).toMatchObject({ number, asked_by });
    expect((await person.browser.post(`/api/audit/runs/${number}/cancellation`)).status).toBe(204);
    expect(await seen(number, person)).toMatchObject({ state: 'cancelled' });
    expect(await backoffice.actsOf(person.memberId)).toEqual(
      expect.arrayContaining(['audit-run-asked', 'audit-run-cancelled']),
    );
  });
});

it('one at a time: the second one is refused with what to do, and is on no record', async () => {
  const other = await backoffice.member('operations', null);
  await ask();
  const refused = await other.browser.post('/api/audit/runs');
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain('wait for its end, or cancel it');
  expect(await backoffice.actsOf(other.memberId)).not.toContain('audit-run-asked');
  await takeAndEnd();
});

it('shows the report when it has ended, and cancels it no more', async () => {
  const number = await ask();
  await takeAndEnd();
  expect(await seen(number)).toMatchObject({ state: 'sound', report: REPORT });
  expect((await auditor.browser.post(`/api/audit/runs/${number}/cancellation`)).status).toBe(409);
});

it.each(['0', '999999', 'x', '1e3', '99999999999999999999'])('there is no run %s', async (number) => {
  expect((await auditor.browser.get(`/api/audit/runs/${number}`)).status).toBe(404);
  expect((await auditor.browser.post(`/api/audit/runs/${number}/cancellation`)).status).toBe(404);
});

it.each([...MERCHANT_ROLES, 'support'] as const)(
  'a person with the role %s is refused without a word',
  async (role) => {
    const number = await ask();
    const { browser } = await backoffice.member(role, role === 'support' ? null : newMerchant());
    const answers = [
      ...[await browser.get('/api/audit/runs'), await browser.get(`/api/audit/runs/${number}`)],
      ...[await browser.get('/api/audit/runs/live'), await browser.post('/api/audit/runs')],
      await browser.post(`/api/audit/runs/${number}/cancellation`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).not.toHaveProperty('data');
    }
    expect(await seen(number)).toMatchObject({ state: 'asked' });
    await takeAndEnd();
  },
);
