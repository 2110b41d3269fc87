/** Runs of verify, in a real browser. */
import { eventually } from '@stablecoin/testing/eventually';
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';

type Run = Schema<'WholeAuditRun'>;
const AT = '2026-01-31T09:30:00.000Z';
const ASKED: Run = {
  ...{ number: 3, state: 'asked', asked_by: { member_id: 'm', name: null, is_you: true }, asked_at: AT },
  ...{ cancelled_at: null, began_at: null, alive_at: null, running_seconds: null, progress: null, ended_at: null },
  ...{ failure: null, report: null },
};
const RUNNING: Run = {
  ...{ ...ASKED, state: 'running', began_at: AT, alive_at: AT, running_seconds: 10 },
  progress: { phase: 'log', done: 250_000, total: 1_000_000 },
};
const INTACT: Run = {
  ...{ ...RUNNING, number: 1, state: 'sound', ended_at: AT, running_seconds: 75 },
  report: { ok: true, events: 1_000_000, seconds: 74, findings: [], what_to_do: [] },
};
const PROBLEM = 'shard 0 position 1,204: its hash is not that of its body';
const FORGED: Run = {
  ...{ ...INTACT, number: 2, state: 'finding', asked_by: { member_id: 'n', name: null, is_you: false } },
  report: {
    ...{ ok: false, events: 1_000_000, seconds: 74, findings: [PROBLEM] },
    what_to_do: ['The log of shard 0 can be trusted up to position 1,203 and no further.'],
  },
};
const THERE = { is_there: true, alive_at: AT };

let runs: Run[] = [];
let older: Run | undefined;
/** Until when the list has no answer. */
let listing: Promise<void> | undefined;
let runner: Schema<'AuditRuns'>['runner'] = THERE;
const ANSWERS: Answers = {
  'GET /api/audit/runs': async () => {
    const list = { runner, runs: runs.map(({ report: _, ...run }) => run) };
    await listing;
    return enveloped(list);
  },
  'GET /api/audit/runs/:number': ({ parts: [number] }) =>
    enveloped([...runs, older].find((run) => String(run?.number) === number)),
  'POST /api/audit/runs': () => {
    runs = [ASKED, ...runs];
    return enveloped({ number: ASKED.number });
  },
  'POST /api/audit/runs/:number/cancellation': () => {
    runs = runs.map((run) => (run.number === ASKED.number ? { ...run, state: 'cancelled', cancelled_at: AT } : run));
    return null;
  },
};
const showing =
  (of: Schema<'AuditRuns'>['runner'], ...kept: Run[]) =>
  () => {
    [runner, runs, older, listing] = [of, kept, undefined, undefined];
    app().signedInAs('auditor', { side: 'operator', merchant: null });
  };
const SCREENS: readonly Screen[] = [
  {
    ...{ name: 'verification-none', path: '/verification', heading: 'Nothing was verified here yet' },
    prepare: showing({ is_there: false, alive_at: null }),
  },
  {
    ...{ name: 'verification-runs', path: '/verification', heading: 'Verification 3' },
    prepare: showing(THERE, RUNNING, FORGED, INTACT),
  },
  {
    ...{ name: 'verification-intact', path: '/verification?run=1', heading: 'Verification 1' },
    prepare: showing(THERE, FORGED, INTACT),
    act: (page) => page.getByText('Intact.', { exact: true }).waitFor(),
  },
  {
    ...{ name: 'verification-finding', path: '/verification', heading: 'Verification 2' },
    prepare: showing({ is_there: false, alive_at: AT }, FORGED, INTACT),
    act: (page) => page.getByText(PROBLEM).waitFor(),
  },
];
const app: () => ConsoleInBrowser = consoleInBrowser(SCREENS, ANSWERS);
const listed = () => app().stub.state.asked.filter((asked) => asked.includes('/api/audit/runs')).length;
const connected = () => app().stub.state.asked.filter((asked) => asked.endsWith('/api/audit/runs/live')).length;
const untilConnected = () => eventually('it is connected', () => connected() === 1);

it('asks for one, shows how it goes without asking again, and its verdict when it has ended', async () => {
  showing(THERE)();
  const page = await app().open('/verification');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('It waits for the runner.').waitFor();
  expect(await page.getByRole('button', { name: 'Verify now' }).isDisabled()).toBe(true);
  await untilConnected();
  const { number } = RUNNING;
  const say = (state: string, progress: unknown, running_seconds = RUNNING.running_seconds) =>
    app().stub.tellOfRun({
      run: { number, state, progress, running_seconds, is_cancelled: false },
      is_runner_there: true,
    });
  runs = [RUNNING];
  say('running', RUNNING.progress);
  await page.getByText('250,000 of 1,000,000 events', { exact: true }).waitFor();
  const before = listed();
  say('running', { phase: 'log', done: 500_000, total: 1_000_000 }, 20);
  await page.getByText('500,000 of 1,000,000 events, 25,000 a second, 20 s left').waitFor();
  say('running', { phase: 'tables', done: 1_000_000, total: 1_000_000 });
  await page.getByText('Comparing tables with the log').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBeNull();
  expect(listed()).toBe(before);
  runs = [{ ...INTACT, number }];
  say('sound', null);
  await page.getByText('1,000,000 events, and every table that answers a caller follows from the log.').waitFor();
});

