import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Sql } from './sql';

/**
 * Records in the consumer's own transaction which facts it has taken, and returns those that are new to it. Needs a
 * table `inbox (consumer text, shard int, position bigint, primary key (consumer, shard, position))`.
 */
export async function takeNewFacts(sql: Sql, consumer: string, facts: readonly LedgerFact[]): Promise<LedgerFact[]> {
  const taken = await sql.$queryRaw<{ shard: number; position: bigint }[]>`
    INSERT INTO inbox (consumer, shard, position)
    SELECT ${consumer}, fact.shard, fact.position
    FROM unnest(${facts.map(({ shard }) => shard)}::int[], ${facts.map(({ position }) => BigInt(position))}::bigint[])
      AS fact (shard, position)
    ON CONFLICT DO NOTHING
    RETURNING shard, position`;
  const fresh = new Set(taken.map(({ shard, position }) => `${shard}:${position}`));
  // The same fact may occur twice in one batch: it counts once.
  return facts.filter(({ shard, position }) => fresh.delete(`${shard}:${position}`));
}

/** @returns how many rows were deleted, at most `limit` */
export async function purgeInbox(sql: Sql, consumer: string, olderThanDays: number, limit: number): Promise<number> {
  return sql.$executeRaw`
    DELETE FROM inbox WHERE (consumer, shard, position) IN (
      SELECT consumer, shard, position FROM inbox
      WHERE consumer = ${consumer} AND created_at < clock_timestamp() - ${olderThanDays}::int * interval '1 day'
      LIMIT ${limit}::int)`;
}
