import { decimalsOf, type Currency } from './currency';
import { Money, MONEY_DECIMALS } from './money';
import { PreciseDecimal, ROUND_HALF_EVEN } from './precise-decimal';

/**
 * Prices: units of one currency for one unit of another, as decimal text above 0 with at most 18 integer digits and
 * 12 decimals, no exponent. Every function here that takes a price throws a RangeError on other text, and every one
 * that returns a price throws a RangeError when the result, rounded to 12 decimals, is 0 or too large.
 */
export const PRICE_DECIMALS = 12;

const PRICE_PATTERN = /^(0|[1-9]\d{0,17})(\.\d{1,12})?$/;

/** What a rate source may send: a decimal, also in the exponent form into which JavaScript prints 6.6e-7. */
const SOURCE_PATTERN = /^\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,2})?$/i;

const BASIS_POINTS_PER_UNIT = 10_000;
const UNITS_PER_PRICE = 10n ** BigInt(PRICE_DECIMALS);
/** NUMERIC(38,8) has room below it. */
const CONVERTED_UNITS_END = 10n ** 38n;
const NO_PRICE = 'Not a price: a decimal above 0 with at most 12 decimals';

/**
 * `amount` × `price` in the currency `to`, rounded down, so that a customer is never credited a fraction that the other
 * side of the swap didn't pay for. May be zero; whether that is too small is the caller's rule.
 *
 * @param precision 'currency': the target's own decimals (2 or 6), for money that moves; 'eight': 8, for display
 * @throws RangeError on a negative amount, text that isn't a price, or a product of more than 30 integer digits
 */
export function convert(amount: Money, price: string, to: Currency, precision: 'currency' | 'eight'): Money {
  if (amount.isNegative()) {
    throw new RangeError('Only amounts of zero or more can be converted');
  }
  const decimals = precision === 'currency' ? decimalsOf(to) : MONEY_DECIMALS;
  // In integers: every payout is shown in fiat, and a Decimal takes longer than the rest of its decision.
  const product = (amount.units * priceUnits(price)) / UNITS_PER_PRICE;
  if (product >= CONVERTED_UNITS_END) throw new RangeError('The product is too large to be an amount');
  return Money.fromUnits(to, product - (product % 10n ** BigInt(MONEY_DECIMALS - decimals)));
}

/** A price from a source's decimal text (exponent allowed), rounded half even to 12 decimals without trailing zeros. */
export function formatPrice(decimalText: string): string {
  if (!SOURCE_PATTERN.test(decimalText)) {
    throw new RangeError('Not a decimal price');
  }
  return printPrice(new PreciseDecimal(decimalText));
}

/**
 * `a` / `b`, rounded once: the price between two currencies whose prices in a third one are known.
 */
export function dividePrices(a: string, b: string): string {
  return printPrice(priceValue(a).div(priceValue(b)));
}

/**
 * What remains of a price after our spread: `price` × (1 − `basisPoints` / 10000).
 *
 * @param basisPoints whole hundredths of a percent, 0 to 9999; RangeError otherwise
 */
export function applySpread(price: string, basisPoints: number): string {
  if (!Number.isInteger(basisPoints) || basisPoints < 0 || basisPoints >= BASIS_POINTS_PER_UNIT) {
    throw new RangeError('A spread is a whole number of basis points from 0 to 9999');
  }
  const kept = new PreciseDecimal(BASIS_POINTS_PER_UNIT - basisPoints).div(BASIS_POINTS_PER_UNIT);
  return printPrice(priceValue(price).times(kept));
}

/** Whether a price is at most so much higher or lower than another: by the same factor in both directions. */
export function isWithinBand(price: string, reference: string, basisPoints: number): boolean {
  const [value, before] = [priceValue(price), priceValue(reference)];
  const factor = new PreciseDecimal(BASIS_POINTS_PER_UNIT + basisPoints).div(BASIS_POINTS_PER_UNIT);
  return value.lte(before.times(factor)) && before.lte(value.times(factor));
}

/** In 1e-12. */
function priceUnits(price: string): bigint {
  const [, whole, fraction = '.'] = PRICE_PATTERN.exec(price) ?? [];
  const units = whole === undefined ? 0n : BigInt(whole + fraction.slice(1).padEnd(PRICE_DECIMALS, '0'));
  if (units === 0n) throw new RangeError(NO_PRICE);
  return units;
}

type PriceValue = InstanceType<typeof PreciseDecimal>;

function priceValue(price: string): PriceValue {
  const value = PRICE_PATTERN.test(price) ? new PreciseDecimal(price) : undefined;
  if (value === undefined || value.isZero()) {
    throw new RangeError(NO_PRICE);
  }
  return value;
}

function printPrice(value: PriceValue): string {
  // toFixed without a digit count prints what is there, so trailing zeros are gone.
  const text = value.toDecimalPlaces(PRICE_DECIMALS, ROUND_HALF_EVEN).toFixed();
  if (text === '0' || !PRICE_PATTERN.test(text)) {
    throw new RangeError('Price out of range: above 0 after rounding to 12 decimals, at most 18 integer digits');
  }
  return text;
}
