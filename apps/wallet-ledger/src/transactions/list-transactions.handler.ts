import { ListTransactions, listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { transactionOf, TransactionRow } from '@stablecoin/ledger-store/projections/transaction.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';
import { transactionView } from './transaction-view';
import { countedByDay, countedByDayBefore } from './counted-by-day';
import { countedByRow, isWholeId } from './counted-by-row';
import { foundByPart } from './found-by-part';

@Handles(listTransactions)
export class ListTransactionsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: ListTransactions): Promise<Page<TransactionView>> {
    const { page, limit } = request;
    return asRefusal(async () => {
      const { rows, total } = await this.find(request);
      return { items: rows.map(transactionOf).map(transactionView), total, page, limit };
    });
  }

  private async find(request: ListTransactions): Promise<{ rows: TransactionRow[]; total: number }> {
    const { search, after } = request;
    const reads = await this.databases.forMerchant(request.merchant_id);
    const before = after === undefined ? undefined : await positionOf(reads, request.merchant_id, after);
    if (search && !isWholeId(search)) return foundByPart(reads, request, search, before);
    if (!isCountedByDay(request)) return countedByRow(reads, request, before);
    return before === undefined ? countedByDay(reads, request) : countedByDayBefore(reads, request, before);
  }
}

/** Where a list goes on: positions never change, so that what is recorded meanwhile moves nothing. */
async function positionOf(reads: Reads, merchantId: string, id: string): Promise<bigint> {
  const [row] = await reads.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM transactions WHERE id = ${id}::uuid AND merchant_id = ${merchantId}::uuid`;
  if (!row) throw new Refusal('not_found');
  return row.position;
}

/** The counts have no customers, no ids and nothing that waits; lists with these filters are short. */
const isCountedByDay = ({ customer_id, search, transaction_id, waiting_for }: ListTransactions): boolean =>
  customer_id === undefined && search === undefined && transaction_id === undefined && waiting_for === undefined;
