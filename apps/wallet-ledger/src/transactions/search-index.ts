import { FollowingTable } from '../followers/log-follower';

/** `transaction_search`: makes transactions findable by any part of their ids. A search reads row by row what it lacks. */
export const SEARCH_INDEX: FollowingTable = {
  name: 'transaction_search',

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