describe('a page that hears', () => {
  it('comes to the sign-in when its session has ended', async () => {
    showing(THERE, RUNNING)();
    const page = await app().open('/verification');
    await page.getByText('250,000 of 1,000,000 events').waitFor();
    await untilConnected();
    app().stub.state.session = null;
    app().stub.hangUp();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('asks anew where what it hears is newer than the first answer, which is under way', async () => {
    showing(THERE, RUNNING)();
    let give = (): void => undefined;
    listing = new Promise((resolve) => (give = resolve));
    const page = await app().open('/verification');
    await untilConnected();
    runs = [{ ...INTACT, number: RUNNING.number }];
    app().stub.tellOfRun({ run: { ...RUNNING, state: 'sound', is_cancelled: false }, is_runner_there: true });
    // What was said is there before the answer is.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    give();
    await page.getByText('Intact.', { exact: true }).waitFor();
  });

  it('is one tab for all of them, and the next one when that is closed', async () => {
    showing(THERE, RUNNING)();
    const first = await app().open('/verification');
    const second = await first.context().newPage();
    await second.goto(`${app().stub.origin}/verification`);
    for (const page of [first, second]) await page.getByText('250,000 of 1,000,000 events').waitFor();
    await eventually('one is connected', () => connected() === 1);
    runs = [{ ...RUNNING, cancelled_at: AT }];
    app().stub.tellOfRun({ run: { ...RUNNING, is_cancelled: true }, is_runner_there: true });
    for (const page of [first, second]) await page.getByText('Is being cancelled…').waitFor();
    expect(connected()).toBe(1);
    await first.close();
    await eventually('the next one is connected', () => connected() === 2);
  });
});

it('cancels one that runs', async () => {
  showing(THERE, RUNNING)();
  const page = await app().open('/verification');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
});

it('cancels again where the runner is gone, and says meanwhile that it is being cancelled where it is there', async () => {
  showing(THERE, { ...RUNNING, cancelled_at: AT })();
  const page = await app().open('/verification');
  expect(await page.getByRole('button', { name: 'Is being cancelled…' }).isDisabled()).toBe(true);
  await untilConnected();
  runner = { is_there: false, alive_at: AT };
  app().stub.tellOfRun({ run: { ...RUNNING, is_cancelled: true }, is_runner_there: false });
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('Cancelled', { exact: true }).first().waitFor();
});

describe('one that is older than those listed', () => {
  it('is asked for by its number', async () => {
    showing(THERE, FORGED)();
    older = INTACT;
    const page = await app().open('/verification?run=1');
    await page.getByText('Intact.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Verification 1' }).waitFor();
  });

  it('is said to be none where there is none, and why where that is not known', async () => {
    showing(THERE, FORGED)();
    const page = await app().open('/verification?run=1');
    await page.getByText('There is no such verification').waitFor();
    app().refuse('GET /api/audit/runs/7', 403);
    await page.goto(`${app().stub.origin}/verification?run=7`);
    await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
    expect(await page.getByText('There is no such verification').count()).toBe(0);
  });
});

it('names each finding and what to do, and gives the whole report as a file', async () => {
  showing(THERE, FORGED, INTACT)();
  const page = await app().open('/verification');
  await page.getByRole('list', { name: 'Findings' }).getByText(PROBLEM).waitFor();
  await page.getByText('can be trusted up to position 1,203').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the whole report' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('verification-2.json');
  await page.getByRole('link', { name: 'Verification 1' }).click();
  await page.getByText('Intact.', { exact: true }).waitFor();
});

it('says that no runner is there, and which one to start', async () => {
  showing({ is_there: false, alive_at: null })();
  const page = await app().open('/verification');
  await page.getByText('No runner is there.').waitFor();
  await page.getByText('docker compose --profile people up -d audit-runner').waitFor();
});

it('a refusal is said where it was asked', async () => {
  showing(THERE)();
  const page = await app().open('/verification');
  app().refuse('POST /api/audit/runs', 409, 'A verification waits or runs already');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByRole('alert').getByText('A verification waits or runs already').waitFor();
});

it('is for the operator’s auditors', async () => {
  app().signedInAs('admin');
  const page = await app().open('/verification');
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  expect(listed()).toBe(0);
});
