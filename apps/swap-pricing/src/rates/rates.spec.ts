import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { parseWithExactNumbers } from '@stablecoin/money/exact-json';
import { HttpRateSource } from './http-rate-source';
import { readRateDocument } from './rate-document';
import { DEFAULT_USD_PRICES, readUsdPrices } from '@stablecoin/money/usd-prices';
import { StaticBook } from './static-book';

const REQUESTED_AT = Date.parse('2026-11-21T10:00:00.000Z');

describe('numbers of a rate source', () => {
  it('are the digits that were sent', () => {
    const json = '{"a":0.1000000000000000055,"b":[1e-7,-2],"t\\"1":"3.0 \\" 4"}';
    expect(parseWithExactNumbers(json)).toEqual({ a: '0.1000000000000000055', b: ['1e-7', '-2'], 't"1': '3.0 " 4' });
  });
});

describe('the static book', () => {
  it.each([
    ['USDT', 'NGN', '1538.461538461538'],
    ['NGN', 'USDT', '0.00065'],
    ['GBP', 'EUR', '1.175925925926'],
    ['USD', 'USDC', '1'],
  ] as const)('%s in %s costs %s', async (from, to, price) => {
    const book = await new StaticBook(DEFAULT_USD_PRICES, 1_000, false).currentBook('test');
    expect(book.priceOf(from, to)).toBe(price);
  });

  it('is read exactly, from texts and numbers alike', () => {
    const text = '{"USDT":1,"USDC":"1","USD":"1","NGN":0.00065,"GBP":"1.27","EUR":1.08,"CAD":"0.73"}';
    expect(readUsdPrices(text)).toEqual(DEFAULT_USD_PRICES);
  });

  it.each([
    '',
    '{}',
    '[]',
    'null',
    JSON.stringify({ ...DEFAULT_USD_PRICES, NGN: '0' }),
    JSON.stringify({ ...DEFAULT_USD_PRICES, EUR: -1 }),
  ])('is refused at the start: %s', (text) =>
    expect(() => readUsdPrices(text)).toThrow('a JSON object with a US dollar price'),
  );
});

describe('a rate document', () => {
  it('gives units per base, stablecoins at par with the dollar, and its time', () => {
    const json = `{"base":"USD","rates":{"NGN":1540.2,"EUR":0.92,"XAU":0.0004},"timestamp":${REQUESTED_AT / 1_000 - 60}}`;
    expect(readRateDocument(json, REQUESTED_AT)).toEqual({
      unitsPerBase: { USDC: '1', USDT: '1', USD: '1', NGN: '1540.2', EUR: '0.92' },
      asOf: REQUESTED_AT - 60_000,
    });
  });

  it('knows no par where the base is not the dollar, and is as old as the request without a timestamp', () => {
    const document = readRateDocument('{"base":"EUR","rates":{"USD":1.08}}', REQUESTED_AT);
    expect(document).toEqual({ unitsPerBase: { USD: '1.08', EUR: '1' }, asOf: REQUESTED_AT });
  });

  it.each([
    ['not JSON', '<html>'],
    ['no base', '{"rates":{"NGN":1}}'],
    ['no rates', '{"base":"USD"}'],
    ['a rate of zero', '{"base":"USD","rates":{"NGN":0}}'],
    ['a negative rate', '{"base":"USD","rates":{"NGN":-1}}'],
    ['the future', `{"base":"USD","rates":{},"timestamp":${REQUESTED_AT / 1_000 + 3_600}}`],
  ])('is refused: %s', (_case, json) => {
    expect(() => readRateDocument(json, REQUESTED_AT)).toThrow();
  });
});

describe('the HTTP rate source', () => {
  let server: Server;
  let answer: () => { status: number; body: string };
  let requests: number;
  let source: HttpRateSource;
  const document = (ageS: number) =>
    `{"base":"USD","rates":{"NGN":1540.2,"EUR":0.92},"timestamp":${Date.now() / 1_000 - ageS}}`;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    requests = 0;
    server = createServer((_request, response) => {
      requests += 1;
      const { status, body } = answer();
      response.writeHead(status).end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    source = new HttpRateSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 10_000);
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  it('makes one request for many callers, and divides once', async () => {
    answer = () => ({ status: 200, body: document(0) });
    const books = await Promise.all(Array.from({ length: 20 }, () => source.currentBook()));
    expect(requests).toBe(1);
    expect(books[0]?.priceOf('USDT', 'NGN')).toBe('1540.2');
    expect(books[0]?.priceOf('NGN', 'EUR')).toBe('0.000597325023');
  });

  it('has no price for a currency that the source lacks', async () => {
    answer = () => ({ status: 200, body: document(0) });
    const book = await source.currentBook();
    expect(() => book.priceOf('GBP', 'USD')).toThrow(new Refusal('unavailable'));
  });

  it.each([
    ['an old rate', () => ({ status: 200, body: document(11) })],
    ['an error', () => ({ status: 500, body: document(0) })],
    ['nonsense', () => ({ status: 200, body: '{}' })],
    ['too much', () => ({ status: 200, body: `${document(0)}${' '.repeat(600_000)}` })],
  ])('is unavailable rather than giving %s', async (_case, bad) => {
    answer = bad;
    await expect(source.currentBook()).rejects.toEqual(new Refusal('unavailable'));
  });

  it('keeps a rate only until it is too old', async () => {
    answer = () => ({ status: 200, body: document(9.7) });
    await source.currentBook();
    answer = () => ({ status: 503, body: '' });
    await expect(source.currentBook()).resolves.toBeDefined();
    await new Promise((later) => setTimeout(later, 400));
    await expect(source.currentBook()).rejects.toEqual(new Refusal('unavailable'));
  });
});
