// Amounts are decimal texts, as the service takes and gives them. These few functions count with them exactly, in whole numbers
// of any size: no amount is ever a float.

import type { Currency } from './types.generated';

const AMOUNT = /^(-?)(\d+)(?:\.(\d+))?$/;
const DECIMALS: Readonly<Record<Currency, number>> = { USDC: 6, USDT: 6, USD: 2, NGN: 2, GBP: 2, EUR: 2, CAD: 2 };

/** `add('1.10', '2')` is `'3.10'`: with as many decimals as the longer of the two. */
export const add = (one: string, other: string): string => inSameUnits(one, other, (left, right) => left + right);

/** `subtract('1', '2.5')` is `'-1.5'`. */
export const subtract = (one: string, other: string): string => inSameUnits(one, other, (left, right) => left - right);

/** Below zero where the first is less, 0 where both are the same amount (`'1.5'` and `'1.50000000'`), above zero otherwise. */
export function compare(one: string, other: string): number {
  const difference = parsed(subtract(one, other)).units;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * `toMinorUnits('10.50', 'USD')` is `1050n`, cents; a stablecoin's are millionths. In place of a currency, a number of decimals.
 * @throws RangeError where the amount is finer than that
 */
export function toMinorUnits(amount: string, unit: Currency | number): bigint {
  const { units, decimals } = parsed(amount);
  const wanted = decimalsOf(unit);
  if (decimals <= wanted) return units * 10n ** BigInt(wanted - decimals);
  const tooFine = 10n ** BigInt(decimals - wanted);
  if (units % tooFine !== 0n) throw new RangeError(`${amount} has more than ${wanted} decimals.`);
  return units / tooFine;
}

/** `fromMinorUnits(1050n, 'USD')` is `'10.50'`. */
export const fromMinorUnits = (units: bigint, unit: Currency | number): string => printed(units, decimalsOf(unit));

function inSameUnits(one: string, other: string, counted: (left: bigint, right: bigint) => bigint): string {
  const decimals = Math.max(parsed(one).decimals, parsed(other).decimals);
  return printed(counted(toMinorUnits(one, decimals), toMinorUnits(other, decimals)), decimals);
}

function parsed(amount: string): { units: bigint; decimals: number } {
  const [, sign = '', whole = '', fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (whole === '') throw new RangeError(`"${amount}" is not an amount: decimal text such as "10.50" is.`);
  return { units: BigInt(`${sign}${whole}${fraction}`), decimals: fraction.length };
}

function printed(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const sign = units < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function decimalsOf(unit: Currency | number): number {
  const decimals = typeof unit === 'number' ? unit : DECIMALS[unit];
  if (!Number.isInteger(decimals) || decimals < 0)
    throw new RangeError(`${String(unit)} is no currency of the service.`);
  return decimals;
}
