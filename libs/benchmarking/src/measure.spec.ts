import { median, percentile, sustained } from './measure';

describe('percentile', () => {
  it.each([
    [[5], 99, 5],
    [[3, 1, 2], 50, 2],
    [[1, 2, 3, 4], 50, 2.5],
    [[1, 2, 3, 4], 100, 4],
    [[1, 2, 3, 4], 0, 1],
  ])('of %j at %d is %d', (values, rank, expected) => expect(percentile(values, rank)).toBe(expected));

  it('refuses to speak of nothing', () => expect(() => median([])).toThrow('no values'));
});

it('keeps as many under way as asked, and counts what finished', async () => {
  let underWay = 0;
  let most = 0;
  const { perSecond, finished } = await sustained({
    inFlight: 3,
    seconds: 0.05,
    work: async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    },
  });
  expect(most).toBe(3);
  expect(perSecond).toBeGreaterThan(0);
  expect(finished).toBeGreaterThanOrEqual(3);
});
