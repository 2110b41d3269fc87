import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { TRANSACTION_COLUMNS, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Reads } from '@stablecoin/persistence/sql';
import { createdWithin, sharedFilters } from './filters';

/**
 * A page of a merchant's whole list, of any length: the counts per day (`transaction_counts`) give the total and the days
 * of the page. Only transactions between the first position of its oldest day and the first position after its newest day
 * are read, and of those only the ones before the page are skipped. One statement, so that total and rows are of one
 * moment.
 *
 *   days of the counts that match, newest first, with how many there are up to each → those that the page touches →
 *   the positions they span → the rows
 */
export async function countedByDay(
  reads: Reads,
  request: ListTransactions,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { merchant_id, page, limit } = request;
  const offset = (page - 1) * limit;
  const filters = sharedFilters(request);
  const counted = Prisma.join([...filters, ...daysWithin(request)], ' AND ');
  const chosen = Prisma.join([...filters, ...createdWithin(request)], ' AND ');
  const found = await reads.$queryRaw<({ total: bigint } & (TransactionRow | { id: null }))[]>`
    WITH days AS (
      SELECT day, sum(transactions) AS matching, sum(sum(transactions)) OVER (ORDER BY day DESC) AS up_to
      FROM transaction_counts WHERE ${counted} GROUP BY day
    ),
    page AS (
      SELECT min(day) AS oldest, max(day) AS newest, min(up_to - matching) AS skipped
      FROM days WHERE matching > 0 AND up_to > ${offset}::bigint AND up_to - matching < ${offset + limit}::bigint
    ),
    span AS (
      SELECT page.skipped, min(first_position) AS first,
        coalesce(min(first_position) FILTER (WHERE day > page.newest), ${POSITION_MAX}::bigint) AS next
      FROM page JOIN transaction_counts ON merchant_id = ${merchant_id}::uuid AND day >= page.oldest
      GROUP BY page.skipped
    )
    SELECT (SELECT coalesce(sum(matching), 0)::bigint FROM days) AS total, listed.*
    FROM (SELECT) AS always LEFT JOIN (
      span CROSS JOIN LATERAL (
        SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE ${chosen} AND transactions.position >= span.first AND transactions.position < span.next
        ORDER BY transactions.position DESC LIMIT ${limit}::bigint OFFSET ${offset}::bigint - span.skipped
      ) AS listed
    ) ON true
    ORDER BY listed.position DESC`;
  const rows = found.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as TransactionRow]));
  return { rows, total: Number(found[0]?.total ?? 0) };
}

/**
 * The rows that follow the one at this position, in the same way: of the days up to its own, newest first, as many as together
 * have enough, not counting its own day, of which it is not known how many are older than it.
 */
export async function countedByDayBefore(
  reads: Reads,
  request: ListTransactions,
  before: bigint,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { merchant_id, limit } = request;
  const filters = sharedFilters(request);
  const counted = Prisma.join([...filters, ...daysWithin(request)], ' AND ');
  const chosen = Prisma.join([...filters, ...createdWithin(request)], ' AND ');
  const found = await reads.$queryRaw<({ total: bigint } & (TransactionRow | { id: null }))[]>`
    WITH own AS (
      SELECT max(day) AS day FROM transaction_counts
      WHERE merchant_id = ${merchant_id}::uuid AND first_position <= ${before}::bigint
    ),
    matched AS (SELECT day, sum(transactions) AS matching FROM transaction_counts WHERE ${counted} GROUP BY day),
    days AS (
      SELECT matched.day, matching, sum(matching) FILTER (WHERE matched.day < own.day) OVER (ORDER BY matched.day DESC) AS up_to
      FROM matched JOIN own ON matched.day <= own.day
    ),
    page AS (SELECT min(day) AS oldest FROM days WHERE matching > 0 AND coalesce(up_to - matching, 0) < ${limit}::bigint),
    span AS (
      SELECT min(first_position) AS first
      FROM page JOIN transaction_counts ON merchant_id = ${merchant_id}::uuid AND day >= page.oldest
    )
    SELECT (SELECT coalesce(sum(matching), 0)::bigint FROM matched) AS total, listed.*
    FROM (SELECT) AS always LEFT JOIN (
      span CROSS JOIN LATERAL (
        SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE ${chosen} AND transactions.position >= span.first AND transactions.position < ${before}::bigint
        ORDER BY transactions.position DESC LIMIT ${limit}::bigint
      ) AS listed
    ) ON true
    ORDER BY listed.position DESC`;
  const rows = found.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row as TransactionRow]));
  return { rows, total: Number(found[0]?.total ?? 0) };
}

const POSITION_MAX = String(2n ** 63n - 1n);

function daysWithin({ start_date, end_date }: ListTransactions): Prisma.Sql[] {
  const chosen: Prisma.Sql[] = [];
  if (start_date) chosen.push(Prisma.sql`day >= ${start_date}::date`);
  if (end_date) chosen.push(Prisma.sql`day <= ${end_date}::date`);
  return chosen;
}
