import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ListTransactionsQuery } from '@stablecoin/merchant-resources/transactions/transaction-requests';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { ConsoleRefusal } from '../http/console-refusal';
import { AskingMerchant } from '../reads/from-merchant';
import { csvLine } from './csv';
import { MerchantTransactions, PrintedTransaction } from './merchant-transactions';

/** The filters of the list, without its pages. */
export class ExportTransactionsQuery extends OmitType(ListTransactionsQuery, ['page', 'limit']) {}

const PAGE_ROWS = 100;
/** Each has a page in memory, and asks the ledger for the next one as fast as it is read. */
const AT_ONCE_MAX = 8;
const OF_MEMBER_MAX = 1;
const RETRY_AFTER_SECONDS = 10;
/** A member that was removed, or signed out elsewhere, gets so many rows more. */
const CHECKED_EVERY_PAGES = 10;

/** Who reads an export, and whether the session is still there. */
interface Exporting {
  memberId: string;
  requestId: string;
  isSignedIn: () => Promise<boolean>;
}

const COLUMNS = [
  ...(['transaction_id', 'id', 'created_at', 'updated_at', 'status', 'transaction_type', 'transaction_mode'] as const),
  ...(['asset_code', 'amount', 'fee', 'balance', 'exchange_rate', 'network', 'crypto_transaction_id'] as const),
  ...(['reference_id', 'customer_id', 'sender_wallet_id', 'receiver_wallet_id'] as const),
  ...(['withdrawal_recipient_name', 'recipient_currency', 'recipient_country', 'bank_name', 'bank_code'] as const),
  ...(['bank_account', 'address', 'reason', 'waiting_for'] as const),
] satisfies (keyof PrintedTransaction)[];

/**
 * Transactions as CSV, newest first: page after page as the browser reads, so that one page is in memory however many rows there
 * are. Each page begins after the last row of the one before, so that what is recorded or changes meanwhile neither repeats nor
 * leaves out another row. The first page is there before the answer begins, so that a refusal is one; one that comes later breaks the
 * connection off, and the file is seen to be incomplete; so does the end of the session.
 */
@Injectable()
export class TransactionExports {
  /** By member: how many are being read. */
  private readonly beingRead = new Map<string, number>();

  private readonly log = new Logger(TransactionExports.name);

  constructor(private readonly transactions: MerchantTransactions) {}

  /** @throws Refusal rate_limited where the member reads another one, or too many others do */
  async open(
    merchant: AskingMerchant,
    query: Plain<ExportTransactionsQuery>,
    { memberId, requestId, isSignedIn }: Exporting,
  ): Promise<Readable> {
    const close = this.take(memberId);
    try {
      const first = await this.transactions.list(merchant, { ...query, page: 1, limit: PAGE_ROWS });
      let pages = 1;
      const next = async (after: string) => {
        if (pages++ % CHECKED_EVERY_PAGES === 0 && !(await isSignedIn())) throw new ConsoleRefusal('not_signed_in');
        return withRequestContext(freshRequestContext(requestId), () =>
          this.transactions.page(merchant, { ...query, page: 1, limit: PAGE_ROWS }, after),
        );
      };
      return Readable.from(lines(first, next), { objectMode: false, highWaterMark: 1 })
        .once('close', close)
        .once('error', (error) => this.log.warn({ msg: 'an export broke off', request_id: requestId, err: error }));
    } catch (error) {
      close();
      throw error;
    }
  }

  private take(memberId: string): () => void {
    const own = this.beingRead.get(memberId) ?? 0;
    const all = [...this.beingRead.values()].reduce((sum, count) => sum + count, 0);
    if (own >= OF_MEMBER_MAX || all >= AT_ONCE_MAX) throw Refusal.rateLimited(RETRY_AFTER_SECONDS);
    this.beingRead.set(memberId, own + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.beingRead.get(memberId) ?? 1) - 1;
      if (left > 0) this.beingRead.set(memberId, left);
      else this.beingRead.delete(memberId);
    };
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
