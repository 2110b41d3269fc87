import { EventLoopLag } from './event-loop-lag';

describe('EventLoopLag', () => {
  let lag: EventLoopLag;
  let start: number;
  beforeEach(() => {
    lag = new EventLoopLag();
    start = Math.ceil(performance.now()) + 1_000_000; // Whole, so that the sums below are exact.
    lag.onApplicationShutdown();
    lag.tick(start);
    start += 2_000; // A stall before this moment is forgotten.
    for (let at = start - 1_950; at <= start; at += 50) lag.tick(at);
  });

  it('is 0 while the ticks come, on time or a little late', () => {
    expect(lag.msAt(start + 40)).toBe(0);
    lag.tick(start + 200);
    expect(lag.msAt(start + 201)).toBe(0);
  });

  it('is the duration of a stall, before its end is noticed and for a second after', () => {
    expect(lag.msAt(start + 4_050)).toBe(4_000);
    lag.tick(start + 4_050);
    lag.tick(start + 4_100);
    expect(lag.msAt(start + 5_049)).toBe(4_000);
    expect(lag.msAt(start + 5_050)).not.toBe(4_000);
  });

  it('is the duration of the longer of two stalls', () => {
    lag.tick(start + 3_050);
    lag.tick(start + 3_600);
    expect(lag.msAt(start + 3_610)).toBe(3_000);
  });
});
