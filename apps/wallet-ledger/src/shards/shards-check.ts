import { setTimeout as delay } from 'node:timers/promises';
import { Sql } from '@stablecoin/persistence/sql';
import { ReadinessCheck } from '@stablecoin/service-host/operations/readiness';

/** A hand-over leaves a shard without an owner until the next instance looks (250 ms): only a longer gap counts. */
const LOOKS = 3;
const BETWEEN_LOOKS_MS = 300;

/**
 * Every shard has an owner, this instance or another: the bus reaches the owner wherever it is. So an instance without
 * shards is as ready as one with all of them, and none is ready while a part of the merchants can't be served.
 */
export function shardsCheck(databases: readonly Sql[], shards: number): ReadinessCheck {
  return {
    name: 'shards',
    look: async () => {
      let missing = await withoutOwnerInAny(databases, shards);
      for (let look = 1; look < LOOKS && missing.length > 0; look += 1) {
        await delay(BETWEEN_LOOKS_MS);
        missing = await withoutOwnerInAny(databases, shards);
      }
      return missing.length === 0 ? undefined : `without an owner: ${missing.join(', ')}`;
    },
  };
}

async function withoutOwnerInAny(databases: readonly Sql[], shards: number): Promise<number[]> {
  const [missing = [], ...others] = await Promise.all(databases.map((sql) => shardsWithoutOwner(sql, shards)));
  return missing.filter((shard) => others.every((also) => also.includes(shard)));
}

async function shardsWithoutOwner(sql: Sql, shards: number): Promise<number[]> {
  const rows = await sql.$queryRaw<{ shard: number }[]>`
    SELECT wanted.shard FROM generate_series(0, ${shards - 1}::int) AS wanted (shard)
    LEFT JOIN ledger_shards held ON held.shard = wanted.shard AND held.lease_expires_at >= now()
    WHERE held.shard IS NULL
    ORDER BY wanted.shard`;
  return rows.map(({ shard }) => shard);
}
