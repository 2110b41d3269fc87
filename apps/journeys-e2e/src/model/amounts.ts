/**
 * The model's amounts: whole numbers of 10⁻⁸, with an implementation of its own, so that it can disagree with the
 * product.
 */

export type Currency = 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';

export const NETWORKS_OF: Readonly<Record<Currency, readonly string[]>> = {
  USDC: ['erc20', 'bep20', 'solana', 'polygon'],
  USDT: ['erc20', 'bep20', 'solana', 'trc20', 'polygon'],
  USD: [],
  NGN: [],
  GBP: [],
  EUR: [],
  CAD: [],
};

export interface FeeSchedule {
  flat: string;
  basisPoints: number;
}

const DECIMALS = 8;
const PRICE_DECIMALS = 12;
const ONE = 10n ** BigInt(DECIMALS);

export const isStablecoin = (currency: Currency) => NETWORKS_OF[currency].length > 0;

/** The smallest amount of a currency, to which amounts are rounded: a cent, or a millionth of a stablecoin. */
export const stepOf = (currency: Currency) => 10n ** BigInt(DECIMALS - (isStablecoin(currency) ? 6 : 2));

/** Whether the currency has no units for exactly that much: such an amount is a wrong field. */
export const isFinerThan = (currency: Currency, amount: bigint) => amount % stepOf(currency) !== 0n;

export const unitsOf = (text: string) => scaled(text, DECIMALS);

export function printed(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** Flat part and basis points together, rounded up to the currency's own decimals; none without a schedule. */
export function feeOn(amount: bigint, currency: Currency, schedule: FeeSchedule | null): bigint | null {
  if (schedule === null) return null;
  const step = stepOf(currency) * 10_000n;
  const exact = unitsOf(schedule.flat) * 10_000n + amount * BigInt(schedule.basisPoints);
  return ((exact + step - 1n) / step) * stepOf(currency);
}

/** What a swap gives: rounded down to the currency's own decimals. */
export function exchanged(amount: bigint, price: string, into: Currency): bigint {
  return (worth(amount, price) / stepOf(into)) * stepOf(into);
}

/** An amount at a price, rounded down to 8 decimals. */
export const worth = (amount: bigint, price: string) =>
  (amount * scaled(price, PRICE_DECIMALS)) / 10n ** BigInt(PRICE_DECIMALS);

/** For words: 12.50000000 is 12.5, and what is whole has no point. */
export const shown = (units: bigint) => (units % ONE === 0n ? String(units / ONE) : printed(units).replace(/0+$/, ''));

function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0'));
}
