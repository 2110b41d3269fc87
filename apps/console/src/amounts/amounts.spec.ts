import { formatAmount, formatRate, sumOf } from './amounts';

describe('an amount on a page', () => {
  it.each([
    ['10.50000000', '10.50'],
    ['0.00000001', '0.00000001'],
    ['1489.55000000', '1,489.55'],
    ['1000000.00000000', '1,000,000.00'],
    ['-0.00000000', '0.00'],
    ['-12.30000000', '−12.30'],
    ['0012.3', '12.30'],
    // One more than a double can hold: a float would print …992.
    ['9007199254740993.00000001', '9,007,199,254,740,993.00000001'],
    ['99999999999999999999999999999.99999999', '99,999,999,999,999,999,999,999,999,999.99999999'],
  ])('%s is shown as %s', (amount, shown) => expect(formatAmount(amount)).toBe(shown));

  it.each(['', 'NaN', '1e5', '1,000', '.5', '0x10'])('%p is no amount and is left as it is', (text) =>
    expect(formatAmount(text)).toBe(text),
  );

  it('a rate keeps its digits', () => {
    expect(['1489.55', '0.000671350000', '15000'].map(formatRate)).toEqual(['1,489.55', '0.000671350000', '15,000']);
  });

  it('sums are exact', () => {
    expect(sumOf(['0.10000000', '0.20000000'])).toBe('0.30000000');
    expect(sumOf(['9007199254740993.00000001', '-1.00000000'])).toBe('9007199254740992.00000001');
    expect(sumOf(['-0.50000000'])).toBe('-0.50000000');
    expect(sumOf(['1.000000001'])).toBeUndefined();
    expect(sumOf([])).toBe('0.00000000');
  });
});
