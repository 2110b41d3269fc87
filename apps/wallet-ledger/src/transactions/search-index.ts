import { FollowingTable } from '../followers/log-follower';

/** `transaction_search`: makes transactions findable by any part of their ids. A search reads row by row what it lacks. */
export const SEARCH_INDEX: FollowingTable = {
  name: 'transaction_search',

  async progress(sql, shard) {
    const [row] = await sql.$queryRaw<{ position: bigint }[]>`
      WITH begun AS (
        INSERT INTO transaction_search_progress (shard, position) VALUES (${shard}, 0) ON CONFLICT DO NOTHING
      )
      SELECT position FROM transaction_search_progress WHERE shard = ${shard}`;
    return Number(row?.position ?? 0);
  },

  /** The ids of the transactions that were opened there. */
  async add(sql, shard, from, to) {
    await sql.$executeRaw`
      WITH moved AS (
        UPDATE transaction_search_progress SET position = ${to}
        WHERE shard = ${shard} AND position = ${from} RETURNING shard
      )
      INSERT INTO transaction_search (merchant_id, position, ids)
      SELECT opened.merchant_id, opened.position, lower(opened.transaction_id) || ' ' || opened.id
      FROM moved JOIN ledger_events AS event USING (shard)
        JOIN transactions AS opened ON opened.id = event.transaction AND opened.position = event.position
      WHERE event.position > ${from} AND event.position <= ${to}`;
  },
};
