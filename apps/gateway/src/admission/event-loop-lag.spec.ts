import { EventLoopLag } from './event-loop-lag';

describe('EventLoopLag', () => {
  let lateness: EventLoopLag;
  let start: number;
  beforeEach(() => {
    lateness = new EventLoopLag();
    start = performance.now() + 1_000_000;
    lateness.onApplicationShutdown();
    lateness.turn(start);
    start += 2_000; // What was missed until here is forgotten.
    for (let at = start - 1_950; at <= start; at += 50) lateness.turn(at);
  });

  it('is none while the turns come, a little late or not', () => {
    expect(lateness.msAt(start + 40)).toBe(0);
    lateness.turn(start + 200);
    expect(lateness.msAt(start + 201)).toBe(0);
  });

  it('is how long the halt was, before its end is noticed and for a second after', () => {
    expect(lateness.msAt(start + 4_050)).toBe(4_000);
    lateness.turn(start + 4_050);
    lateness.turn(start + 4_100);
    expect(lateness.msAt(start + 5_049)).toBe(4_000);
    expect(lateness.msAt(start + 5_050)).not.toBe(4_000);
  });

  it('is that of the longer of two halts', () => {
    lateness.turn(start + 3_050);
    lateness.turn(start + 3_600);
    expect(lateness.msAt(start + 3_610)).toBe(3_000);
  });
});
