/**
 * Whether what is held of a currency covers what is owed in it. Networks are taken together: a merchant may deposit on one
 * and be paid on another, and what is owed in a currency also came from swaps of others.
 */
import { Currency } from '@stablecoin/money/currency';
import { Amount, sumOf } from './amounts';
import { EXPLANATIONS, Explanation, OURS, Reconciliation } from './reconcile';

export interface Coverage {
  currency: Currency;
  /** To all wallets, as it was signed, without those of merchants that are left out. */
  owed: Amount;
  /** What came in, less what went out, through networks that the auditor leaves out: what of `owed` is to be found there. */
  elsewhere: Amount;
  /** On all networks that were looked at. */
  held: Amount;
  /** On others, as somebody has stated it. */
  stated: Amount;
  /** Of `held`, what customers will be owed, may be owed or have been paid already. */
  spokenFor: Amount;
  /** Below zero where it isn't covered. */
  surplus: Amount;
}

/** @param elsewhere may be below zero, where more went out than came in: then it lowers nothing */
export function coverageOf(
  currency: Currency,
  owed: Amount,
  { elsewhere, stated }: Pick<Coverage, 'elsewhere' | 'stated'>,
  networks: readonly Reconciliation[],
): Coverage {
  const held = sumOf(networks.map((network) => network.held));
  const spokenFor = sumOf(networks.flatMap(({ explained }) => notOurs.map((name) => explained[name].amount)));
  const there = elsewhere > 0n ? elsewhere : 0n;
  const surplus = held + stated - spokenFor - (owed - there);
  return { currency, owed, elsewhere: there, held, stated, spokenFor, surplus };
}

const notOurs = (Object.keys(EXPLANATIONS) as Explanation[]).filter((name) => !OURS.includes(name));
