import { Sql } from '@stablecoin/persistence/sql';

export interface PublishedBeyond {
  shard: number;
  /** The last position that was published. */
  published: number;
  /** The last position in the log. */
  logged: number;
}

/**
 * A tail that was cut off together with the shard's head still shows where the relay had published more.
 *
 * @param leftOut shards on other databases
 */
export async function findPublishedBeyond(
  sql: Sql,
  shards?: readonly number[],
  leftOut: readonly number[] = [],
): Promise<PublishedBeyond[]> {
  const rows = await sql.$queryRaw<{ shard: number; published: bigint; logged: bigint }[]>`
    SELECT shard, position AS published, logged
    FROM relay_checkpoints CROSS JOIN LATERAL (
      SELECT COALESCE(max(event.position), 0) AS logged FROM ledger_events AS event WHERE event.shard = relay_checkpoints.shard
    ) AS log
    WHERE position > logged AND (${shards ?? null}::int[] IS NULL OR shard = ANY (${shards ?? null}::int[]))
      AND shard <> ALL (${leftOut}::int[])
    ORDER BY shard`;
  return rows.map(({ shard, published, logged }) => ({ shard, published: Number(published), logged: Number(logged) }));
}
