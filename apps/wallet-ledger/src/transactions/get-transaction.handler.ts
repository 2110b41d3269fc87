import { GetTransaction, getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import {
  TRANSACTION_COLUMNS,
  TransactionRow,
  transactionOf,
} from '@stablecoin/ledger-store/projections/transaction.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { transactionView } from './transaction-view';

@Handles(getTransaction)
export class GetTransactionHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(request: GetTransaction): Promise<TransactionView> {
    return asRefusal(async () => {
      const [row] = await this.database.$queryRaw<TransactionRow[]>`
        SELECT ${TRANSACTION_COLUMNS} FROM transactions
        WHERE transaction_id = ${request.transaction_id} AND merchant_id = ${request.merchant_id}::uuid`;
      if (!row) throw new Refusal('not_found');
      return transactionView(transactionOf(row));
    });
  }
}
