/** The shards of the log, and where each one's log ends. */
import { Sql } from '@stablecoin/persistence/sql';
import { Head } from '../log/log-inspector';

export interface ShardHead {
  shard: number;
  /** Undefined where the shard has lost its row in `ledger_shards`. */
  head: Head | undefined;
  /** Up to which position `payout_usage` has what payouts count for. */
  counted: number;
  /** Up to where its log is read: to its end when left out. */
  until?: number;
}

/** Every shard of this database that has a head, or events; not one that went to another (docs/adr/0066). */
export async function readShards(sql: Sql): Promise<ShardHead[]> {
  const rows = await sql.$queryRaw<
    { shard: number; head_position: bigint | null; head_hash: Uint8Array | null; counted: bigint | null }[]
  >`
    WITH RECURSIVE logged AS (
      (SELECT shard FROM ledger_events ORDER BY shard LIMIT 1)
      UNION ALL
      SELECT (SELECT shard FROM ledger_events WHERE shard > logged.shard ORDER BY shard LIMIT 1)
      FROM logged WHERE logged.shard IS NOT NULL
    )
    SELECT shard, head_position, head_hash,
      CASE WHEN counting_epoch = epoch THEN LEAST(counted_position, head_position) ELSE head_position END AS counted
    FROM ledger_shards FULL JOIN (SELECT shard FROM logged WHERE shard IS NOT NULL) AS logged USING (shard)
    WHERE moved_to IS NULL
    ORDER BY shard`;
  return rows.map(({ shard, head_position, head_hash, counted }) => ({
    shard,
    counted: Number(counted ?? 0),
    head: head_hash === null ? undefined : { position: Number(head_position), hash: head_hash },
  }));
}

/** How many events the shards have together. */
export const totalOf = (heads: readonly ShardHead[]): number =>
  heads.reduce((sum, { head }) => sum + (head?.position ?? 0), 0);
