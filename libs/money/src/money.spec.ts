import fc from 'fast-check';
import { Money } from './money';

const unitsArbitrary = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });

describe('Money as text', () => {
  it.each([
    ['0', '0.00000000', 0n],
    ['1', '1.00000000', 100_000_000n],
    ['0.1', '0.10000000', 10_000_000n],
    ['0.00000001', '0.00000001', 1n],
    ['10.50', '10.50000000', 1_050_000_000n],
    ['12345.6789', '12345.67890000', 1_234_567_890_000n],
    ['999999999999999999.99999999', '999999999999999999.99999999', 99_999_999_999_999_999_999_999_999n],
  ])('%s prints as %s', (text, printed, units) => {
    const money = Money.parse('USDT', text);
    expect(money.units).toBe(units);
    expect(money.toString()).toBe(printed);
  });

  it.each(['', '-1', '+1', '01', '.5', '1.', '1e3', ' 1', '1.123456789', '1000000000000000000', 'NaN'])(
    'parse refuses %p',
    (text) => {
      expect(() => Money.parse('USDT', text)).toThrow('Not an amount of USDT');
    },
  );

  it.each([
    ['-10.5', '-10.50000000'],
    ['-0.00000001', '-0.00000001'],
    ['-0', '0.00000000'],
    ['10.5', '10.50000000'],
    ['-999999999999999999999999999999.99999999', '-999999999999999999999999999999.99999999'],
  ])('parseSigned reads %s as %s', (text, printed) => {
    expect(Money.parseSigned('NGN', text).toString()).toBe(printed);
  });

  it.each(['', '-', '--1', '+1', '-01', '-.5', '-1.', '1.123456789', '1000000000000000000000000000000', 'NaN'])(
    'parseSigned refuses %p',
    (text) => {
      expect(() => Money.parseSigned('NGN', text)).toThrow('Not a signed amount of NGN');
    },
  );

  it('survives printing and reading', () => {
    fc.assert(
      fc.property(unitsArbitrary, (units) => {
        const text = Money.fromUnits('EUR', units).toString();
        expect(text).toMatch(/^-?(0|[1-9]\d*)\.\d{8}$/);
        expect(Money.parseSigned('EUR', text).units).toBe(units);
      }),
    );
  });

  it('never slips into JSON without its currency', () => {
    expect(() => JSON.stringify({ amount: Money.zero('USD') })).toThrow(TypeError);
  });
});

describe('Money arithmetic', () => {
  it('adds, subtracts and negates exactly, and leaves its operands alone', () => {
    fc.assert(
      fc.property(unitsArbitrary, unitsArbitrary, (a, b) => {
        const left = Money.fromUnits('USDC', a);
        const right = Money.fromUnits('USDC', b);
        expect(left.plus(right).units).toBe(a + b);
        expect(left.minus(right).units).toBe(a - b);
        expect(left.plus(right).minus(right).equals(left)).toBe(true);
        expect(left.negated().plus(left).isZero()).toBe(true);
        expect([left.units, right.units]).toEqual([a, b]);
      }),
    );
  });

  it('keeps the currency', () => {
    const one = Money.parse('GBP', '1');
    const results = [one.plus(one), one.minus(one), one.negated(), Money.zero('GBP'), Money.fromUnits('GBP', 1n)];
    expect(results.map((money) => money.currency)).toEqual(['GBP', 'GBP', 'GBP', 'GBP', 'GBP']);
  });

  it('adds what floats get wrong', () => {
    expect(Money.parse('USD', '0.1').plus(Money.parse('USD', '0.2')).toString()).toBe('0.30000000');
  });

  it.each([
    [-1n, { zero: false, negative: true, positive: false }],
    [0n, { zero: true, negative: false, positive: false }],
    [1n, { zero: false, negative: false, positive: true }],
  ])('knows the sign of %s', (units, { zero, negative, positive }) => {
    const money = Money.fromUnits('USD', units);
    expect([money.isZero(), money.isNegative(), money.isPositive()]).toEqual([zero, negative, positive]);
  });

  it.each([
    ['9.99', '10.1', true, false],
    ['10.1', '9.99', false, false],
    ['10', '10.00', false, true],
  ])('%s against %s: less %s, equal %s', (a, b, less, equal) => {
    expect(Money.parse('USD', a).isLessThan(Money.parse('USD', b))).toBe(less);
    expect(Money.parse('USD', a).equals(Money.parse('USD', b))).toBe(equal);
  });

  it.each([
    ['plus', (a: Money, b: Money) => a.plus(b)],
    ['minus', (a: Money, b: Money) => a.minus(b)],
    ['isLessThan', (a: Money, b: Money) => a.isLessThan(b)],
    ['equals', (a: Money, b: Money) => a.equals(b)],
  ])('%s throws on two currencies', (_name, operation) => {
    expect(() => operation(Money.zero('USD'), Money.zero('USDC'))).toThrow('Currency mismatch: USD and USDC');
  });
});
