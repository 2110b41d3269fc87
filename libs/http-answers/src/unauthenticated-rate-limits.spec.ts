import { UnauthenticatedRateLimits } from './unauthenticated-rate-limits';

const OF_ADDRESS = { perSecond: 20, burst: 40 };

describe('look-ups of keys that may be guesses', () => {
  const guessing = (addresses: number) => {
    const limits = new UnauthenticatedRateLimits(OF_ADDRESS);
    const names = Array.from({ length: addresses }, (_, number) => `address ${number}`);
    names.forEach((name) => limits.guessed(name));
    return { limits, names };
  };

  it('are bounded for all addresses that guessed lately, together', () => {
    const { limits, names } = guessing(500);
    const lookedUp = (now: number) => names.filter((name) => limits.mayLookUp(name, now)).length;
    expect([lookedUp(0), lookedUp(0), lookedUp(500)]).toEqual([100, 0, 50]);
  });

  it('are not for an address that did not', () => {
    const { limits, names } = guessing(500);
    names.forEach((name) => limits.mayLookUp(name, 0));
    expect(limits.mayLookUp('another', 0)).toBe(true);
  });
});
