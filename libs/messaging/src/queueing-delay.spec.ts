import { QueueingDelay } from './queueing-delay';

let delay: QueueingDelay;
let now: number;

beforeEach(() => {
  delay = new QueueingDelay();
  now = 0;
});

/** Completes requests at a steady rate. */
function complete({ everyMs, forMs }: { everyMs: number; forMs: number }): void {
  for (const end = now + forMs; now < end; now += everyMs) delay.completed(now, true);
}

describe('the queueing delay', () => {
  it('is 0 until completions under load have been measured for a second', () => {
    expect(delay.expectedMs(now, 500)).toBe(0);
    complete({ everyMs: 100, forMs: 900 });
    expect(delay.expectedMs(now, 500)).toBe(0);
    complete({ everyMs: 100, forMs: 200 });
    expect(delay.expectedMs(now, 500)).toBeGreaterThan(0);
  });

  it.each([1_000, 2_000, 30_000])('is the requests before, over the rate of completions, after %i ms', (forMs) => {
    complete({ everyMs: 10, forMs });
    const expected = delay.expectedMs(now, 100);
    expect([expected > 900, expected < 1_100]).toEqual([true, true]);
    expect(delay.expectedMs(now, 0)).toBe(0);
  });

  it('is the same whether completions come one by one or many at once', () => {
    for (; now < 5_000; now += 200) for (let times = 0; times < 20; times += 1) delay.completed(now, true);
    const expected = delay.expectedMs(now, 100);
    expect([expected > 800, expected < 1_200]).toEqual([true, true]);
  });

  it('changes little with a pause of a tenth of a second, and tenfold with one of some seconds', () => {
    complete({ everyMs: 10, forMs: 5_000 });
    expect(delay.expectedMs(now + 100, 100)).toBeLessThan(1_200);
    expect(delay.expectedMs(now + 2_400, 100)).toBeGreaterThan(10_000);
  });

  it('follows a change of pace within some seconds', () => {
    complete({ everyMs: 100, forMs: 5_000 });
    complete({ everyMs: 10, forMs: 3_000 });
    expect(delay.expectedMs(now, 100)).toBeLessThan(1_200);
  });

  it('is forgotten when the load ends', () => {
    complete({ everyMs: 100, forMs: 5_000 });
    delay.completed(now, false);
    expect(delay.expectedMs(now, 500)).toBe(0);
    complete({ everyMs: 10, forMs: 1_100 });
    expect(delay.expectedMs(now, 100)).toBeLessThan(1_200);
  });
});
