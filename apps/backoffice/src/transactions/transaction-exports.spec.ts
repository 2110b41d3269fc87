import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ExportStreams } from '../exports/export-streams';
import { AskingMerchant } from '../reads/from-merchant';
import { MerchantTransactions, PrintedTransaction } from './merchant-transactions';
import { TransactionExports } from './transaction-exports';

const MERCHANT: AskingMerchant = { merchant_id: randomUUID(), mode: 'test', shard: 0, seesPersonalData: true };
const BY = { memberId: 'a member', requestId: 'a request', isSignedIn: () => Promise.resolve(true) };
const PAGE_ROWS = 100;

/** A ledger with this many transactions, which counts the pages that it is asked for. */
function ledgerOf(total: number, failsAtPage = Infinity) {
  const asked: (string | undefined)[] = [];
  const page = (_: AskingMerchant, __: object, after?: string) => {
    asked.push(after);
    if (asked.length >= failsAtPage) return Promise.reject(new Refusal('unavailable'));
    const from = after === undefined ? 0 : Number(after) + 1;
    const rows = Array.from({ length: Math.min(PAGE_ROWS, total - from) }, (_, index) => ({
      ...{ id: String(from + index), transaction_id: `T${from + index}`, amount: '1.00000000' },
    }));
    return Promise.resolve({ items: rows as PrintedTransaction[], total, page: 1, limit: PAGE_ROWS });
  };
  const transactions = { list: page, page } as unknown as MerchantTransactions;
  return { asked, exports: new TransactionExports(transactions, new ExportStreams()) };
}

const read = async (lines: AsyncIterable<unknown>): Promise<string[]> => {
  let text = '';
  for await (const part of lines) text += String(part);
  return text.split('\r\n').slice(1, -1);
};

it.each([0, 1, 99, 100, 101, 1_000])('of %i transactions it has each once', async (total) => {
  const { exports } = ledgerOf(total);
  const rows = await read(await exports.open(MERCHANT, {}, BY));
  expect(rows.map((row) => row.split(',', 1)[0])).toEqual(Array.from({ length: total }, (_, index) => `T${index}`));
});

it('asks for no more than is taken: a browser that stands still has some pages in memory, and not a hundred thousand rows', async () => {
  const { asked, exports } = ledgerOf(100_000);
  const lines = await exports.open(MERCHANT, {}, BY);
  const standsStill = new Writable({ write: () => undefined });
  lines.pipe(standsStill);
  for (let turns = 0; turns < 1_000; turns += 1) await turn();
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.length).toBeLessThan(10);
  lines.unpipe(standsStill);
  expect((await read(lines)).length).toBeGreaterThan(99_000);
});

it('breaks off where a page can not be had, and begins with no refusal in it', async () => {
  const { exports } = ledgerOf(1_000, 5);
  await expect(read(await exports.open(MERCHANT, {}, BY))).rejects.toThrow('unavailable');
  const { exports: away } = ledgerOf(1_000, 1);
  await expect(away.open(MERCHANT, {}, BY)).rejects.toThrow('unavailable');
});

it('breaks off for one who is signed in no more', async () => {
  const { asked, exports } = ledgerOf(100_000);
  const isSignedIn = () => Promise.resolve(asked.length < 30);
  await expect(read(await exports.open(MERCHANT, {}, { ...BY, isSignedIn }))).rejects.toThrow('not_signed_in');
  expect(asked.length).toBeLessThanOrEqual(40);
});

it('is read once at a time by a member, and by eight at once; one that ended, failed or was left makes room', async () => {
  const { exports } = ledgerOf(1_000);
  const first = await exports.open(MERCHANT, {}, BY);
  await expect(exports.open(MERCHANT, {}, BY)).rejects.toThrow('rate_limited');
  first.destroy();
  await turn();
  await read(await exports.open(MERCHANT, {}, BY));
  await turn();
  await expect(exports.open({ ...MERCHANT }, {}, BY)).resolves.toBeDefined();
  for (let other = 0; other < 7; other += 1) await exports.open(MERCHANT, {}, { ...BY, memberId: `member ${other}` });
  await expect(exports.open(MERCHANT, {}, { ...BY, memberId: 'a ninth' })).rejects.toThrow('rate_limited');
});
