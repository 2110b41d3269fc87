import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { WalletEntriesView, WalletEntryView } from '@stablecoin/contracts/wallet/list-wallet-entries';

export interface AskedStatement {
  merchant_id: string;
  /** Of the ledger, which the merchant is on. */
  shard: number;
  wallet_id: string;
  start_date: string;
  end_date: string;
}

interface Statement extends Omit<AskedStatement, 'shard'>, WalletEntriesView {
  merchantName: string;
}

/** A4, in points. */
const PAGE = { size: 'A4', left: 42, right: 553, top: 42, firstRow: 60, lastRow: 770, footer: 800 } as const;
const SIZES = { title: 16, text: 9, row: 7.5 } as const;
const ROW_HEIGHT = 15;
const GREY = '#555555';
const COLUMNS = [
  { title: 'Time (UTC)', left: 42, width: 112, align: 'left' },
  { title: 'What', left: 158, width: 112, align: 'left' },
  { title: 'Transaction', left: 272, width: 72, align: 'left' },
  { title: 'Amount', left: 346, width: 100, align: 'right' },
  { title: 'Balance', left: 450, width: 103, align: 'right' },
] as const;

/** Its letters are those of most alphabets: a merchant's name has to be printed as it is written. */
const FONTS = {
  regular: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: () => require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const MOVEMENTS: Readonly<Record<string, string>> = {
  'deposit-recorded': 'Deposit',
  'deposit-completed': 'Deposit',
  'deposit-reversed': 'Deposit reversed',
  'swap-accepted': 'Swap',
  'swap-settled': 'Swap',
  'payout-accepted': 'Payout with its fee',
  'payout-failed': 'Payout failed: returned',
  'payout-reversed': 'Payout came back',
  'transfer-sent': 'Transfer',
  'transfer-received': 'Transfer',
};

/** Page by page, with a turn for others in between. Amounts are the ledger's own texts. */
export async function* statementPdf(statement: Statement): AsyncGenerator<Uint8Array> {
  // Needed by few requests, and larger than the service itself.
  const { default: Document } = await import('pdfkit');
  const document = new Document({
    ...{ size: PAGE.size, margin: 0, bufferPages: true, font: FONTS.regular() },
    info: { Title: titleOf(statement), Author: statement.merchantName },
    ...{ lang: 'en', displayTitle: true, pdfVersion: '1.7' },
  });
  const chunks: Uint8Array[] = [];
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(document, 'end');
  document.registerFont('regular', FONTS.regular()).registerFont('bold', FONTS.bold());
  await writePages(document, statement);
  numberPages(document, statement);
  document.end();
  await ended;
  yield* chunks;
}

const titleOf = ({ currency, start_date, end_date }: Statement) =>
  `Statement of a ${currency} wallet, ${start_date} to ${end_date}`;

async function writePages(document: PDFKit.PDFDocument, statement: Statement): Promise<void> {
  let y = writeHeader(document, statement);
  y = writeColumnTitles(document, y);
  for (const entry of statement.items) {
    if (y + ROW_HEIGHT > PAGE.lastRow) {
      await turn();
      document.addPage();
      y = writeColumnTitles(document, PAGE.firstRow);
    }
    writeRow(document, entry, y);
    y += ROW_HEIGHT;
  }
  if (statement.items.length === 0) {
    document
      .font('regular')
      .fontSize(SIZES.text)
      .fillColor(GREY)
      .text('Nothing was posted on these days.', PAGE.left, y + 4);
  }
}

/** @returns where the next line begins */
function writeHeader(document: PDFKit.PDFDocument, statement: Statement): number {
  const { merchantName, wallet_id, currency, start_date, end_date, opening_balance, items } = statement;
  const facts = [
    ['Merchant', merchantName],
    ['Wallet', `${wallet_id} (${currency})`],
    ['Period', `${start_date} to ${end_date}, whole days in UTC`],
    ['Opening balance', `${opening_balance} ${currency}`],
    ['Closing balance', `${items.at(-1)?.balance_after ?? opening_balance} ${currency}`],
  ] as const;
  document.font('bold').fontSize(SIZES.title).fillColor('black').text('Statement of account', PAGE.left, PAGE.top);
  let y: number = PAGE.top + 32;
  for (const [name, value] of facts) {
    document.font('regular').fontSize(SIZES.text).fillColor(GREY).text(name, PAGE.left, y, { width: 100 });
    document.fillColor('black').text(value, PAGE.left + 104, y, { width: 400, height: 12, ellipsis: true });
    y += 16;
  }
  return y + 14;
}

function writeColumnTitles(document: PDFKit.PDFDocument, y: number): number {
  document.font('bold').fontSize(SIZES.row).fillColor('black');
  for (const { title, left, width, align } of COLUMNS)
    document.text(title, left, y, { width, align, lineBreak: false });
  document
    .moveTo(PAGE.left, y + 12)
    .lineTo(PAGE.right, y + 12)
    .lineWidth(0.5)
    .stroke(GREY);
  return y + ROW_HEIGHT + 2;
}

function writeRow(document: PDFKit.PDFDocument, entry: WalletEntryView, y: number): void {
  const { recorded_at, movement, transaction_id, amount, balance_after } = entry;
  const time = recorded_at.replace('T', ' ').replace('Z', '');
  const texts = [time, MOVEMENTS[movement] ?? movement, transaction_id, amount, balance_after];
  document.font('regular').fontSize(SIZES.row).fillColor('black');
  for (const [index, { left, width, align }] of COLUMNS.entries())
    document.text(texts[index] ?? '', left, y, { width, align, lineBreak: false });
}

function numberPages(document: PDFKit.PDFDocument, statement: Statement): void {
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    document.font('regular').fontSize(SIZES.row).fillColor(GREY);
    document.text(titleOf(statement), PAGE.left, PAGE.footer, { width: 360, lineBreak: false });
    document.text(`Page ${page + 1} of ${count}`, PAGE.right - 120, PAGE.footer, {
      width: 120,
      align: 'right',
      lineBreak: false,
    });
  }
}
