import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** A shard as one of several databases names it. */
export interface ShardRow {
  shard: number;
  /** Whether the shard is in that database. */
  here: boolean;
}

/** Shards that moved while one database was read after the other: they were found in both, or in none that has them. */
export const placedOtherThanOnce = (rows: readonly ShardRow[]): number[] => {
  const places = new Map<number, number>();
  for (const { shard, here } of rows) places.set(shard, (places.get(shard) ?? 0) + (here ? 1 : 0));
  return [...places].flatMap(([shard, count]) => (count === 1 ? [] : shard));
};

/**
 * Each shard as the database has it that it is in.
 *
 * @param parts of each database all shards that it names
 * @throws Refusal `unavailable`, not executed, unless each is in exactly one
 */
export function placedOnce<Row extends ShardRow>(parts: readonly (readonly Row[])[]): Row[] {
  const rows = parts.flat();
  if (placedOtherThanOnce(rows).length > 0) throw Refusal.notExecuted();
  return rows.filter(({ here }) => here).sort((one, other) => one.shard - other.shard);
}
