import { ExpiringCache } from './expiring-cache';

describe('ExpiringCache', () => {
  const setUp = (maxEntries = 2) => {
    const clock = { now: 0 };
    const cache = new ExpiringCache<string>(maxEntries, () => clock.now);
    const loads: string[] = [];
    const get = (key: string, ttlMs = 10) =>
      cache.get(key, async () => {
        loads.push(key);
        return { value: `${key}${loads.length}`, ttlMs };
      });
    return { clock, cache, loads, get };
  };

  it('loads once until the value expires', async () => {
    const { clock, loads, get } = setUp();
    expect([await get('a'), await get('a')]).toEqual(['a1', 'a1']);
    clock.now = 10;
    expect(await get('a')).toBe('a2');
    expect(loads).toEqual(['a', 'a']);
  });

  it('lets callers that miss at the same moment share one load', async () => {
    const { loads, get } = setUp();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a1', 'a1', 'a1']);
    expect(loads).toEqual(['a']);
  });

  it('drops the least recently used when it is full', async () => {
    const { loads, get } = setUp(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('remembers no failure, and nothing of a load that was under way when the key was forgotten', async () => {
    const { cache, get } = setUp();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const old = get('a');
    cache.forget('a');
    expect(await old).toBe('a1');
    expect(await get('a')).toBe('a2');
  });
});
