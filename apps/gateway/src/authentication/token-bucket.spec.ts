import { Bucket, takeToken } from './token-bucket';

const limit = { perSecond: 10, burst: 3 };

/** Takes a token at each of the given moments and returns which were allowed. */
function takeAt(...moments: number[]): boolean[] {
  let bucket: Bucket | undefined;
  return moments.map((now) => {
    const taken = takeToken(limit, bucket, now);
    bucket = taken.bucket;
    return taken.allowed;
  });
}

describe('takeToken', () => {
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
    const first = takeToken(limit, undefined, 0);
    expect(first).toMatchObject({ remaining: 2, waitMs: 0 });
    expect(takeToken(limit, { tokens: 0.5, filledAt: 0 }, 0)).toMatchObject({
      allowed: false,
      remaining: 0,
      waitMs: 50,
    });
  });
});
