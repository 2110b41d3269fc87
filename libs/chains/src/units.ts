import { decimalsOf } from '@stablecoin/money/currency';
import type { Token } from './tokens';

/** How amounts of the ledger are printed. */
const PRINTED_DECIMALS = 8;

interface LedgerAmount {
  /** With 8 decimals, of which the currency uses 6. */
  amount: string;
  /** What of the units is finer than the currency and therefore not in `amount`. */
  rest: bigint;
}

/**
 * Units of a token's contract as an amount of the ledger, rounded down to the currency's own decimals.
 * @throws RangeError below zero
 */
export function toLedgerAmount({ currency, decimals }: Token, units: bigint): LedgerAmount {
  if (units < 0n) throw new RangeError('A number of units is not negative');
  const kept = decimalsOf(currency);
  const divisor = 10n ** BigInt(Math.max(decimals - kept, 0));
  const rest = units % divisor;
  const scaled = (units / divisor) * 10n ** BigInt(Math.max(kept - decimals, 0) + PRINTED_DECIMALS - kept);
  const digits = scaled.toString().padStart(PRINTED_DECIMALS + 1, '0');
  return { amount: `${digits.slice(0, -PRINTED_DECIMALS)}.${digits.slice(-PRINTED_DECIMALS)}`, rest };
}

/**
 * An amount of the ledger as units of a token's contract, or of a native coin: exact, never rounded.
 * @param amount decimal text without a sign, as the ledger prints it
 * @throws RangeError where the text is no amount, or finer than the token
 */
export function toUnits({ decimals }: Pick<Token, 'decimals'>, amount: string): bigint {
  const [, whole = '', fraction = ''] = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (whole === '') throw new RangeError('An amount is a decimal text without a sign');
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) throw new RangeError(`An amount has at most ${decimals} decimals here`);
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

const COIN_DECIMALS = 18;

/** Native coins as decimal text, without zeros at its end: 1.25. */
export function coinsOf(wei: string): string {
  const digits = wei.padStart(COIN_DECIMALS + 1, '0');
  const fraction = digits.slice(-COIN_DECIMALS).replace(/0+$/, '');
  return `${digits.slice(0, -COIN_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`;
}
