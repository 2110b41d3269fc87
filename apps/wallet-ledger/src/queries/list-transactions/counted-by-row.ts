import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { TRANSACTION_COLUMNS, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { createdWithin, sharedFilters } from './filters';

const TRANSACTION_ID_LENGTH = 10;

/** A page of what one customer, or a search, leaves: found by an index of its own, and counted row by row. */
export async function countedByRow(
  database: LedgerDatabase,
  request: ListTransactions,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const { page, limit } = request;
  const chosen = Prisma.join(conditions(request), ' AND ');
  const [count] = await database.$queryRaw<{ total: bigint }[]>`
    SELECT count(*) AS total FROM transactions WHERE ${chosen}`;
  const rows = await database.$queryRaw<TransactionRow[]>`
    SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE ${chosen}
    ORDER BY position DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
  return { rows, total: Number(count?.total ?? 0) };
}

function conditions(request: ListTransactions): Prisma.Sql[] {
  const { customer_id, search, transaction_id } = request;
  const chosen = [...sharedFilters(request), ...createdWithin(request)];
  if (customer_id) chosen.push(Prisma.sql`customer_id = ${customer_id}::uuid`);
  if (transaction_id) chosen.push(Prisma.sql`transaction_id = ${transaction_id}`);
  if (search) chosen.push(matches(search));
  return chosen;
}

/**
 * A whole id is found by its index; a part of one by reading all of the merchant's ids, wherever in them it stands.
 * `position()` takes every character literally, unlike LIKE.
 */
function matches(search: string): Prisma.Sql {
  if (isUuid(search.toLowerCase())) return Prisma.sql`id = ${search}::uuid`;
  const code = Prisma.sql`position(upper(${search}) IN transaction_id) > 0`;
  const id = Prisma.sql`position(lower(${search}) IN id::text) > 0`;
  if (search.length < TRANSACTION_ID_LENGTH) return Prisma.sql`(${code} OR ${id})`;
  if (search.length > TRANSACTION_ID_LENGTH) return id;
  // As long as a code: a part of an id has a hyphen here or there, or is hexadecimal, and few codes are.
  return /^[0-9a-f-]+$/i.test(search)
    ? Prisma.sql`(transaction_id = upper(${search}) OR ${id})`
    : Prisma.sql`transaction_id = upper(${search})`;
}
