import { FieldError } from './error-codes';
import { IsAmount, IsAmountOrNumber, IsIncome } from './fields/amount';
import { IsNumberBetween, IsOneOf, IsTrueOrFalse, IsWholeNumberBetween } from './fields/choice';
import { IsEmailAddress, IsHttpUrl, IsPhone } from './fields/contact';
import { IsCurrency, IsCurrencyCode, IsNetworkOfCurrency } from './fields/currency';
import { IsDay, IsTimestamp, yearsBefore } from './fields/date';
import { IfPresent, Optional } from './fields/field';
import { IsUuid } from './fields/identifiers';
import { IsNested, IsNestedList } from './fields/nested';
import { IsLimit, IsPage } from './fields/paging';
import { IsText, OptionalText } from './fields/text';
import { Refusal } from './refusal';
import { validateRequest } from './validate-request';

class Inner {
  @IsText({ max: 5 }) city: string;
}

class Everything {
  @Optional() @IsText({ max: 5 }) text?: string | null;
  @Optional() @IsText({ max: 20, lines: true }) lines?: string;
  @OptionalText({ max: 5 }) note?: string | null;
  @Optional() @IsAmount() amount?: string;
  @Optional() @IsAmountOrNumber() amountOrNumber?: string;
  @Optional() @IsIncome() income?: string;
  @Optional() @IsEmailAddress() email?: string;
  @Optional() @IsPhone() phone?: string;
  @Optional() @IsDay({ midnight: true }) day?: string;
  @Optional() @IsCurrency() currency?: string;
  @Optional() @IsCurrencyCode() currencyCode?: string;
  @Optional() @IsUuid() id?: string;
  @Optional() @IsPage() page?: number;
  @Optional() @IsLimit() limit?: number;
  @Optional() @IsOneOf(['A', 'B']) choice?: string;
  @Optional() @IsHttpUrl({ httpsOnly: true }) url?: string;
  @Optional() @IsNested(() => Inner) inner?: Inner;
  @Optional() @IsNestedList(() => Inner, 2) list?: Inner[];
  @IfPresent() @IsText({ max: 5 }) kept?: string;
  @Optional() @IsTrueOrFalse() flag?: boolean;
  @Optional() @IsNumberBetween(0, 100) percentage?: number;
  @Optional() @IsWholeNumberBetween(0, 9) shard?: number;
  @Optional() @IsTimestamp() at?: string;
  @IfPresent() @IsNetworkOfCurrency({ neededIf: ({ choice }: Everything) => choice !== 'B' }) network?: string;
}

function errorsOf(work: () => unknown): readonly FieldError[] {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error.fields ?? [];
    throw error;
  }
  return [];
}

const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, { a: 1 }]));
const refused = (body: unknown) =>
  errorsOf(() => validateRequest(Everything, body)).map(({ field, code }) => `${field}: ${code}`);
const parsed = (body: object) => Object.assign({}, validateRequest(Everything, body));

describe('a request that is accepted', () => {
  it.each<[string, object, object]>([
    ['trimmed and composed text', { text: '  e\u0301 ' }, { text: 'é' }],
    ['five code points, whatever their width', { text: '👍👍👍👍👍' }, { text: '👍👍👍👍👍' }],
    ['line feeds where they are allowed', { lines: 'a\n\tb' }, { lines: 'a\n\tb' }],
    ['18 digits and 8 decimals', { amount: '999999999999999999.99999999' }, { amount: '999999999999999999.99999999' }],
    ['a number by its value', { amountOrNumber: 10.5 }, { amountOrNumber: '10.5' }],
    ['an income as number', { income: 1000.5 }, { income: '1000.50' }],
    ['an income of nothing', { income: '0' }, { income: '0.00' }],
    ['an income of nothing as number', { income: -0 }, { income: '0.00' }],
    ['an internationalized host in ASCII', { email: 'a@xn--e1afmkfd.xn--p1ai' }, { email: 'a@xn--e1afmkfd.xn--p1ai' }],
    ['a percentage', { percentage: 33.34 }, { percentage: 33.34 }],
    ['a network of the currency', { currency: 'usdt', network: 'trc20' }, { currency: 'USDT', network: 'trc20' }],
    ['a real day', { day: '2000-02-29' }, { day: '2000-02-29' }],
    ['a day as responses print it', { day: '2000-02-29T00:00:00.000Z' }, { day: '2000-02-29' }],
    ['a currency in any case', { currency: 'usdt' }, { currency: 'USDT' }],
    [
      'a UUID in any case',
      { id: 'AAAAAAAA-0000-4000-8000-00000000000F' },
      { id: 'aaaaaaaa-0000-4000-8000-00000000000f' },
    ],
    ['page and limit as text', { page: '3', limit: '100' }, { page: 3, limit: 100 }],
    ['null where it may be absent', { text: null }, { text: null }],
    ['an empty text where it may be absent', { note: '  ' }, { note: null }],
    [
      'objects and lists of them',
      { inner: { city: ' a ' }, list: [{ city: 'b' }] },
      { inner: { city: 'a' }, list: [{ city: 'b' }] },
    ],
  ])('%s', (_what, body, expected) => {
    expect(JSON.parse(JSON.stringify(parsed(body)))).toEqual(expected);
  });
});

