/**
 * Networks of which the audit has no nodes. What came in through them is owed all the same, and nothing here shows that it is
 * held: the auditor says of each how it is to be taken, or the verdict is that it was not looked at.
 */
import { TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { Network, NETWORKS } from '@stablecoin/money/currency';
import { Amount } from './amounts';

/** What somebody states to be held on a network. It is said as a statement, and counts as held. */
export interface StatedHolding {
  network: Network;
  currency: TokenCurrency;
  amount: Amount;
}

export interface PlaceNotLookedAt {
  network: Network;
  currency: TokenCurrency;
  /** What came in through it, less what went out: what is owed there. Below zero where more went out. */
  booked: Amount;
  /** Null where nothing is stated. */
  stated: Amount | null;
  /** Its auditor knows, and looks at it by other means. */
  leftOut: boolean;
}

/** @returns those with which anything was booked, or of which something is stated */
export function placesNotLookedAt(
  lookedAt: readonly Network[],
  stated: readonly StatedHolding[],
  without: ReadonlySet<Network>,
  bookedThrough: (network: Network, currency: TokenCurrency) => Amount,
): PlaceNotLookedAt[] {
  const others = NETWORKS.filter((network) => !lookedAt.includes(network));
  return others
    .flatMap((network) =>
      TOKEN_CURRENCIES.map((currency) => ({
        ...{ network, currency, booked: bookedThrough(network, currency), leftOut: without.has(network) },
        stated: stated.find((one) => one.network === network && one.currency === currency)?.amount ?? null,
      })),
    )
    .filter(({ booked, stated: amount }) => booked !== 0n || amount !== null);
}

/** Something is owed there, and where it is held is not stated. */
export const isOpen = ({ booked, stated, leftOut }: PlaceNotLookedAt): boolean =>
  booked > 0n && stated === null && !leftOut;
