import { OutageBackoff } from './outage-backoff';

const LONGEST_MS = 10_000;
const turnsOf = (count: number, stepTookMs: number, nowMs = 0, turns = new OutageBackoff(LONGEST_MS)) =>
  Array.from({ length: count }, () => turns.nextInMs(stepTookMs, nowMs));

describe('what an outage holds up', () => {
  it('has its turn at once where it is alone', () => {
    expect(turnsOf(1, 2_000)).toEqual([0]);
  });

  it('has so many turns a second, however soon it fails', () => {
    expect(turnsOf(201, 1).at(-1)).toBe(1_000);
  });

  it('has the fewer turns the longer its steps take, which take room meanwhile', () => {
    expect(turnsOf(81, 2_000).at(-1)).toBe(2_000);
    expect(turnsOf(81, 5_000).at(-1)).toBe(5_000);
  });

  it('waits no longer than the longest pause, and at once no more when it has been quiet', () => {
    const turns = new OutageBackoff(LONGEST_MS);
    expect(turnsOf(5_000, 2_000, 0, turns).at(-1)).toBe(LONGEST_MS);
    expect(turnsOf(1, 2_000, LONGEST_MS + 25, turns)).toEqual([0]);
  });
});
