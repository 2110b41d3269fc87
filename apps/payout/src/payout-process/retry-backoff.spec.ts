import { RetryBackoff } from './retry-backoff';

const LONGEST_MS = 10_000;
const turnsOf = (count: number, stepTookMs: number, nowMs = 0, turns = new RetryBackoff(LONGEST_MS)) =>
  Array.from({ length: count }, () => turns.nextInMs(stepTookMs, nowMs));

describe('a step that is held up', () => {
  it('is retried at once when it is the only one', () => {
    expect(turnsOf(1, 2_000)).toEqual([0]);
  });

  it('is one of a bounded number of retries a second, however soon they fail', () => {
    expect(turnsOf(201, 1).at(-1)).toBe(1_000);
  });

  it('is retried later the longer the steps take, because they take up room meanwhile', () => {
    expect(turnsOf(81, 2_000).at(-1)).toBe(2_000);
    expect(turnsOf(81, 5_000).at(-1)).toBe(5_000);
  });

  it('waits no longer than the longest pause, and not at all when no step has failed for a while', () => {
    const turns = new RetryBackoff(LONGEST_MS);
    expect(turnsOf(5_000, 2_000, 0, turns).at(-1)).toBe(LONGEST_MS);
    expect(turnsOf(1, 2_000, LONGEST_MS + 25, turns)).toEqual([0]);
  });
});
