import fc from 'fast-check';
import { AMOUNT_PATTERN, amountFromJsonNumber } from './amount';

describe('amount text', () => {
  it.each(['0', '1', '10', '0.1', '10.00', '0.00000001', '999999999999999999.99999999'])('%p is an amount', (text) => {
    expect(AMOUNT_PATTERN.test(text)).toBe(true);
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '1\n',
    '-1',
    '+1',
    '01',
    '00',
    '.5',
    '1.',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '1_0',
    '١',
    '0.000000001',
    '1.000000000',
    '1000000000000000000',
  ])('%p is none', (text) => {
    expect(AMOUNT_PATTERN.test(text)).toBe(false);
  });
});

describe('amount from a JSON number', () => {
  it.each([
    ['1', '1'],
    ['10.00', '10'],
    ['1e1', '10'],
    ['0.1', '0.1'],
    ['0.00000001', '0.00000001'],
    ['1e-8', '0.00000001'],
    ['123456789012345', '123456789012345'],
    ['1234567.12345678', '1234567.12345678'],
    ['1e17', '100000000000000000'],
    ['123456789012345000', '123456789012345000'],
  ])('%s is %s', (json, text) => {
    expect(amountFromJsonNumber(JSON.parse(json) as number)).toBe(text);
  });

  it.each([
    ['zero', 0],
    ['minus zero', -0],
    ['negative', -1],
    ['not a number', NaN],
    ['infinite', Infinity],
    ['16 significant digits', 1234567890123456],
    ['16 significant digits with decimals', 12345678.12345678],
    ['the sum that floats get wrong', 0.1 + 0.2],
    ['9 decimals', 0.000000001],
    ['9 decimals of a larger number', 1.000000001],
    ['19 integer digits', 1e18],
    ['the first number that prints as an exponent', 1e21],
    ['the largest number', Number.MAX_VALUE],
    ['the smallest number', Number.MIN_VALUE],
  ])('%s is refused', (_case, n) => {
    expect(amountFromJsonNumber(n)).toBeUndefined();
  });

  it('gives back every amount of 15 digits that was sent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), fc.integer({ min: 0, max: 8 }), (digits, scale) => {
        const padded = String(digits).padStart(scale + 1, '0');
        const point = padded.length - scale;
        const sent = scale === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`;
        const read = amountFromJsonNumber(Number(sent));
        expect(read).toBe(scale === 0 ? sent : sent.replace(/\.?0+$/, ''));
      }),
    );
  });
});
