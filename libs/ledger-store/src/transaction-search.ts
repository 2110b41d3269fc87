/** `transaction_search`: by which transactions are found by any part of their ids. A search reads row by row what it lacks. */
import { Sql } from '@stablecoin/persistence/sql';

/**
 * Adds the ids of the transactions that were opened between two positions of a shard's log, and moves the progress, in one statement. Where
 * the progress is not at `from` it adds nothing, so that two who follow the log at once add nothing twice.
 */
export async function addToSearch(sql: Sql, shard: number, from: number, to: number): Promise<void> {
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
}
