import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import {
  TRANSACTION_COLUMNS,
  TransactionRow,
  transactionOf,
} from '@stablecoin/ledger-store/projections/transaction.projection';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { transactionView } from '../../event-log/views';

export class ListTransactionsQuery extends Query<Page<TransactionView>> {
  constructor(readonly request: ListTransactions) {
    super();
  }
}

@QueryHandler(ListTransactionsQuery)
export class ListTransactionsHandler implements IQueryHandler<ListTransactionsQuery> {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ request }: ListTransactionsQuery): Promise<Page<TransactionView>> {
    const { page, limit } = request;
    const chosen = Prisma.join(conditions(request), ' AND ');
    return asRefusal(async () => {
      const [count] = await this.database.$queryRaw<{ total: bigint }[]>`
        SELECT count(*) AS total FROM transactions WHERE ${chosen}`;
      const rows = await this.database.$queryRaw<TransactionRow[]>`
        SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE ${chosen}
        ORDER BY position DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`;
      return { items: rows.map(transactionOf).map(transactionView), total: Number(count?.total ?? 0), page, limit };
    });
  }
}

function conditions(request: ListTransactions): Prisma.Sql[] {
  const { merchant_id, customer_id, search, status, transaction_id, currency, start_date, end_date } = request;
  const chosen = [Prisma.sql`merchant_id = ${merchant_id}::uuid`];
  if (customer_id) chosen.push(Prisma.sql`customer_id = ${customer_id}::uuid`);
  if (status) chosen.push(Prisma.sql`status = ${status}`);
  if (transaction_id) chosen.push(Prisma.sql`transaction_id = ${transaction_id}`);
  if (request.transaction_type) chosen.push(Prisma.sql`transaction_type = ${request.transaction_type}`);
  if (request.transaction_mode) chosen.push(Prisma.sql`transaction_mode = ${request.transaction_mode}`);
  if (currency) chosen.push(Prisma.sql`currency = ${currency}`);
  if (start_date) chosen.push(Prisma.sql`created_at >= ${start_date}::date AT TIME ZONE 'UTC'`);
  if (end_date) chosen.push(Prisma.sql`created_at < (${end_date}::date + 1) AT TIME ZONE 'UTC'`);
  // position() takes every character literally, unlike LIKE.
  if (search) {
    chosen.push(Prisma.sql`(
      position(upper(${search}) IN transaction_id) > 0 OR position(lower(${search}) IN id::text) > 0
    )`);
  }
  return chosen;
}
