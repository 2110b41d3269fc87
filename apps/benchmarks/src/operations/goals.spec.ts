import { figuresOf, judgementsOf, type Round, withThreeDigits } from './goals';
import { chosenKinds, type OperationKind } from './operation-kinds';

const round = (service: number, floor: number, rates: [number, number]): Round => ({
  service: { use: { gateway: service / 2, 'postgres ledger': service / 2 }, perSecond: rates[0] },
  floor: { use: { 'floor gateway': floor }, perSecond: 1_000 },
  plain: { use: { plain: 1 }, perSecond: rates[1] },
});
const kindOf = (name: string) => chosenKinds(name)[0] as OperationKind;

describe('the figures of some rounds', () => {
  it('are medians, and ratios are taken within each round', () => {
    // The middle ratio is that of the round in which both were slow: dividing medians would say 2, not 3.
    const figures = figuresOf(
      [round(2, 1, [100, 100]), round(4, 1, [150, 50]), round(30, 10, [10, 5])],
      { p50Ms: 9 },
      0,
    );
    expect(figures).toMatchObject({ cpu_ms: 4, floor_cpu_ms: 1, cpu_to_floor: 3 });
    expect(figures).toMatchObject({ per_second: 100, plain_per_second: 50, per_second_to_plain: 2 });
    expect(figures.by_process).toEqual({ gateway: 2, 'postgres ledger': 2 });
  });

  it('are null where a column does not apply', () => {
    expect(figuresOf([round(2, 1, [1, 1])], null, null)).toMatchObject({
      ...{ p50_ms_alone: null, quote_p50_ms_alone: null, errors_at_256: null },
    });
  });
});

describe('the goals of an operation', () => {
  it('are met at their limit, and missed beyond it', () => {
    const met = judgementsOf(kindOf('payout'), figuresOf([round(2, 1, [150, 100])], { p50Ms: 12 }, 0));
    expect(met.map(({ isMet }) => isMet)).toEqual([true, true, true, true]);
    const missed = judgementsOf(kindOf('payout'), figuresOf([round(2.1, 1, [149, 100])], { p50Ms: 12.1 }, 1));
    expect(missed.map(({ isMet }) => isMet)).toEqual([false, false, false, false]);
  });

  it('ask less than the plain way of a payout only', () => {
    const even = figuresOf([round(1, 1, [100, 100])], null, null);
    const rates = (name: string) => judgementsOf(kindOf(name), even).find(({ figure }) => figure.includes('plain'));
    expect(rates('payout')?.isMet).toBe(false);
    expect(rates('deposit')?.isMet).toBe(true);
  });

  it('hold the quote of a swap to its own limit', () => {
    const slow = figuresOf([round(1, 1, [1, 1])], { p50Ms: 20, firstP50Ms: 12.5 }, 0);
    expect(judgementsOf(kindOf('swap'), slow).filter(({ isMet }) => !isMet)).toEqual([
      { figure: 'its quote alone, p50 in ms', value: 12.5, goal: 'at most 12', isMet: false },
    ]);
  });

  it('leave out what was not measured', () => {
    const figures = judgementsOf(kindOf('webhook-delivery'), figuresOf([round(1, 1, [1, 1])], null, null));
    expect(figures).toHaveLength(2);
  });
});

it('three digits are left of every number, however deep', () => {
  expect(withThreeDigits({ a: 1.2345, b: { c: 0.0012345, d: null }, e: 'x' })).toEqual({
    ...{ a: 1.23, b: { c: 0.00123, d: null }, e: 'x' },
  });
});

it('an operation that there is not is refused', () => expect(() => chosenKinds('transfer')).toThrow('transfer'));
