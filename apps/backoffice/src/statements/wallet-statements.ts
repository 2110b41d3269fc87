import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import {
  listWalletEntries,
  WalletEntriesView,
  WalletEntryView,
} from '@stablecoin/contracts/wallet/list-wallet-entries';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { csvLine } from '../exports/csv';
import { AskForMore, Exporting, ExportStreams } from '../exports/export-streams';
import { ConsoleRefusal } from '../http/console-refusal';
import { AskedStatement, statementPdf } from './statement-pdf';

/** Some forty pages, made in one go; the refusal says the number. */
const PDF_ENTRIES_MAX = 2_000;

const COLUMNS = [
  'recorded_at',
  'movement',
  'transaction_id',
  'transaction_type',
  'amount',
  'balance_after',
  'position',
] as const satisfies (keyof WalletEntryView)[];

/** What was posted to a wallet, oldest first, with what it held before and after. */
@Injectable()
export class WalletStatements {
  constructor(
    private readonly bus: BusClient,
    private readonly streams: ExportStreams,
  ) {}

  /** Its first line is what the wallet held before; each following one has what it held afterwards. */
  csv(asked: AskedStatement, by: Exporting): Promise<Readable> {
    return this.streams.open(
      by,
      () => this.page(asked),
      (first, more) => csvOf(asked, this.pages(first, asked, more)),
    );
  }

  /** @throws ConsoleRefusal for more entries than a document has */
  pdf(asked: AskedStatement, merchantName: string, by: Exporting): Promise<Readable> {
    return this.streams.open(
      by,
      () => this.whole(asked),
      (whole) => statementPdf({ ...asked, ...whole, merchantName }),
    );
  }

  private page({ shard, ...asked }: AskedStatement, after?: number): Promise<WalletEntriesView> {
    return this.bus.call(listWalletEntries, { ...asked, ...(after !== undefined && { after }) }, { shard });
  }

  private async *pages(first: WalletEntriesView, asked: AskedStatement, more: AskForMore) {
    for (let page = first; ;) {
      yield page;
      const { next } = page;
      if (next === null) return;
      page = await more(() => this.page(asked, next));
    }
  }

  private async whole(asked: AskedStatement): Promise<WalletEntriesView> {
    const first = await this.page(asked);
    const items = [...first.items];
    for (let { next } = first; next !== null;) {
      if (items.length >= PDF_ENTRIES_MAX) throw new ConsoleRefusal('statement_too_long');
      const page: WalletEntriesView = await this.page(asked, next);
      items.push(...page.items);
      next = page.next;
    }
    return { ...first, items, next: null };
  }
}

async function* csvOf({ start_date }: AskedStatement, pages: AsyncIterable<WalletEntriesView>): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  let isFirst = true;
  for await (const { opening_balance, items } of pages) {
    if (isFirst)
      yield csvLine([`${start_date}T00:00:00.000Z`, 'opening-balance', null, null, null, opening_balance, null]);
    isFirst = false;
    yield items.map((entry) => csvLine(COLUMNS.map((column) => String(entry[column])))).join('');
  }
}
