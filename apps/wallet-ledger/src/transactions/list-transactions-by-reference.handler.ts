import {
  ListTransactionsByReference,
  listTransactionsByReference,
} from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import {
  TRANSACTION_COLUMNS,
  TransactionRow,
  transactionOf,
} from '@stablecoin/ledger-store/projections/transaction.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { transactionView } from './transaction-view';

@Handles(listTransactionsByReference)
export class ListTransactionsByReferenceHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: ListTransactionsByReference): Promise<TransactionView[]> {
    return asRefusal(async () => {
      const rows = await (
        await this.databases.forMerchant(request.merchant_id)
      ).$queryRaw<TransactionRow[]>`
        SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE reference_id = ${request.reference_id}::uuid AND merchant_id = ${request.merchant_id}::uuid
        ORDER BY position`;
      if (rows.length === 0) throw new Refusal('not_found');
      return rows.map(transactionOf).map(transactionView);
    });
  }
}
