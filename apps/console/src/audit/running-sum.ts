import type { Schema } from '../api/client';
import { sumOf } from '../amounts/amounts';

/**
 * Adds the changes up from the opening, without asking the ledger whether they are right.
 *
 * @returns the position at which they are not the balance that the event states; null where all are
 */
export function firstThatDiffers({
  opening,
  events,
  balance,
}: Pick<Schema<'BalanceExplanation'>, 'opening' | 'events' | 'balance'>): number | null {
  let sum = opening;
  for (const { change, balance_after: stated, position } of [...events].reverse()) {
    const next = sumOf([sum, change]);
    if (next === undefined || (stated !== null && !isSame(next, stated))) return position;
    sum = next;
  }
  return isSame(sum, balance) ? null : (events[0]?.position ?? 0);
}

const isSame = (one: string, other: string): boolean => sumOf([one]) === sumOf([other]);
