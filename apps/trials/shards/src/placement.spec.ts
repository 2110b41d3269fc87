import { hasReached, onTwo, placesIn, ShardThere } from './placement';

const row = (shard: number, more: Partial<ShardThere> = {}): ShardThere => ({
  ...{ shard, moved_to: null, mover: null, reserved: false, last_position: 0, pid: 7 },
  ...more,
});
const away = { moved_to: 'b' };

it('says on which databases a shard is, and of one that is on none as well', () => {
  const places = placesIn([
    { name: 'home', shards: [row(0), row(1, away), row(2, away)] },
    { name: 'b', shards: [row(1), row(2, { moved_to: 'home' })] },
  ]);
  expect([...places]).toEqual([
    [0, ['home']],
    [1, ['b']],
    [2, []],
  ]);
});

it('finds a shard on two databases only where two looks agree', () => {
  const both = [
    { name: 'home', shards: [row(3)] },
    { name: 'b', shards: [row(3)] },
  ];
  const moved = [
    { name: 'home', shards: [row(3, away)] },
    { name: 'b', shards: [row(3)] },
  ];
  expect(onTwo(both, both)).toEqual(['shard 3 is on home and b at once']);
  // The first look read home before the shard left, and b after it arrived.
  expect(onTwo(both, moved)).toEqual([]);
});

describe('a move that began when the shard had been on the target before', () => {
  const before = { source: row(3, { mover: 'an older one' }), target: row(3, { moved_to: 'home', last_position: 40 }) };
  const now = (source: Partial<ShardThere>, target: Partial<ShardThere> = {}) => ({
    source: { ...before.source, ...source },
    target: { ...before.target, ...target },
  });

  it.each([
    ['taken', now({ mover: 'this one' })],
    ['copying', now({ mover: 'this one' }, { last_position: 41 })],
    ['reserved', now({ reserved: true })],
    ['departed', now({ moved_to: 'b' })],
  ] as const)('has come to %s when the rows say so, and not before', (step, reached) => {
    expect(hasReached(step, before, before)).toBe(false);
    expect(hasReached(step, before, reached)).toBe(true);
  });
});
