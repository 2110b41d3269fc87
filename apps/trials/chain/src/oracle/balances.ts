/** What each wallet must have once everything is final: its deposits that are credited, less its payouts that completed. */
import type { Money } from '@stablecoin/money/money';

/** @param balances of the ledger, by wallet, as it prints them; one that nothing was ever booked on has none */
export function findingsOfBalances(balances: ReadonlyMap<string, string>, due: ReadonlyMap<string, Money>): string[] {
  return [...due].flatMap(([wallet, amount]) => {
    const has = balances.get(wallet);
    return has === amount.toString() || (has === undefined && amount.isZero())
      ? []
      : [
          `wallet ${wallet} has ${has ?? 'no balance'} ${amount.currency}, and ${amount.toString()} came in and did not leave`,
        ];
  });
}
