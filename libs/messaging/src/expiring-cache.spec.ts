import { ExpiringCache } from './expiring-cache';

describe('ExpiringCache', () => {
  const setUp = (entriesMax = 2, refreshedMs = 0) => {
    let now = 1_000;
    const clock = { now: () => now, advance: (ms: number) => (now += ms) };
    const cache = new ExpiringCache<string>({ entriesMax, clock, refreshedMs });
    const loads: string[] = [];
    const get = (key: string, ttlMs = 10) =>
      cache.get(key, () => {
        loads.push(key);
        return Promise.resolve({ value: `${key}${loads.length}`, ttlMs });
      });
    return { clock, cache, loads, get };
  };

  it('loads once until the value expires', async () => {
    const { clock, loads, get } = setUp();
    expect([await get('a'), await get('a')]).toEqual(['a1', 'a1']);
    clock.advance(9.5);
    expect(await get('a')).toBe('a1');
    clock.advance(1);
    expect(await get('a')).toBe('a2');
    expect(loads).toEqual(['a', 'a']);
  });

  it('lets callers that miss at the same moment share one load', async () => {
    const { loads, get } = setUp();
    expect(await Promise.all([get('a'), get('a'), get('a')])).toEqual(['a1', 'a1', 'a1']);
    expect(loads).toEqual(['a']);
  });

  it('loads a value anew before its end, once, while callers get the old one', async () => {
    const { clock, loads, get } = setUp(2, 4);
    await get('a');
    clock.advance(5);
    expect([await get('a'), loads.length]).toEqual(['a1', 1]);
    clock.advance(2);
    expect([await get('a'), await get('a'), loads.length]).toEqual(['a1', 'a2', 2]);
  });

  it('keeps a value until its end when it could not be loaded anew', async () => {
    const { clock, cache, get } = setUp(2, 4);
    await get('a');
    clock.advance(7);
    const failing = () => cache.get('a', () => Promise.reject(new Error('away')));
    expect(await failing()).toBe('a1');
    expect(await failing()).toBe('a1');
    clock.advance(4);
    await expect(failing()).rejects.toThrow('away');
  });

  it('drops the least recently used when it is full', async () => {
    const { loads, get } = setUp(2);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps no value whose time to live is over when it arrives', async () => {
    const { loads, get } = setUp();
    for (const ttlMs of [0, -1, 10]) await get('a', ttlMs);
    expect(loads).toEqual(['a', 'a', 'a']);
    expect(await get('a')).toBe('a3');
  });

  it('evicts nothing for a load that fails', async () => {
    const { cache, loads, get } = setUp(1);
    await get('a');
    await expect(cache.get('b', () => Promise.reject(new Error('unknown')))).rejects.toThrow('unknown');
    expect([await get('a'), loads]).toEqual(['a1', ['a']]);
  });

  it('keeps no failure, and no value of a load that was under way when the key was forgotten', async () => {
    const { cache, get } = setUp();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    const old = get('a');
    cache.forget('a');
    expect(await old).toBe('a1');
    expect(await get('a')).toBe('a2');
  });
});
