/** What kind of value a field takes, and with it what must be refused and what must not. */
export interface Kind {
  code: string;
  bad: unknown[];
  good?: unknown[];
}

const UNCLEAN = ['a\u0000b', 'a\u200bb', 'a\u202eb', 'a\ud800', 'a\ufeffb', 'a\u0007b'];
const NO_TEXT = [5, true, {}, []];

export const text = (max: number): Kind => ({
  code: 'invalid_text',
  bad: ['', '  ', 'x'.repeat(max + 1), 'a\nb', ...UNCLEAN, ...NO_TEXT],
  good: ['x'.repeat(max), '😀'.repeat(max), ` ${'y'.repeat(max)} `, "Zoë-Ann O'Neill"],
});
export const optionalText = (max: number): Kind => ({
  code: 'invalid_text',
  bad: text(max).bad.slice(2),
  good: [...(text(max).good ?? []), '', '  '],
});
export const lines = (max: number): Kind => ({
  code: 'invalid_text',
  bad: ['x'.repeat(max + 1), ...UNCLEAN, ...NO_TEXT],
  good: ['one\n\ttwo', 'x'.repeat(max), ''],
});
export const oneOf = (values: readonly string[], code = 'invalid_choice'): Kind => ({
  code,
  bad: [swapCase(values[0] ?? ''), ` ${values[0]}`, 'SOMETHING_ELSE', '', 5, [values[0]]],
  good: [...values],
});
export const email: Kind = {
  code: 'invalid_email',
  bad: ['', 'ada', 'a@b', '@b.co', 'a b@c.de', '.a@b.co', 'a@-b.co', `${'a'.repeat(65)}@b.co`, '\u200ba@b.co', 5],
};
export const phone: Kind = {
  code: 'invalid_phone',
  bad: [
    '',
    '2348012345678',
    '+0234801234',
    '+',
    '+1',
    '+1234567890123456',
    '+234-80',
    ' +2348012345678',
    2348012345678,
  ],
};
export const callingCode: Kind = {
  code: 'invalid_phone_country_code',
  bad: ['', '234', '+', '+0', '+12345', '+1-2', 234],
  good: ['+1', '+2345'],
};
export const day: Kind = {
  code: 'invalid_date',
  bad: ['', '2000-02-31', '1999-02-29', '2000-W05', '2000-2-1', '01/02/2000', '2000-01-01T01:00:00.000Z', 946684800],
  good: ['1988-02-29', '1900-01-01'],
};
export const income: Kind = {
  code: 'invalid_amount',
  bad: [-1, -0.01, 1.005, '1.005', '-1', '+1', '1e3', '01', '.5', '1,000', 'ten', '', true, 1e21],
  good: [0, '0', 10.5, '10.50', 0.01, '9999999999999999.99'],
};
const BAD_AMOUNTS = '0 0.00 -1 +1 1e3 .5 1. 01 1,000 0.123456789 1234567890123456789 NaN Infinity 0x1 ١'.split(' ');
export const amount: Kind = { code: 'invalid_amount', bad: ['', ' 1', '1 ', ...BAD_AMOUNTS, 5, true, ['1']] };
export const amountOrNumber: Kind = {
  code: 'invalid_amount',
  bad: ['', ' 1', ...BAD_AMOUNTS, 0, -1, 0.123456789, 1234567.890123456, 1e21, true],
};
export const trueOrFalse: Kind = { code: 'invalid_boolean', bad: ['true', 'yes', '', 0, 1], good: [true, false] };
export const uuid: Kind = { code: 'invalid_uuid', bad: ['', '1', 'not-a-uuid', `{${'0'.repeat(36)}}`, 5, {}] };
export const currency: Kind = { code: 'unsupported_currency', bad: ['', 'US', 'BTC', 'DOLLAR', ' USD', 5] };
export const currencyCode: Kind = { code: 'unsupported_currency', bad: ['', 'usdt', 'BTC', ' USD', 5] };
export const network: Kind = { code: 'unsupported_network', bad: ['', 'TRC20', 'Erc20', 'tron', 5] };
export const address: Kind = {
  code: 'invalid_address',
  bad: ['', 'x', 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 5],
};
export const accountNumber: Kind = {
  code: 'invalid_account_number',
  bad: ['', '012', '0123-4567', 'x'.repeat(35), ' 0123', 12345],
};
export const bankCode: Kind = { code: 'invalid_bank_code', bad: ['', 'A'.repeat(12), 'A B', '0-1', 11] };
export const routing = (name: string): Kind => ({ code: `invalid_${name}`, bad: ['', 'x'.repeat(35), 'a b', 5] });
export const url: Kind = {
  code: 'invalid_url',
  bad: ['', 'marina', 'ftp://a.example.com', 'javascript:alert(1)', 'https://', 5],
  good: ['https://marina.example.com', 'http://marina.example.com/shop?x=1'],
};
export const httpsUrl: Kind = {
  code: 'invalid_url',
  bad: ['', 'marina', 'http://a.example.com/x.png', 'data:image/png;base64,AAAA', 5],
};
export const webhookUrl: Kind = {
  code: 'invalid_url',
  bad: [
    ...['', 'marina', 'http://marina.example.com', 'https://marina', 'https://', 'ftp://a.example.com', 5],
    ...['https://user:secret@marina.example.com', 'https://marina.example.com/#here', 'http://10.0.0.1/'],
    ...[`https://marina.example.com/${'x'.repeat(2048)}`, 'https://marina.example.com/a\u200bb'],
  ],
};
export const eventTypes: Kind = {
  code: 'invalid_choice',
  bad: [
    ...[
      [],
      {},
      'payout.failed',
      5,
      ['payout.pending'],
      ['Payout.Failed'],
      ['webhook.test'],
      [['payout.failed']],
      [null],
    ],
    ['payout.failed', 'payout.failed'],
  ],
};
export const industry: Kind = { code: 'invalid_industry', bad: ['', '12345', '1234567', 'abcdef', 123456] };
export const percentage: Kind = { code: 'invalid_number', bad: [-0.1, 100.1, '50', true] };
export const object: Kind = { code: 'invalid_object', bad: [[], 'x', 5, true] };
export const list: Kind = { code: 'invalid_list', bad: [{}, 'x', 5, [[]], ['x'], [null]] };
export const country: Kind = { code: 'invalid_country', bad: ['', 'XX', 'ng', 'Nigeria', 'NGA', 5] };

function swapCase(value: string): string {
  return value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
}
