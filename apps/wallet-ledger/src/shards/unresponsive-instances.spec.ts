import { UnresponsiveInstances } from './unresponsive-instances';

const SHARDS = 4;
const seen = (free: number[], held: Record<string, number>) => ({
  free,
  members: Object.entries(held).map(([instance, count]) => ({ instance, held: count })),
});

/** Looks at the same picture at these times; who counted at the last. */
function counted(times: number[], ...pictures: ReturnType<typeof seen>[]): string[] {
  const reluctant = new UnresponsiveInstances();
  let last: string[] = [];
  times.forEach((time, index) => {
    const picture = pictures[Math.min(index, pictures.length - 1)] as ReturnType<typeof seen>;
    last = reluctant.counting(picture, SHARDS, 'self', time).map(({ instance }) => instance);
  });
  return last;
}

describe('a member whose share nobody holds', () => {
  const picture = seen([2, 3], { self: 2, other: 0 });

  it('is waited for', () => expect(counted([0, 1_000], picture)).toEqual(['self', 'other']));
  it('is passed over when it has not come for it', () => expect(counted([0, 1_500], picture)).toEqual(['self']));

  it('is counted again later', () => {
    expect(counted([0, 1_500, 61_500], picture, picture, seen([], { self: 4, other: 0 }))).toEqual(['self', 'other']);
  });

  it('is passed over also when others hold all by now, so that nothing is handed back to it at once', () => {
    expect(counted([0, 1_500, 2_000], picture, picture, seen([], { self: 4, other: 0 }))).toEqual(['self']);
  });

  it('is waited for anew with each shard', () => {
    expect(counted([0, 1_000, 2_000], seen([2], { self: 3, other: 0 }), seen([3], { self: 3, other: 0 }))).toEqual([
      'self',
      'other',
    ]);
  });

  it('is not confused with one that has its share', () => {
    expect(counted([0, 2_000], seen([3], { self: 1, busy: 2, idle: 0 }))).toEqual(['self', 'busy']);
  });
});

it('oneself is always counted', () => {
  expect(counted([0, 2_000], seen([0, 1, 2, 3], { self: 0 }))).toEqual(['self']);
});
