/** What follows a shard's log beside its projections: the index of searches, and the figures of each day. */
import { addFigures } from '@stablecoin/ledger-store/daily-figures';
import { followedUpTo } from '@stablecoin/ledger-store/following-tables';
import { Sql } from '@stablecoin/persistence/sql';

/** Adds to what follows a shard's log what was rebuilt since the last time, up to this position. */
export async function followLog(sql: Sql, shard: number, position: number): Promise<void> {
  await indexTransactions(sql, shard, position);
  await addFigures(sql, shard, await followedUpTo(sql, 'daily_figures', shard), position);
}

async function indexTransactions(sql: Sql, shard: number, position: number): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO transaction_search_progress (shard, position) VALUES (${shard}, 0) ON CONFLICT DO NOTHING`;
  await sql.$executeRaw`
    INSERT INTO transaction_search (merchant_id, position, ids)
    SELECT merchant_id, opened.position, lower(transaction_id) || ' ' || id
    FROM transactions AS opened JOIN transaction_search_progress AS progress USING (shard)
    WHERE shard = ${shard} AND opened.position > progress.position AND opened.position <= ${position}`;
  await sql.$executeRaw`UPDATE transaction_search_progress SET position = ${position} WHERE shard = ${shard}`;
}
