import { inflateSync } from 'node:zlib';
import { WalletEntryView } from '@stablecoin/contracts/wallet/list-wallet-entries';
import { statementPdf } from './statement-pdf';

const entry = (number: number): WalletEntryView => ({
  ...{
    position: number,
    recorded_at: '2026-06-02T10:00:00.123Z',
    transaction_id: `T${String(number).padStart(9, '0')}`,
  },
  ...{ movement: 'payout-accepted', transaction_type: 'PAYOUT', amount: '-1.00000000' },
  balance_after: `${1_000 - number}.12345678`,
});

async function made(entries: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const items = Array.from({ length: entries }, (_, index) => entry(index + 1));
  const about = {
    merchant_id: 'm',
    wallet_id: 'w',
    start_date: '2026-06-01',
    end_date: '2026-06-30',
    currency: 'USD',
  } as const;
  const asked = { ...about, opening_balance: '1000.12345678', items, next: null, merchantName: 'Ọlá & Søns Łtd' };
  for await (const part of statementPdf(asked)) parts.push(part);
  return Buffer.concat(parts);
}

/** What is written on the pages, by each of the fonts' own tables of letters. */
function textsOf(pdf: Buffer): string[] {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, data]) => {
    try {
      return [inflateSync(Buffer.from(data ?? '', 'latin1')).toString('latin1')];
    } catch {
      return [];
    }
  });
  const fonts = streams.filter((stream) => stream.includes('beginbfrange')).map(lettersOf);
  const written = streams.flatMap((stream) =>
    [...stream.matchAll(/\[(<[^\]]*)\] TJ/g)].map(([, shown]) => shown ?? ''),
  );
  return written.flatMap((shown) => {
    const glyphs = [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) => hex?.match(/.{4}/g) ?? []);
    return fonts.map((letters) => glyphs.map((glyph) => letters[parseInt(glyph, 16)] ?? '?').join(''));
  });
}

const lettersOf = (table: string): string[] =>
  [...table.matchAll(/\[([^\]]*)\]/g)].flatMap(
    ([, letters]) =>
      (letters ?? '')
        .match(/<[^>]*>/g)
        ?.map((letter) => Buffer.from(letter.slice(1, -1), 'hex').swap16().toString('utf16le')) ?? [],
  );

it('is a document of as many pages as it takes, each with its number', async () => {
  for (const [entries, pages] of [
    [0, 1],
    [30, 1],
    [200, 5],
  ] as const) {
    const pdf = await made(entries);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(/\/Type \/Pages\s+\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1]).toBe(String(pages));
    expect(textsOf(pdf)).toContain(`Page ${pages} of ${pages}`);
  }
});

it('has merchant, wallet, days, what was held before and after, and each amount to the last digit', async () => {
  const texts = textsOf(await made(3));
  for (const text of [
    ...['Ọlá & Søns Łtd', 'w (USD)', '2026-06-01 to 2026-06-30, whole days in UTC'],
    ...['1000.12345678 USD', '997.12345678 USD', '2026-06-02 10:00:00.123', 'Payout with its fee'],
    ...['T000000003', '-1.00000000', '999.12345678', '998.12345678', '997.12345678'],
  ])
    expect(texts).toContain(text);
});

it('says that there is nothing where nothing was posted', async () => {
  const texts = textsOf(await made(0));
  expect(texts).toContain('Nothing was posted on these days.');
  expect(texts.filter((text) => text === '1000.12345678 USD')).toHaveLength(2);
});
