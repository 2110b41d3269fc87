/**
 * A customer is of one merchant. A ledger of a version before took a closing from any merchant, and refused the customer's money from
 * then on; and a closing as another merchant's keeps the customer's own from closing it. Each event is sound by itself: it shows
 * beside the wallets.
 */
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { Sql } from '@stablecoin/persistence/sql';

const NAMED_MAX = 10;

/** The first few places where a customer is closed as another merchant's than the one whose wallets it has, by the rebuilt tables. */
export const findClosedForOthers = async (sql: Sql): Promise<LogFault[]> => sql.$queryRaw<LogFault[]>`
  SELECT event.shard, event.position::float8 AS position,
    format('closes customer %s as one of merchant %s: its wallets are those of merchant %s', customer_id, of_merchant, owner) AS problem
  FROM (
    SELECT DISTINCT closed.customer_id, closed.merchant_id AS of_merchant, wallet.merchant_id AS owner, closed_at
    FROM closed_customers AS closed JOIN wallets AS wallet ON wallet.customer_id = closed.customer_id
    WHERE wallet.merchant_id <> closed.merchant_id ORDER BY 1 LIMIT ${NAMED_MAX}
  ) AS found
  JOIN LATERAL (
    SELECT shard, position FROM ledger_events
    WHERE recorded_at = closed_at AND body LIKE '%"type":"CustomerClosed"%' AND body LIKE format('%%"customer_id":"%s"%%', customer_id)
    ORDER BY shard, position LIMIT 1
  ) AS event ON true
  ORDER BY 1, 2`;
