import fc from 'fast-check';
import { decimalsOf, type Currency } from './currency';
import { feeOf } from './fee';
import { Money } from './money';

describe('feeOf', () => {
  it.each([
    ['100', 'USD', '0', 0, '0.00000000'],
    ['100', 'USD', '1.50', 0, '1.50000000'],
    ['100', 'USD', '0', 25, '0.25000000'],
    ['100', 'USD', '1.50', 25, '1.75000000'],
    ['0.01', 'USD', '0', 1, '0.01000000'],
    ['100.01', 'USD', '0', 100, '1.01000000'],
    ['100.01', 'USDT', '0', 100, '1.00010000'],
    ['0.000001', 'USDT', '0', 1, '0.00000100'],
    ['1', 'USD', '0.001', 0, '0.01000000'],
    // The sum is rounded, not each part: 0.004 + 0.004 is one cent, not two.
    ['0.4', 'USD', '0.004', 100, '0.01000000'],
  ] as const)('%s %s with flat %s and %i basis points: %s', (amount, currency, flat, basisPoints, fee) => {
    const charged = feeOf(Money.parse(currency, amount), { flat, basis_points: basisPoints });
    expect(charged?.currency).toBe(currency);
    expect(charged?.toString()).toBe(fee);
  });

  it('is null without a schedule', () => {
    expect(feeOf(Money.parse('USD', '100'), null)).toBeNull();
  });

  it('is the smallest bookable amount that is not below the exact fee', () => {
    const currencies: Currency[] = ['USD', 'USDT'];
    fc.assert(
      fc.property(
        fc.constantFrom(...currencies),
        fc.bigInt({ min: 0n, max: 10n ** 26n - 1n }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fc.integer({ min: 0, max: 20_000 }),
        (currency, units, flatUnits, basisPoints) => {
          const flat = Money.fromUnits(currency, flatUnits).toString();
          const fee = feeOf(Money.fromUnits(currency, units), { flat, basis_points: basisPoints });
          const step = 10n ** BigInt(8 - decimalsOf(currency));
          const exactTimes10000 = flatUnits * 10_000n + units * BigInt(basisPoints);
          if (!fee) throw new Error('a fee is charged');
          const charged = fee.units;
          expect(charged % step).toBe(0n);
          expect(charged * 10_000n >= exactTimes10000).toBe(true);
          expect((charged - step) * 10_000n < exactTimes10000).toBe(true);
        },
      ),
    );
  });

  it.each([
    ['a negative amount', '-1', '0', 0],
    ['a negative flat part', '1', '-1', 0],
    ['an empty flat part', '1', '', 0],
    ['negative basis points', '1', '0', -1],
    ['broken basis points', '1', '0', 0.5],
    ['no basis points', '1', '0', NaN],
  ])('refuses %s', (_case, amount, flat, basisPoints) => {
    expect(() => feeOf(Money.parseSigned('USD', amount), { flat, basis_points: basisPoints })).toThrow(RangeError);
  });
});
