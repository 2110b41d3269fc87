import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { Prisma } from '@stablecoin/ledger-store/generated/client';

/** Conditions on columns that `transactions` and `transaction_counts` share. */
export function sharedFilters(request: ListTransactions): Prisma.Sql[] {
  const { merchant_id, status, transaction_type, transaction_mode, currency } = request;
  const chosen = [Prisma.sql`merchant_id = ${merchant_id}::uuid`];
  if (status) chosen.push(Prisma.sql`status = ${status}`);
  if (transaction_type) chosen.push(Prisma.sql`transaction_type = ${transaction_type}`);
  if (transaction_mode) chosen.push(Prisma.sql`transaction_mode = ${transaction_mode}`);
  if (currency) chosen.push(Prisma.sql`currency = ${currency}`);
  return chosen;
}

/** On what only single transactions have, which lists count row by row. */
export function rowFilters({ customer_id, transaction_id, waiting_for }: ListTransactions): Prisma.Sql[] {
  const chosen: Prisma.Sql[] = [];
  if (customer_id) chosen.push(Prisma.sql`customer_id = ${customer_id}::uuid`);
  if (transaction_id) chosen.push(Prisma.sql`transaction_id = ${transaction_id}`);
  // As in the index of those that wait.
  if (waiting_for) chosen.push(Prisma.sql`waiting_for IS NOT NULL AND waiting_for = ${waiting_for}`);
  return chosen;
}

/** Whole UTC days of `created_at`, both included. */
export function createdWithin({ start_date, end_date }: ListTransactions): Prisma.Sql[] {
  const chosen: Prisma.Sql[] = [];
  if (start_date) chosen.push(Prisma.sql`created_at >= ${start_date}::date AT TIME ZONE 'UTC'`);
  if (end_date) chosen.push(Prisma.sql`created_at < (${end_date}::date + 1) AT TIME ZONE 'UTC'`);
  return chosen;
}

/** The older ones, from this position on; all without one. */
export const isBefore = (position: bigint | undefined): Prisma.Sql =>
  position === undefined ? Prisma.sql`true` : Prisma.sql`position < ${position}`;
