import { UnresponsiveInstances } from './unresponsive-instances';

const SHARDS = 4;
const seen = (free: number[], held: Record<string, number>) => ({
  free,
  members: Object.entries(held).map(([instance, count]) => ({ instance, held: count })),
});

/** Looks at the same membership at these times; returns the instances that count at the last look. */
function counted(times: number[], ...pictures: ReturnType<typeof seen>[]): string[] {
  const reluctant = new UnresponsiveInstances();
  let last: string[] = [];
  times.forEach((time, index) => {
    const picture = pictures[Math.min(index, pictures.length - 1)] as ReturnType<typeof seen>;
    last = reluctant.counting(picture, SHARDS, 'self', time).map(({ instance }) => instance);
  });
  return last;
}

describe('a member whose share has no owner', () => {
  const picture = seen([2, 3], { self: 2, other: 0 });

  it('is waited for', () => expect(counted([0, 1_000], picture)).toEqual(['self', 'other']));
  it('is passed over when it does not take it', () => expect(counted([0, 1_500], picture)).toEqual(['self']));

  it('is counted again later', () => {
    expect(counted([0, 1_500, 61_500], picture, picture, seen([], { self: 4, other: 0 }))).toEqual(['self', 'other']);
  });

  it('stays passed over when others have taken its shards, so that none is handed back at once', () => {
    expect(counted([0, 1_500, 2_000], picture, picture, seen([], { self: 4, other: 0 }))).toEqual(['self']);
  });

  it('gets the full time again for another free shard', () => {
    expect(counted([0, 1_000, 2_000], seen([2], { self: 3, other: 0 }), seen([3], { self: 3, other: 0 }))).toEqual([
      'self',
      'other',
    ]);
  });

  it('is not confused with one that has its share', () => {
    expect(counted([0, 2_000], seen([3], { self: 1, busy: 2, idle: 0 }))).toEqual(['self', 'busy']);
  });
});

it('an instance always counts itself', () => {
  expect(counted([0, 2_000], seen([0, 1, 2, 3], { self: 0 }))).toEqual(['self']);
});
