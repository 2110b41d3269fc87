import { durationOf, isCounted, paceOf, partOf, phaseWords } from './progress-words';
import { runsSearchOf } from './questions';
import { type AuditRun, withSaid } from './runs';

it('says how fast it goes, and how long the rest takes', () => {
  const progress = { phase: 'log', done: 50_000, total: 200_000 };
  const since = { done: 20_000, seconds: 100 };
  expect(paceOf(progress, 106, since)).toBe('50,000 of 200,000 events, 5,000 a second, 30 s left');
  expect(paceOf({ ...progress, done: 200_000 }, 136, since)).toBe(
    '200,000 of 200,000 events, 5,000 a second, 0 s left',
  );
});

it.each([
  ['the page has just begun to look', 50_000, 104],
  ['no event was read meanwhile', 20_000, 106],
  ['it is not known how long it runs', 50_000, null],
])('says no pace where %s', (_why, done, seconds) =>
  expect(paceOf({ phase: 'log', done, total: 200_000 }, seconds, { done: 20_000, seconds: 100 })).toBe(
    `${done.toLocaleString('en')} of 200,000 events`,
  ),
);

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [61, '1 min 1 s'],
  [3_700, '1 h 1 min'],
])('%d seconds are %s', (seconds, text) => expect(durationOf(seconds)).toBe(text));

it('names the part that a run is in, and no bar stands still for what is not counted', () => {
  expect([phaseWords('tables'), partOf('tables')]).toEqual(['Comparing tables with the log', 'part 8 of 9']);
  expect([phaseWords('of-later'), partOf('of-later')]).toEqual(['of-later', undefined]);
  expect(isCounted({ phase: 'log', done: 0, total: 9 })).toBe(true);
  expect(isCounted({ phase: 'tables', done: 9, total: 9 })).toBe(false);
  expect(isCounted({ phase: 'log', done: 0, total: 0 })).toBe(false);
});

it.each([
  [{ run: '7' }, { run: 7 }],
  [{ run: '0' }, {}],
  [{ run: 'x' }, {}],
  [{ run: ['7'] }, {}],
  [{}, {}],
])('an address with %j names %j', (search, named) => expect(runsSearchOf(search)).toEqual(named));

describe('what is said of the newest run', () => {
  const run: AuditRun = {
    ...{ number: 2, state: 'running', asked_by: { member_id: 'm', name: null, is_you: true }, asked_at: 'then' },
    ...{ cancelled_at: null, began_at: 'then', alive_at: 'then', running_seconds: 1, progress: null },
    ...{ ended_at: null, failure: null },
  };
  const list = { runner: { is_there: true, alive_at: 'then' }, runs: [run] };
  const progress = { phase: 'log', done: 1, total: 2 };
  const said = { number: 2, state: 'running', progress, running_seconds: 5, is_cancelled: false } as const;

  it('is shown without asking', () =>
    expect(withSaid(list, { run: said, is_runner_there: true })).toEqual({
      ...list,
      runs: [{ ...run, progress, running_seconds: 5 }],
    }));

  it.each([
    ['has ended', { ...said, state: 'sound' as const }],
    ['is another one', { ...said, number: 3 }],
    ['is none', null],
    ['was cancelled', { ...said, is_cancelled: true }],
  ])('is asked for where it %s', (_what, other) =>
    expect(withSaid(list, { run: other, is_runner_there: true })).toBeUndefined(),
  );

  it('is asked for where the runner has gone', () =>
    expect(withSaid(list, { run: said, is_runner_there: false })).toBeUndefined());

  it('is nothing where there is none', () =>
    expect(withSaid({ ...list, runs: [] }, { run: null, is_runner_there: true })).toMatchObject({ runs: [] }));
});