describe('a request that is refused', () => {
  it.each<[string, unknown, string[]]>([
    ['no object', [], [': invalid_object']],
    ['a text', 'x', [': invalid_object']],
    ['unknown fields, all of them', { one: 1, two: 2 }, ['one: unknown_field', 'two: unknown_field']],
    ['an own __proto__', JSON.parse('{"__proto__":{"x":1}}'), ['__proto__: unknown_field']],
    ...['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'prototype'].map(
      (name): [string, unknown, string[]] => [`the field ${name}`, { [name]: 1 }, [`${name}: unknown_field`]],
    ),
    ['a nested constructor', { inner: { city: 'a', constructor: 1 } }, ['inner.constructor: unknown_field']],
    ['a list for an object', { inner: [] }, ['inner: invalid_object']],
    ['a list in a list', { list: [[]] }, ['list: invalid_list']],
    ['a list too long', { list: [{ city: 'a' }, { city: 'b' }, { city: 'c' }] }, ['list: invalid_list']],
    ['an optional text that is too long', { note: 'abcdef' }, ['note: invalid_text']],
    ['null for what is required', { inner: { city: null } }, ['inner.city: required']],
    ...['x', 1, true, null].flatMap((value): [string, unknown, string[]][] => [
      [`${value} for a list`, { list: value ?? {} }, ['list: invalid_list']],
      [`${value} in a list`, { list: [value] }, ['list: invalid_list']],
    ]),
    ...['x', 1, true].map((value): [string, unknown, string[]] => [
      `${value} for an object`,
      { inner: value },
      ['inner: invalid_object'],
    ]),
    ['an object like a list', { list: { 0: { city: 'a' }, length: 1 } }, ['list: invalid_list']],
    ['a nested field', { inner: { city: '' } }, ['inner.city: invalid_text']],
    ['a missing nested field', { inner: {} }, ['inner.city: required']],
    ['six code points', { text: 'abcdef' }, ['text: invalid_text']],
    ['nothing but white space', { text: '  ' }, ['text: invalid_text']],
    ...['a\u0000b', 'a\u200bb', 'a\u202eb', 'a\nb', '\ud800', 'a\ufeffb'].map((text): [string, unknown, string[]] => [
      `text ${JSON.stringify(text)}`,
      { text },
      ['text: invalid_text'],
    ]),
    ...[
      '0',
      '0.00',
      '-1',
      '+1',
      '01',
      '.5',
      '1.',
      '1e3',
      '0x1',
      'NaN',
      ' 1',
      '1.123456789',
      '1234567890123456789',
      '١',
    ].map((amount): [string, unknown, string[]] => [`amount ${amount}`, { amount }, ['amount: invalid_amount']]),
    ['an amount as number', { amount: 1 }, ['amount: invalid_amount']],
    ...[0, -1, 1e21, 0.123456789, Number.NaN, 1234567890.1234567].map((amountOrNumber): [string, unknown, string[]] => [
      `number ${amountOrNumber}`,
      { amountOrNumber },
      ['amountOrNumber: invalid_amount'],
    ]),
    ...[-1, 1.005, '1.005', 'x', '01', 0.1 + 0.2, 9007199254740993, 1e16, true, [1]].map(
      (income): [string, unknown, string[]] => [`income ${String(income)}`, { income }, ['income: invalid_amount']],
    ),
    ...[
      'a',
      'a@b',
      '\u200ba@b.co',
      'a b@c.de',
      '.a@b.co',
      `${'a'.repeat(65)}@b.co`,
      'a@-b.co',
      'a@b.c0',
      'a@b.xn--',
    ].map((email): [string, unknown, string[]] => [`email ${email}`, { email }, ['email: invalid_email']]),
    ...['0801', '+0801', '+12345678901234567', ' +123', '+', '+1\n', '+١٢٣'].map(
      (phone): [string, unknown, string[]] => [`phone ${phone}`, { phone }, ['phone: invalid_phone']],
    ),
    ...['2000-02-31', '2001-02-29', '2000-W05', '2000-1-1', '20000101', '2000-01-01T10:00:00.000Z'].map(
      (day): [string, unknown, string[]] => [`day ${day}`, { day }, ['day: invalid_date']],
    ),
    ['a letter whose upper case is one of the code', { currency: 'u\u017Fd' }, ['currency: unsupported_currency']],
    ...['true', 1, 0, ''].map((flag): [string, unknown, string[]] => [
      `${JSON.stringify(flag)} for a boolean`,
      { flag },
      ['flag: invalid_boolean'],
    ]),
    ...[-0.01, 100.01, '50', Number.NaN, Infinity, true].map((percentage): [string, unknown, string[]] => [
      `percentage ${JSON.stringify(percentage)}`,
      { percentage },
      ['percentage: invalid_number'],
    ]),
    ...[0.5, -1, 10, '1'].map((shard): [string, unknown, string[]] => [
      `shard ${JSON.stringify(shard)}`,
      { shard },
      ['shard: invalid_number'],
    ]),
    ...['2026-01-01T24:00:00.000Z', '2026-01-01T10:60:00.000Z', '2026-02-30T10:00:00.000Z', '2026-01-01'].map(
      (at): [string, unknown, string[]] => [`time ${at}`, { at }, ['at: invalid_timestamp']],
    ),
    ...[
      { currency: 'USDC', network: 'trc20' },
      { currency: 'USD', network: 'erc20' },
      { currency: 'USDT', network: 'TRC20' },
      { currency: 'USDT', network: 'trc20', choice: 'B' },
    ].map((body): [string, unknown, string[]] => [JSON.stringify(body), body, ['network: unsupported_network']]),
    ['a currency of no kind', { currency: 'BTC' }, ['currency: unsupported_currency']],
    ['a property of all objects as currency', { currency: 'constructor' }, ['currency: unsupported_currency']],
    ['a code in another case', { currencyCode: 'usdt' }, ['currencyCode: unsupported_currency']],
    ...['0', '-1', '1.5', '1e2', ' 1', '01', ''].map((page): [string, unknown, string[]] => [
      `page ${page}`,
      { page },
      ['page: invalid_page'],
    ]),
    ['limit 101', { limit: '101' }, ['limit: invalid_limit']],
    ['a choice in another case', { choice: 'a' }, ['choice: invalid_choice']],
    ...['http://a.co', 'javascript:alert(1)', 'https://localhost', 'https://localhost.', 'https://.', 'x'].map(
      (url): [string, unknown, string[]] => [`url ${url}`, { url }, ['url: invalid_url']],
    ),
    ['null where a value is kept', { kept: null }, ['kept: required']],
  ])('%s', (_what, body, expected) => {
    expect(refused(body)).toEqual(expected);
  });

  it('nests too deep, and is not read further', () => {
    let deep: object = {};
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    expect(refused(deep)).toEqual([expect.stringContaining('too_deep')]);
  });

  it('has more values than any valid request, and is not converted', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_none, index) => [`f${index}`, 1]));
    expect(refused({ list: [many(4_000)] })).toEqual([': too_many_values']);
    expect(refused(many(3_999))).toHaveLength(50);
  });

  it.each([
    ['in one object', (count: number) => ({ ...unknown(count), text: 1 })],
    ['in the items of a list', (count: number) => ({ text: 1, list: [unknown(30), unknown(count - 30)] })],
  ])('has up to 50 unknown fields beside other faults, and is not read further: %s', (_where, body) => {
    expect(refused(body(50)).filter((error) => error.endsWith('unknown_field'))).toHaveLength(50);
    expect(refused(body(50))).toContain('text: invalid_text');
    expect(refused(body(51))).toHaveLength(50);
    expect(refused(body(51))).not.toContain('text: invalid_text');
  });

  it('has a list that is too long, whose items are not made', () => {
    let made = 0;
    class Item {
      constructor() {
        made += 1;
      }
      @Optional() @IsText({ max: 5 }) text?: string;
    }
    class Listing {
      @IsNestedList(() => Item, 2) items: Item[];
    }
    const errors = errorsOf(() => validateRequest(Listing, { items: [{}, {}, {}] }));
    expect(errors.map(({ field, code }) => `${field}: ${code}`)).toEqual(['items: invalid_list']);
    expect(made).toBe(0);
    validateRequest(Listing, { items: [{}, {}] });
    expect(made).toBe(2);
  });

  it('is answered without its values, and with names cut to a bounded number of printable characters', () => {
    const [error] = errorsOf(() => validateRequest(Everything, { ['secret\n' + 'x'.repeat(500)]: 'value-canary' }));
    expect(error?.field).toMatch(/^secret\?x{57}$/);
    expect(JSON.stringify(errorsOf(() => validateRequest(Everything, { email: 'value-canary' })))).not.toContain(
      'value-canary',
    );
  });
});

describe('years before a day', () => {
  it.each([
    ['2026-11-21', 18, '2008-11-21'],
    ['2024-02-29', 18, '2006-02-28'],
  ])('%s, %i years', (today, years, expected) => {
    expect(yearsBefore(today, years)).toBe(expected);
  });
});
