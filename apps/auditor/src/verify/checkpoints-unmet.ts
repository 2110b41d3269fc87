import { Sql } from '@stablecoin/persistence/sql';

export interface CheckpointUnmet {
  shard: number;
  /** The first position that was signed and whose event is not in the log as it was then. */
  position: number;
  problem: string;
}

/**
 * Every checkpoint keeps the hash of the event that it ends with. A log that was cut off or written anew, its head and
 * its projections with it, does not have that event any more. Whoever removes the checkpoints as well is found by those
 * who have copies of them.
 */
export async function findCheckpointsUnmet(sql: Sql, shards?: readonly number[]): Promise<CheckpointUnmet[]> {
  const rows = await sql.$queryRaw<{ shard: number; position: bigint; gone: boolean }[]>`
    SELECT DISTINCT ON (signed.shard) signed.shard, signed.tree_size AS position, event.hash IS NULL AS gone
    FROM ledger_checkpoints AS signed
    LEFT JOIN ledger_events AS event ON event.shard = signed.shard AND event.position = signed.tree_size
    WHERE event.hash IS DISTINCT FROM signed.head_hash
      AND (${shards ?? null}::int[] IS NULL OR signed.shard = ANY (${shards ?? null}::int[]))
    ORDER BY signed.shard, signed.tree_size`;
  return rows.map(({ shard, position, gone }) => ({
    shard,
    position: Number(position),
    problem: gone ? 'was signed in a checkpoint, and is gone' : 'is not the event that was signed in a checkpoint',
  }));
}
