/** What each of the ledger's databases says of its shards (docs/adr/0066). */
import { Sql } from '@stablecoin/persistence/sql';

/**
 * Where there are several databases, an instance believes what one said of its shards for this long, from when it began to ask. A move
 * waits as long, so that no instance answers from a copy that the shard has left. Several looks long: one that is late costs nothing.
 */
export const PLACE_VALID_MS = 800;

/** A database by the name that it has in the settings. */
export interface PlacedDatabase {
  name: string;
  sql: Sql;
}

export interface ShardRow {
  shard: number;
  epoch: bigint;
  /** The database that has the shard, or had it last as far as this one knows; null where it is this one. */
  moved_to: string | null;
  head_position: number;
  /** Whether an instance holds it. */
  held: boolean;
  mover: string | null;
}

/** @param shard all when left out */
export async function readShardRows(sql: Sql, shard?: number): Promise<ShardRow[]> {
  const rows = await sql.$queryRaw<(Omit<ShardRow, 'head_position'> & { head_position: bigint })[]>`
    SELECT shard, epoch, moved_to, head_position, COALESCE(lease_expires_at >= now(), false) AS held, mover
    FROM ledger_shards WHERE ${shard ?? null}::int IS NULL OR shard = ${shard ?? null}::int ORDER BY shard`;
  return rows.map((row) => ({ ...row, head_position: Number(row.head_position) }));
}
