import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { TRANSACTION_COLUMNS, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Reads } from '@stablecoin/persistence/sql';
import { createdWithin, isBefore, rowFilters, sharedFilters } from './filters';

/** The characters of ids: a text with any other is part of no id. This also keeps wildcards of LIKE out of patterns. */
const PART_OF_AN_ID = /^[0-9a-z-]+$/i;

/**
 * A page of the transactions with this text anywhere in one of their ids. One statement, so that total and rows are of
 * one moment:
 *
 *   positions found by the index of parts (`transaction_search`), and by reading the rows that it lacks → those that
 *   the other filters leave → the page's rows
 *
 * A part with fewer than three letters or digits in a row has no entry in that index: its table is read as a whole.
 */
export async function foundByPart(
  reads: Reads,
  request: ListTransactions,
  search: string,
  before?: bigint,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { merchant_id, page, limit } = request;
  if (!PART_OF_AN_ID.test(search)) return { rows: [], total: 0 };
  const part = search.toLowerCase();
  const indexedUpTo = await progressOf(reads, merchant_id);
  const found = await reads.$queryRaw<({ total: bigint } & (TransactionRow | { id: null }))[]>`
    WITH candidates AS MATERIALIZED (
      SELECT position FROM merchants_transactions_with_part(${`%${part}%`}, ${indexedUpTo}) AS position
      UNION ALL
      SELECT position FROM transactions
      WHERE merchant_id = ${merchant_id}::uuid AND position > ${indexedUpTo}
        AND (position(${part} IN lower(transaction_id)) > 0 OR position(${part} IN id::text) > 0)
    ),
    found AS MATERIALIZED (${leftByFilters(request)}),
    page AS MATERIALIZED (
      SELECT position FROM found WHERE ${isBefore(before)} ORDER BY position DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}
    )
    SELECT (SELECT count(*) FROM found) AS total, listed.*
    FROM (SELECT) AS always LEFT JOIN (
      SELECT ${TRANSACTION_COLUMNS} FROM transactions
      WHERE merchant_id = ${merchant_id}::uuid AND position = ANY (ARRAY (SELECT position FROM page))
    ) AS listed ON true
    ORDER BY listed.position DESC`;
  const rows = found.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as TransactionRow]));
  return { rows, total: Number(found[0]?.total ?? 0) };
}

/** Every candidate is the merchant's; only other filters need its row. OFFSET 0 makes the planner look up rows singly. */
function leftByFilters(request: ListTransactions): Prisma.Sql {
  const [merchant, ...others] = sharedFilters(request);
  const filters = [...others, ...createdWithin(request), ...rowFilters(request)];
  if (!merchant || filters.length === 0) return Prisma.sql`SELECT position FROM candidates`;
  return Prisma.sql`
    SELECT candidates.position FROM candidates CROSS JOIN LATERAL (
      SELECT FROM transactions
      WHERE ${Prisma.join([merchant, ...filters], ' AND ')} AND transactions.position = candidates.position
      OFFSET 0
    ) AS left_by_filters`;
}

/** Read before the search: up to there the search uses the index, and reads the rows behind it. */
async function progressOf(reads: Reads, merchantId: string): Promise<bigint> {
  const [row] = await reads.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM transaction_search_progress
    WHERE shard = (SELECT shard FROM transactions WHERE merchant_id = ${merchantId}::uuid LIMIT 1)`;
  return row?.position ?? 0n;
}
