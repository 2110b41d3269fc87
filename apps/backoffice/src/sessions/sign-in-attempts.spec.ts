import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { drawToken } from '@stablecoin/people-store/tokens';
import { SignInAttempts } from './sign-in-attempts';

const HERE = '198.51.100.7';
const nothing = () => Promise.resolve(undefined);
const found = () => Promise.resolve('a session');

/** The codes with which it is refused, or what was found. */
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    (value) => value ?? 'nothing',
    (error: unknown) => (error as Refusal).code,
  );

async function tried(times: number, attempt: () => Promise<unknown>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let time = 0; time < times; time += 1) {
    const one = String(await outcome(attempt()));
    counts[one] = (counts[one] ?? 0) + 1;
  }
  return counts;
}

// The clock stands still: no bucket fills while a slow machine tries.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => jest.useRealTimers());

describe('attempts to sign in', () => {
  it.each([
    ['links', (attempts: SignInAttempts) => attempts.withSignIn(HERE, nothing)],
    ['cookies', (attempts: SignInAttempts) => attempts.withCookie(drawToken(), HERE, nothing)],
    ['no cookie at all', (attempts: SignInAttempts) => attempts.withCookie(undefined, HERE, nothing)],
    ['what can be no cookie', (attempts: SignInAttempts) => attempts.withCookie('x', HERE, nothing)],
  ])('of one address with %s are limited, before anything is looked up', async (_, attempt) => {
    const attempts = new SignInAttempts();
    expect(await tried(100, () => attempt(attempts))).toEqual({ nothing: 50, rate_limited: 50 });
    jest.advanceTimersByTime(1_000);
    expect(await tried(100, () => attempt(attempts))).toEqual({ nothing: 5, rate_limited: 95 });
    const lookUp = jest.fn(found);
    expect(await outcome(attempts.withSignIn(HERE, lookUp))).toBe('rate_limited');
    expect(lookUp).not.toHaveBeenCalled();
    expect(await outcome(attempts.withSignIn('203.0.113.9', lookUp))).toBe('a session');
  });

  it('say how long to wait', async () => {
    const attempts = new SignInAttempts();
    await tried(60, () => attempts.withSignIn(HERE, nothing));
    await expect(attempts.withSignIn(HERE, nothing)).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  it('that sign in cost nothing, nor those that could not be looked up', async () => {
    const attempts = new SignInAttempts();
    expect(await tried(100, () => attempts.withSignIn(HERE, found))).toEqual({ 'a session': 100 });
    const away = () => Promise.reject(new Refusal('unavailable'));
    expect(await tried(100, () => attempts.withSignIn(HERE, away))).toEqual({ unavailable: 100 });
  });

  it('of thousands of addresses that guess are looked up a hundred times a second, all together', async () => {
    const attempts = new SignInAttempts();
    const networks = Array.from({ length: 300 }, (_, number) => `network ${number}`);
    for (const network of networks) await attempts.withSignIn(network, nothing);
    const lookUp = jest.fn(nothing);
    const again = await Promise.all(networks.map((network) => outcome(attempts.withSignIn(network, lookUp))));
    expect(lookUp).toHaveBeenCalledTimes(100);
    expect(again.filter((code) => code === 'unavailable')).toHaveLength(200);
    expect(await outcome(attempts.withSignIn('has not guessed', found))).toBe('a session');
  });

  it('keep no one out who has just signed in from their address', async () => {
    const attempts = new SignInAttempts();
    const cookie = drawToken();
    await attempts.withSignIn(HERE, () => Promise.resolve(cookie));
    await tried(100, () => attempts.withSignIn(HERE, nothing));
    expect(await outcome(attempts.withCookie(cookie, HERE, found))).toBe('a session');
  });

  it('keep no session out that was found from their address, as long as it exists', async () => {
    const attempts = new SignInAttempts();
    const cookie = drawToken();
    await attempts.withCookie(cookie, HERE, found);
    await tried(100, () => attempts.withCookie(drawToken(), HERE, nothing));
    expect(await tried(100, () => attempts.withCookie(cookie, HERE, found))).toEqual({ 'a session': 100 });
    expect(await outcome(attempts.withCookie(cookie, HERE, nothing))).toBe('nothing');
    expect(await outcome(attempts.withCookie(cookie, HERE, found))).toBe('rate_limited');
  });
});
