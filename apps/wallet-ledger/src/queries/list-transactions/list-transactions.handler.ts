import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { transactionOf } from '@stablecoin/ledger-store/projections/transaction.projection';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { transactionView } from '../../event-log/views';
import { countedByDay } from './counted-by-day';
import { countedByRow } from './counted-by-row';

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
    return asRefusal(async () => {
      const { rows, total } = isCountedByDay(request)
        ? await countedByDay(this.database, request)
        : await countedByRow(this.database, request);
      return { items: rows.map(transactionOf).map(transactionView), total, page, limit };
    });
  }
}

/** What the counts know nothing of: one customer's, or one looked for, of which there are few. */
const isCountedByDay = ({ customer_id, search, transaction_id }: ListTransactions): boolean =>
  customer_id === undefined && search === undefined && transaction_id === undefined;
