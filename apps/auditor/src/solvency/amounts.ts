/**
 * One unit for what chains and the ledger count: 10^-18 of a coin, the finest that a listed token has. So nothing is rounded
 * between them, and a difference of one unit of any token is a difference here.
 */
import { Token } from '@stablecoin/chains/tokens';

const DECIMALS = 18;
const LEDGER_DECIMALS = 8;
/** How many are always printed: those that the ledger pays out in. */
const DECIMALS_SHOWN_MIN = 6;

/** In 10^-18 of a coin; below zero for what went out. */
export type Amount = bigint;

export const ofUnits = ({ decimals }: Pick<Token, 'decimals'>, units: bigint): Amount =>
  units * 10n ** BigInt(DECIMALS - decimals);

/** @param units of the eighth decimal, as statements of liabilities count */
export const ofLedgerUnits = (units: bigint): Amount => units * 10n ** BigInt(DECIMALS - LEDGER_DECIMALS);

/** @param text as the ledger prints amounts, also with a minus sign */
export function ofLedger(text: string): Amount {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,40})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new Error(`no amount: ${text}`);
  const amount = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -amount : amount;
}

/** All of its decimals, six at the least. */
export function printed(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS);
  const shown = fraction.slice(0, DECIMALS_SHOWN_MIN) + fraction.slice(DECIMALS_SHOWN_MIN).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${shown}`;
}

export const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, amount) => sum + amount, 0n);
