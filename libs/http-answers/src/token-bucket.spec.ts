import { Bucket, owe, takeTokens } from './token-bucket';

const limit = { perSecond: 10, burst: 3 };

/** Takes a token at each of the given moments and returns which were allowed. */
function takeAt(...moments: number[]): boolean[] {
  let bucket: Bucket | undefined;
  return moments.map((now) => {
    const taken = takeTokens(limit, bucket, 1, now);
    bucket = taken.bucket;
    return taken.allowed;
  });
}

describe('takeTokens', () => {
  it.each([
    ['a burst, and no more', [0, 0, 0, 0], [true, true, true, false]],
    ['one more after a tenth of a second', [0, 0, 0, 100, 100], [true, true, true, true, false]],
    ['not a moment earlier', [0, 0, 0, 99], [true, true, true, false]],
    ['a refused request costs nothing', [0, 0, 0, 50, 50, 100], [true, true, true, false, false, true]],
    [
      'never more than the burst after a long pause',
      [0, 60_000, 60_000, 60_000, 60_000],
      [true, true, true, true, false],
    ],
    ['a clock that steps back gives nothing away', [1_000, 1_000, 1_000, 0, 0], [true, true, true, false, false]],
  ])('allows %s', (_name, moments, expected) => {
    expect(takeAt(...moments)).toEqual(expected);
  });

  it('says how many are left and how long to wait', () => {
    const first = takeTokens(limit, undefined, 1, 0);
    expect(first).toMatchObject({ remaining: 2, waitMs: 0 });
    expect(takeTokens(limit, { tokens: 0.5, filledAt: 0 }, 1, 0)).toMatchObject({
      allowed: false,
      remaining: 0,
      waitMs: 50,
    });
  });

  it('takes as many as a request costs, or none', () => {
    expect(takeTokens(limit, undefined, 2, 0)).toMatchObject({ allowed: true, remaining: 1 });
    const refused = takeTokens(limit, { tokens: 1.5, filledAt: 0 }, 2, 0);
    expect(refused).toMatchObject({ allowed: false, remaining: 1, waitMs: 50, bucket: { tokens: 1.5 } });
  });

  it('takes a full bucket for a request that costs more', () => {
    expect(takeTokens(limit, undefined, 9, 0)).toMatchObject({ allowed: true, remaining: 0 });
    expect(takeTokens(limit, { tokens: 2.5, filledAt: 0 }, 9, 0)).toMatchObject({ allowed: false, waitMs: 50 });
  });
});

describe('owe', () => {
  it('takes what a request turned out to cost, which the next ones wait for', () => {
    const owing = owe(limit, { tokens: 1, filledAt: 0 }, 3, 0);
    expect(owing).toEqual({ tokens: -2, filledAt: 0 });
    expect(takeTokens(limit, owing, 1, 0)).toMatchObject({ allowed: false, remaining: 0, waitMs: 300 });
    expect(takeTokens(limit, owing, 1, 300)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('owes a full bucket at the most', () => {
    expect(owe(limit, undefined, 1_000, 0)).toEqual({ tokens: -3, filledAt: 0 });
  });
});
