import fc from 'fast-check';
import { decimalsOf, type Currency } from './currency';
import { Money } from './money';
import { applySpread, convert, dividePrices, formatPrice } from './price';

const PRICE_SCALE = 10n ** 12n;

const priceArbitrary = fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }).map((units) => {
  const text = units.toString().padStart(13, '0');
  return { units, text: `${text.slice(0, -12)}.${text.slice(-12)}` };
});

describe('convert', () => {
  it.each([
    ['10', 'USDT', '1500.25', 'NGN', 'currency', '15002.50000000'],
    ['1', 'NGN', '0.000656', 'USD', 'currency', '0.00000000'],
    ['1', 'NGN', '0.000656', 'USD', 'eight', '0.00065600'],
    ['1', 'NGN', '0.000656', 'USDC', 'currency', '0.00065600'],
    ['1', 'USD', '0.999999', 'EUR', 'currency', '0.99000000'],
    ['1', 'USD', '0.999999999999', 'USDC', 'currency', '0.99999900'],
    ['1', 'USD', '0.999999999999', 'USDC', 'eight', '0.99999999'],
    ['0.1', 'USD', '3', 'CAD', 'currency', '0.30000000'],
    ['0', 'USD', '3', 'CAD', 'currency', '0.00000000'],
    ['999999999999999999.99999999', 'USDT', '1.000000000001', 'USDC', 'eight', '1000000000000999999.99999998'],
  ] as const)('%s %s at %s gives %s rounded down (%s): %s', (amount, from, price, to, precision, result) => {
    const converted = convert(Money.parse(from, amount), price, to, precision);
    expect(converted.currency).toBe(to);
    expect(converted.toString()).toBe(result);
  });

  it('is the exact product, cut off', () => {
    const targets: Currency[] = ['USD', 'USDC'];
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        priceArbitrary.filter((price) => price.units < 10n ** 22n),
        fc.constantFrom(...targets),
        (units, price, to) => {
          const exact = (units * price.units) / PRICE_SCALE;
          const step = 10n ** BigInt(8 - decimalsOf(to));
          const amount = Money.fromUnits('USDT', units);
          expect(convert(amount, price.text, to, 'eight').units).toBe(exact);
          expect(convert(amount, price.text, to, 'currency').units).toBe(exact - (exact % step));
        },
      ),
    );
  });

  it('refuses a product that no amount can be', () => {
    const [most, price] = [Money.parse('USD', '999999999999999999'), '999999999999999999'];
    expect(() => convert(most, price, 'NGN', 'eight')).toThrow(RangeError);
    expect(convert(most, '999999999999', 'NGN', 'eight').toString()).toBe('999999999998999999000000000001.00000000');
  });

  it('refuses negative amounts', () => {
    expect(() => convert(Money.parseSigned('USD', '-1'), '1', 'EUR', 'currency')).toThrow(RangeError);
  });

  it.each(['', '0', '0.000000000000', '-1', '+1', '01', '1.', '.5', '1e3', 'NaN', '1.0000000000001', '0x1'])(
    'refuses the price %p',
    (price) => {
      expect(() => convert(Money.parse('USD', '1'), price, 'EUR', 'currency')).toThrow(RangeError);
    },
  );
});

describe('formatPrice', () => {
  it.each([
    ['1500', '1500'],
    ['1500.2500', '1500.25'],
    ['10.0', '10'],
    ['6.6e-7', '0.00000066'],
    ['1E3', '1000'],
    ['0.0000000000005', undefined],
    ['0.0000000000015', '0.000000000002'],
    ['0.0000000000025', '0.000000000002'],
    ['0.00000000000250000001', '0.000000000003'],
    ['0.0000000000035', '0.000000000004'],
    ['0', undefined],
    ['1e18', undefined],
    ['', undefined],
    ['-1', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
    ['1,5', undefined],
  ])('%p: %s', (text, price) => {
    if (price === undefined) {
      expect(() => formatPrice(text)).toThrow(RangeError);
    } else {
      expect(formatPrice(text)).toBe(price);
    }
  });

  it('leaves prices as they are, less trailing zeros', () => {
    fc.assert(
      fc.property(priceArbitrary, ({ text }) => {
        const printed = formatPrice(text);
        expect(printed).toBe(text.replace(/\.?0+$/, ''));
        expect(formatPrice(printed)).toBe(printed);
      }),
    );
  });
});

describe('price arithmetic', () => {
  it('a quotient that is too small for 12 decimals is refused, not 0', () => {
    expect(() => dividePrices('1', '100000000000000')).toThrow(RangeError);
  });

  it.each([
    ['1', '0.00065', '1538.461538461538'],
    ['0.00065', '1.27', '0.000511811024'],
    ['1540.2', '1540.2', '1'],
    ['1', '3', '0.333333333333'],
    ['1', '1.5', '0.666666666667'],
  ])('%s divided by %s is %s', (a, b, quotient) => {
    expect(dividePrices(a, b)).toBe(quotient);
  });

  it.each([
    ['1500', 0, '1500'],
    ['1500', 50, '1492.5'],
    ['1', 1, '0.9999'],
    ['0.000000000003', 5000, '0.000000000002'],
    ['2', 9999, '0.0002'],
  ])('%s less %i basis points is %s', (price, basisPoints, result) => {
    expect(applySpread(price, basisPoints)).toBe(result);
  });

  it.each([-1, 0.5, 10_000, NaN, Infinity])('a spread of %p basis points is refused', (basisPoints) => {
    expect(() => applySpread('1', basisPoints)).toThrow('whole number of basis points');
  });

  it('a spread never raises a price', () => {
    fc.assert(
      fc.property(
        priceArbitrary.filter((price) => price.units > 10n ** 6n),
        fc.integer({ min: 0, max: 9_999 }),
        ({ text }, basisPoints) => {
          const ten = Money.parse('USD', '10');
          const before = convert(ten, text, 'NGN', 'eight');
          expect(before.isLessThan(convert(ten, applySpread(text, basisPoints), 'NGN', 'eight'))).toBe(false);
        },
      ),
    );
  });
});
