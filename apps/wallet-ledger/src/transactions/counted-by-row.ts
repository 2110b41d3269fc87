import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { TRANSACTION_COLUMNS, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Reads } from '@stablecoin/persistence/sql';
import { createdWithin, isBefore, rowFilters, sharedFilters } from './filters';

const TRANSACTION_ID_LENGTH = 10;

/** A page of one customer's transactions, or of a search for a whole id: found by an index, and counted row by row. */
export async function countedByRow(
  reads: Reads,
  request: ListTransactions,
  before?: bigint,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { page, limit } = request;
  const chosen = Prisma.join(conditions(request), ' AND ');
  const [count] = await reads.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM transactions WHERE ${chosen}`;
  const rows = await reads.$queryRaw<TransactionRow[]>`
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE ${chosen} AND ${isBefore(before)}
    ORDER BY position DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
  return { rows, total: Number(count?.total ?? 0) };
}

function conditions(request: ListTransactions): Prisma.Sql[] {
  const { search } = request;
  const chosen = [...sharedFilters(request), ...createdWithin(request), ...rowFilters(request)];
  if (search) chosen.push(equals(search));
  return chosen;
}

/** A whole `id`, or a text as long as a `transaction_id` that can't be part of an `id`, which is hexadecimal. */
export const isWholeId = (search: string): boolean =>
  isUuid(search.toLowerCase()) || (search.length === TRANSACTION_ID_LENGTH && !/^[0-9a-f-]+$/i.test(search));

function equals(search: string): Prisma.Sql {
  return isUuid(search.toLowerCase())
    ? Prisma.sql`id = ${search}::uuid`
    : Prisma.sql`transaction_id = upper(${search})`;
}
