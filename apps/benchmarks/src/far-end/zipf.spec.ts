import { cacheLoads, databaseParts, heldByInstances, shardParts, zipfParts } from './zipf';

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

it('gives the second merchant half of the first, and all together 1', () => {
  const parts = zipfParts(1_000, 1);
  expect(parts[1]).toBeCloseTo((parts[0] ?? 0) / 2);
  expect(sum(parts)).toBeCloseTo(1);
  expect([...zipfParts(4, 0)]).toEqual([0.25, 0.25, 0.25, 0.25]);
});

it('loses nothing on the way to shards, databases and instances', () => {
  const shards = shardParts(zipfParts(5_000, 1), 30);
  expect(sum(shards)).toBeCloseTo(1);
  expect(sum(databaseParts(shards, 3))).toBeCloseTo(1);
  const held = heldByInstances(shards, 3, 7);
  expect(sum(held.shards)).toBe(30);
  expect(sum(held.parts)).toBeCloseTo(1);
});

it('gives each instance the same number of every database, and what is left over by their names', () => {
  const { shards } = heldByInstances(new Float64Array(20).fill(0.05), 2, 4);
  // 10 of each database for 4 instances: 2 or 3 of each.
  expect(Math.min(...shards)).toBeGreaterThanOrEqual(4);
  expect(Math.max(...shards)).toBeLessThanOrEqual(6);
});

describe('the caches of gateways', () => {
  const parts = zipfParts(100, 0);
  const of = { perSecond: 1_000, gateways: 1, renewedAfterS: 4, entries: 1_000 };

  it('load a busy merchant once in the time that a value is kept', () => {
    // 10 requests a second of each: 10 / (1 + 40).
    expect(cacheLoads(parts, of)).toBeCloseTo(100 * (10 / 41));
  });

  it('load one who comes rarely with nearly every request', () => {
    expect(cacheLoads(parts, { ...of, perSecond: 1 }) / 1).toBeGreaterThan(0.95);
  });

  it('save less where a merchant comes to many gateways', () => {
    const asked = { ...of, perSecond: 100 };
    expect(cacheLoads(parts, { ...asked, gateways: 10 })).toBeGreaterThan(3 * cacheLoads(parts, asked));
  });

  it('save less where they have too few entries', () => {
    expect(cacheLoads(parts, { ...of, entries: 10 })).toBeGreaterThan(5 * cacheLoads(parts, of));
  });
});
