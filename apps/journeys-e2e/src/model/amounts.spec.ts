import { exchanged, feeOn, printed, shown, unitsOf, worth } from './amounts';

describe('amounts of the model', () => {
  it.each([
    ['0', '0.00000000', '0'],
    ['12.5', '12.50000000', '12.5'],
    ['0.00000001', '0.00000001', '0.00000001'],
    ['100', '100.00000000', '100'],
  ])('%s is printed as %s, and in the words of a step as %s', (text, long, short) => {
    expect([printed(unitsOf(text)), shown(unitsOf(text))]).toEqual([long, short]);
  });

  it.each([
    ['100', 'USD', '0.5', 100, '1.50000000'],
    ['0.01', 'USD', '0', 33, '0.01000000'],
    ['33.3333', 'USDT', '0', 33, '0.11000000'],
    ['33.3333', 'USDC', '0.5', 100, '0.83333300'],
  ] as const)('of %s %s at %s and %i basis points the fee is %s', (amount, currency, flat, basisPoints, fee) => {
    expect(printed(feeOn(unitsOf(amount), currency, { flat, basisPoints }) ?? 0n)).toBe(fee);
  });

  it('there is no fee without a schedule', () => {
    expect(feeOn(unitsOf('100'), 'USD', null)).toBeNull();
  });

  it.each([
    ['10', '1596.12345', 'NGN', '15961.23000000'],
    ['0.01', '0.000625', 'USDT', '0.00000600'],
    ['0.01', '0.000625', 'USD', '0.00000000'],
  ] as const)('%s at a price of %s gives %s: %s', (amount, price, into, given) => {
    expect(printed(exchanged(unitsOf(amount), price, into))).toBe(given);
  });

  it('what an amount is worth keeps 8 decimals, rounded down', () => {
    expect(printed(worth(unitsOf('7.00000001'), '0.333333333333'))).toBe('2.33333333');
  });
});
