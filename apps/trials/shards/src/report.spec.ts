import type { ShardFigures } from './latencies';
import type { MeasuredMove } from './moves';
import { moveFigures, slowMoves } from './report';

const figures = (p99_ms: number): ShardFigures => ({
  requests: 100,
  p50_ms: 10,
  p99_ms,
  slowest_ms: 500,
  unavailable: 0,
});

const move = (before: number, during: number, reserved_ms = 700): MeasuredMove => ({
  ...{ shard: 3, database: 'b', moved: true, events: 1_000, reserved_ms, from: 'home', ms: 2_000 },
  others: { before: figures(before), during: figures(during) },
  moved_shard: { ...figures(900), longest_gap_ms: 950 },
});

it('compares the medians of the times before moves and during them', () => {
  const found = moveFigures([move(40, 60), move(50, 75), move(60, 5_000)]);
  expect(found).toMatchObject({ p99_before_ms: 50, p99_during_ms: 75, p99_ratio: 1.5, moved_shard_gap_max_ms: 950 });
  expect(slowMoves(found)).toEqual([]);
});

it('finds moves that others notice, and a shard that was reserved for too long', () => {
  expect(slowMoves(moveFigures([move(50, 101)]))).toEqual([
    'p99 on other shards was 50 ms before moves and 101 ms during them: × 2.02',
  ]);
  expect(slowMoves(moveFigures([move(50, 50), move(50, 50, 2_001)]))).toEqual(['a shard was reserved for 2001 ms']);
});

it('says nothing of moves where there were none', () => {
  expect(moveFigures([])).toBeUndefined();
  expect(slowMoves(undefined)).toEqual([]);
});
