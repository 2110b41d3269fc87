import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from './generated/client';

/** Tables that follow the log some moments later. The progress of each stands in a table of its name and `_progress`. */
export type FollowingTableName = 'transaction_search' | 'daily_figures';

/** Up to where the table has everything that a shard's log says; a shard begins with nothing, and gets its row here. */
export async function followedUpTo(sql: Sql, table: FollowingTableName, shard: number): Promise<number> {
  const progress = Prisma.raw(`${table}_progress`);
  const [row] = await sql.$queryRaw<{ position: bigint }[]>`
    WITH begun AS (INSERT INTO ${progress} (shard, position) VALUES (${shard}, 0) ON CONFLICT DO NOTHING)
    SELECT position FROM ${progress} WHERE shard = ${shard}`;
  return Number(row?.position ?? 0);
}
