import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ListTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import {
  TRANSACTION_COLUMNS,
  TransactionRow,
  transactionOf,
} from '@stablecoin/ledger-store/projections/transaction.projection';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { transactionView } from '../../event-log/views';

export class ListTransactionsByReferenceQuery extends Query<TransactionView[]> {
  constructor(readonly request: ListTransactionsByReference) {
    super();
  }
}

@QueryHandler(ListTransactionsByReferenceQuery)
export class ListTransactionsByReferenceHandler implements IQueryHandler<ListTransactionsByReferenceQuery> {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ request }: ListTransactionsByReferenceQuery): Promise<TransactionView[]> {
    return asRefusal(async () => {
      const rows = await this.database.$queryRaw<TransactionRow[]>`
        SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE reference_id = ${request.reference_id}::uuid AND merchant_id = ${request.merchant_id}::uuid
        ORDER BY position`;
      if (rows.length === 0) throw new Refusal('not_found');
      return rows.map(transactionOf).map(transactionView);
    });
  }
}
