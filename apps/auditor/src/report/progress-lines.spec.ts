import { ProgressLines } from './progress-lines';

let written: unknown[];
const begin = () => new ProgressLines((text) => written.push(JSON.parse(text)));

beforeEach(() => {
  written = [];
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

it('begins and ends with a line, however short the work was', () => {
  begin().end();
  expect(written).toEqual([
    { phase: 'starting', done: 0, total: 0 },
    { phase: 'starting', done: 0, total: 0 },
  ]);
});

it('writes at most one line a second, and what came last is not lost', () => {
  const progress = begin();
  const add = progress.start(100);
  progress.enter('log');
  for (let each = 0; each < 10; each += 1) add(1);
  expect(written).toHaveLength(1);
  jest.advanceTimersByTime(1_000);
  expect(written.slice(1)).toEqual([{ phase: 'log', done: 10, total: 100 }]);
  add(1);
  progress.enter('tables');
  jest.advanceTimersByTime(5_000);
  expect(written.slice(2)).toEqual([{ phase: 'tables', done: 11, total: 100 }]);
  add(1);
  expect(written.slice(3)).toEqual([{ phase: 'tables', done: 12, total: 100 }]);
});

it('its last line says how it stood, and none follows', () => {
  const progress = begin();
  progress.start(5)(5);
  progress.enter('indexes');
  progress.end();
  jest.advanceTimersByTime(5_000);
  expect(written.slice(1)).toEqual([{ phase: 'indexes', done: 5, total: 5 }]);
});
