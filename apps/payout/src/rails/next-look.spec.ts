import { NextLook } from './next-look';

const ORDERED = new Date('2026-11-23T12:00:00Z');
const later = (ms: number) => new Date(ORDERED.getTime() + ms);

describe('a transfer under way is asked about next', () => {
  let nextLook: NextLook;
  const pauseMs = (age: number, network: 'erc20' | 'polygon' = 'erc20') => {
    const now = ORDERED.getTime() + age;
    return nextLook.after(network, ORDERED, now).getTime() - now;
  };

  beforeEach(() => {
    nextLook = new NextLook();
  });

  it.each([
    [0, 500],
    [2_000, 500],
    [4_000, 1_000],
    [900_000, 10_000],
    [-5_000, 500],
  ])('after a part of its age, where none has ended yet: at %d ms, in %d ms', (age, pause) => {
    expect(pauseMs(age)).toBe(pause);
  });

  describe('where others took ten minutes', () => {
    beforeEach(() => nextLook.learn('erc20', ORDERED, later(600_000)));

    it.each([
      [550_000, 50_500],
      [1_000, 60_000],
      [600_400, 500],
      [600_500, 30_000],
      [80_000_000, 30_000],
    ])('when it should end, and seldom before or after: at %d ms, in %d ms', (age, pause) => {
      expect(pauseMs(age)).toBe(pause);
    });

    it('as before on another network', () => {
      expect(pauseMs(4_000, 'polygon')).toBe(1_000);
    });
  });

  it('after the average of those that ended, of which the newest ones count the most', () => {
    nextLook.learn('polygon', ORDERED, later(8_000));
    nextLook.learn('polygon', ORDERED, later(16_000));
    expect(pauseMs(0, 'polygon')).toBe(9_500);
    for (let ended = 0; ended < 100; ended += 1) nextLook.learn('polygon', ORDERED, later(4_000));
    expect(pauseMs(0, 'polygon')).toBeCloseTo(4_500, -1);
  });

  it('soon where clocks differ', () => {
    nextLook.learn('polygon', ORDERED, later(-3_000));
    expect(pauseMs(0, 'polygon')).toBe(500);
  });
});
