import { Drawing } from './drawing';

const drawn = (seed: number) => {
  const draw = new Drawing(seed);
  return Array.from({ length: 50 }, () => draw.next());
};

describe('drawing', () => {
  it('draws the same for the same seed, and something else for another', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  it('draws nothing alike for seeds that lie side by side', () => {
    const firsts = Array.from({ length: 40 }, (_, seed) => new Drawing(seed).next());
    expect(firsts.filter((first) => first < 0.5).length).toBeGreaterThan(8);
    expect(firsts.filter((first) => first >= 0.5).length).toBeGreaterThan(8);
  });

  it('shuffles without losing or doubling anything', () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    const shuffled = new Drawing(3).shuffled(items);
    expect(shuffled).not.toEqual(items);
    expect([...shuffled].sort((one, other) => one - other)).toEqual(items);
  });

  it('stays within its bounds and reaches every choice', () => {
    const draw = new Drawing(11);
    const seen = new Set(Array.from({ length: 100 }, () => draw.oneOf(['a', 'b', 'c'])));
    expect([...seen].sort()).toEqual(['a', 'b', 'c']);
    const whole = new Set(Array.from({ length: 100 }, () => draw.below(3)));
    expect([...whole].sort()).toEqual([0, 1, 2]);
    for (const value of Array.from({ length: 100 }, () => draw.between(5, 6))) {
      expect(value).toBeGreaterThanOrEqual(5);
      expect(value).toBeLessThan(6);
    }
  });
});
