import { PageLimits } from './page-limits';

const MIB = 1024 * 1024;
/** An address may have 16 MiB at once and 4 more a second, all together 64 and 32. */
const limits = () => {
  const pages = new PageLimits();
  return (address: string, mib: number, second = 0) => {
    try {
      pages.take(address, mib * MIB, second * 1_000);
      return 'sent';
    } catch (refusal) {
      const { code, retryAfterSeconds = 'soon' } = refusal as { code: string; retryAfterSeconds?: number };
      return `${code}, again ${retryAfterSeconds}`;
    }
  };
};

it('are of bytes, by address', () => {
  const take = limits();
  expect([take('a', 15), take('a', 1), take('a', 1)]).toEqual(['sent', 'sent', 'rate_limited, again 1']);
  expect(take('a', 9)).toBe('rate_limited, again 3');
  expect(take('b', 1)).toBe('sent');
});

it('let an address go on as time passes', () => {
  const take = limits();
  expect([take('a', 16), take('a', 4, 0.5), take('a', 4, 1)]).toEqual(['sent', 'rate_limited, again 1', 'sent']);
});

it('are of all addresses together, each of which has had little', () => {
  const take = limits();
  const eight = (letters: string, second?: number) => [...letters].map((address) => take(address, 8, second));
  expect(eight('abcdefgh')).toEqual(Array(8).fill('sent'));
  expect(take('i', 1)).toBe('unavailable, again soon');
  expect(eight('klmno', 1)).toEqual([...Array(4).fill('sent'), 'unavailable, again soon']);
});
