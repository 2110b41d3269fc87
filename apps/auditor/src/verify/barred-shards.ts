import { Sql } from '@stablecoin/persistence/sql';

/** A shard that its row in `ledger_shards` keeps every instance from: its merchants can neither pay nor be paid. */
export interface BarredShard {
  shard: number;
  problem: string;
}

/** A lease is of 3 s and renewed long before, a mover's reservation of 2.5 s (docs/adr/0002, 0066). Neither is ever longer. */
const LONGEST_SECONDS = 60;
/** An epoch rises by one with each lease: none comes near, and at the greatest `bigint` there is no next one. */
const EPOCH_MAX = 2n ** 53n;

/**
 * By the clock of the database, which leases and reservations go by.
 *
 * @param shards those that were asked for; all when left out
 */
export async function findBarredShards(sql: Sql, shards?: readonly number[]): Promise<BarredShard[]> {
  const rows = await sql.$queryRaw<{ shard: number; epoch: bigint; reserved: string | null; leased: string | null }[]>`
    SELECT shard, epoch,
      CASE WHEN reserved_until > latest THEN reserved_until::text END AS reserved,
      CASE WHEN lease_expires_at > latest THEN lease_expires_at::text END AS leased
    FROM ledger_shards, clock_timestamp() AS now, LATERAL (SELECT now + make_interval(secs => ${LONGEST_SECONDS}) AS latest) AS limits
    WHERE (reserved_until > latest OR lease_expires_at > latest OR epoch > ${EPOCH_MAX})
      AND (${shards ?? null}::int[] IS NULL OR shard = ANY (${shards ?? null}::int[]))
    ORDER BY shard`;
  return rows.map(({ shard, epoch, reserved, leased }) => ({ shard, problem: problemOf(epoch, reserved, leased) }));
}

function problemOf(epoch: bigint, reserved: string | null, leased: string | null): string {
  if (reserved !== null) return `is reserved until ${reserved}, and no move reserves one for longer than seconds`;
  if (leased !== null) return `is leased until ${leased}, and no instance leases one for longer than seconds`;
  return `has the epoch ${epoch}, which no number of leases reaches`;
}
