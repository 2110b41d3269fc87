import { ListTransactions, listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { transactionOf, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { transactionView } from './transaction-view';
import { countedByDay } from './counted-by-day';
import { countedByRow, isWholeId } from './counted-by-row';
import { foundByPart } from './found-by-part';

@Handles(listTransactions)
export class ListTransactionsHandler {
  constructor(private readonly reads: MerchantReads) {}

  execute(request: ListTransactions): Promise<Page<TransactionView>> {
    const { page, limit } = request;
    return asRefusal(async () => {
      const { rows, total } = await this.find(request);
      return { items: rows.map(transactionOf).map(transactionView), total, page, limit };
    });
  }

  private find(request: ListTransactions): Promise<{ rows: TransactionRow[]; total: number }> {
    const { search } = request;
    const reads = this.reads.of(request.merchant_id);
    if (search && !isWholeId(search)) return foundByPart(reads, request, search);
    return isCountedByDay(request) ? countedByDay(reads, request) : countedByRow(reads, request);
  }
}

/** The counts have no customers, no ids and nothing that waits; lists with these filters are short. */
const isCountedByDay = ({ customer_id, search, transaction_id, waiting_for }: ListTransactions): boolean =>
  customer_id === undefined && search === undefined && transaction_id === undefined && waiting_for === undefined;
