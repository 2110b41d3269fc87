import { OpenedTransaction } from '@stablecoin/ledger-domain/events';
import { Money } from '@stablecoin/money/money';

/** An instance whose clock is further off hands its shards over. */
export const CLOCKS_MS = 5_000;

export function isAmountOf(opened: OpenedTransaction | undefined, currency: string, amount: string): boolean {
  if (opened?.currency !== currency) return false;
  return Money.parse(opened.currency, amount).toString() === opened.amount;
}
