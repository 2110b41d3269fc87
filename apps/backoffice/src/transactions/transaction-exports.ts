import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { ListTransactionsQuery } from '@stablecoin/merchant-resources/transactions/transaction-requests';
import { csvLine } from '../exports/csv';
import { Exporting, ExportStreams } from '../exports/export-streams';
import { AskingMerchant } from '../reads/from-merchant';
import { MerchantTransactions, PrintedTransaction } from './merchant-transactions';

/** The filters of the list, without its pages. */
export class ExportTransactionsQuery extends OmitType(ListTransactionsQuery, ['page', 'limit']) {}

const PAGE_ROWS = 100;

const COLUMNS = [
  ...(['transaction_id', 'id', 'created_at', 'updated_at', 'status', 'transaction_type', 'transaction_mode'] as const),
  ...(['asset_code', 'amount', 'fee', 'balance', 'exchange_rate', 'network', 'crypto_transaction_id'] as const),
  ...(['reference_id', 'customer_id', 'sender_wallet_id', 'receiver_wallet_id'] as const),
  ...(['withdrawal_recipient_name', 'recipient_currency', 'recipient_country', 'bank_name', 'bank_code'] as const),
  ...(['bank_account', 'address', 'reason', 'waiting_for'] as const),
] satisfies (keyof PrintedTransaction)[];

/**
 * Transactions as CSV, newest first. Each page begins after the last row of the one before, so that what is recorded or changes
 * meanwhile neither repeats nor leaves out another row.
 */
@Injectable()
export class TransactionExports {
  constructor(
    private readonly transactions: MerchantTransactions,
    private readonly streams: ExportStreams,
  ) {}

  /** @throws Refusal rate_limited where the member reads another one, or too many others do */
  open(merchant: AskingMerchant, query: Plain<ExportTransactionsQuery>, by: Exporting): Promise<Readable> {
    const page = { ...query, page: 1, limit: PAGE_ROWS };
    return this.streams.open(
      by,
      () => this.transactions.list(merchant, page),
      (first, more) => lines(first, (after) => more(() => this.transactions.page(merchant, page, after))),
    );
  }
}

async function* lines(
  first: Page<PrintedTransaction>,
  next: (after: string) => Promise<Page<PrintedTransaction>>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for (let page = first; page.items.length > 0;) {
    yield page.items.map((row) => csvLine(COLUMNS.map((column) => row[column]))).join('');
    const last = page.items.at(-1);
    if (last === undefined || page.items.length < page.limit) return;
    page = await next(last.id);
  }
}
