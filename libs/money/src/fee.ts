import { AMOUNT_PATTERN } from './amount';
import { decimalsOf } from './currency';
import { Money } from './money';
import { PreciseDecimal, ROUND_UP } from './precise-decimal';

/** A merchant's payout fee: `flat` in the currency of the payout (text as AMOUNT_PATTERN), plus whole basis points. */
export interface FeeSchedule {
  flat: string;
  basis_points: number;
}

const BASIS_POINTS_PER_UNIT = 10_000;

/**
 * The fee on top of `amount`: flat + amount × basis points / 10000, in the same currency. Null without a schedule; a
 * schedule of nothing gives a fee of zero.
 *
 * Rounded up to the currency's own decimals: a fee must be an amount that can be booked out in that currency, and
 * rounding down would make payouts below one cent of fee free, so that splitting a payout would avoid it.
 *
 * @throws RangeError on a negative amount, a malformed flat part, or basis points that aren't a whole number ≥ 0
 */
export function feeOf(amount: Money, schedule: FeeSchedule | null | undefined): Money | null {
  if (!schedule) return null;
  if (amount.isNegative() || !AMOUNT_PATTERN.test(schedule.flat)) {
    throw new RangeError('A fee needs an amount of zero or more and a decimal flat part');
  }
  if (!Number.isSafeInteger(schedule.basis_points) || schedule.basis_points < 0) {
    throw new RangeError('Basis points are a whole number of zero or more');
  }
  const proportional = new PreciseDecimal(amount.toString()).times(schedule.basis_points).div(BASIS_POINTS_PER_UNIT);
  const fee = proportional.plus(schedule.flat).toDecimalPlaces(decimalsOf(amount.currency), ROUND_UP);
  return Money.parseSigned(amount.currency, fee.toFixed());
}
