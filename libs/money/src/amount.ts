import { PreciseDecimal } from './precise-decimal';

/** An amount in a request: up to 18 integer digits and 8 decimals, no sign, no exponent, no leading zero. Allows 0. */
export const AMOUNT_PATTERN = /^(0|[1-9]\d{0,17})(\.\d{1,8})?$/;

/** Every decimal of at most 15 significant digits survives the way into a double and back (IEEE 754, DBL_DIG). */
const SIGNIFICANT_DIGITS_MAX = 15;

/**
 * The amount that a JSON number means, as text that matches AMOUNT_PATTERN, e.g. 0.1 → '0.1', 1e-8 → '0.00000001'.
 *
 * Judged by value, so 10, 10.0 and 1e1 are the same. Undefined when the number isn't finite, isn't above 0, or has more
 * than 15 significant digits, 8 decimals or 18 integer digits: beyond 15 digits a double no longer tells what was sent.
 */
export function amountFromJsonNumber(n: number): string | undefined {
  // A Decimal made from NaN or Infinity would be one itself; the comparison also drops NaN.
  if (!(n > 0) || !Number.isFinite(n)) {
    return undefined;
  }
  const value = new PreciseDecimal(n);
  if (value.precision() > SIGNIFICANT_DIGITS_MAX) {
    return undefined;
  }
  const text = value.toFixed();
  return AMOUNT_PATTERN.test(text) ? text : undefined;
}

/** Whether two texts that match AMOUNT_PATTERN are the same amount: 10 is 10.00. */
export function isSameAmount(one: string, other: string): boolean {
  return new PreciseDecimal(one).equals(other);
}
