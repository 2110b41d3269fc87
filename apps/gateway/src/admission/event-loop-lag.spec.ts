import { EventLoopLag } from './event-loop-lag';

describe('EventLoopLag', () => {
  let lag: EventLoopLag;
  let start: number;
  beforeEach(() => {
    lag = new EventLoopLag();
    start = Math.ceil(performance.now()) + 1_000_000; // Whole, so that the sums below are exact.
    lag.onApplicationShutdown();
    lag.tick(start);
    start += 2_000; // The stall until here is forgotten.
    for (let at = start - 1_950; at <= start; at += 50) lag.tick(at);
  });

  it('is none while the ticks come, a little late or not', () => {
    expect(lag.msAt(start + 40)).toBe(0);
    lag.tick(start + 200);
    expect(lag.msAt(start + 201)).toBe(0);
  });

  it('is how long the halt was, before its end is noticed and for a second after', () => {
    expect(lag.msAt(start + 4_050)).toBe(4_000);
    lag.tick(start + 4_050);
    lag.tick(start + 4_100);
    expect(lag.msAt(start + 5_049)).toBe(4_000);
    expect(lag.msAt(start + 5_050)).not.toBe(4_000);
  });

  it('is that of the longer of two halts', () => {
    lag.tick(start + 3_050);
    lag.tick(start + 3_600);
    expect(lag.msAt(start + 3_610)).toBe(3_000);
  });
});
