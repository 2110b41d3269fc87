import { Currency, Network } from '@stablecoin/money/currency';

/**
 * An account of the ledger: a wallet (its UUID), or a house account; every shard has one house account per kind and
 * currency. Balances are credits less debits: a wallet's is positive when the house owes its owner money, and
 * `external` is negative by the money that came in from outside. All accounts of a currency sum to zero.
 */
export type AccountId = string;

/** Holds the money of payouts that aren't resolved yet. */
export const payoutClearing = (currency: Currency): AccountId => `payout-clearing:${currency}`;

/**
 * Counterpart of all money that enters or leaves: one for each network, so that what the ledger owes on a chain can be held
 * against what is there, and one for all banks. Versions before kept one for all networks, `external:chain:<currency>`: what
 * they posted there stays, and its transaction says which network it was.
 */
export const external = (network: Network | null, currency: Currency): AccountId =>
  `external:${network ?? 'bank'}:${currency}`;

/** The other side of every swap. */
export const liquidity = (currency: Currency): AccountId => `liquidity:${currency}`;

/** Money on its way from one owner's wallet to another's: zero after every command. */
export const transfers = (currency: Currency): AccountId => `transfers:${currency}`;

/** The fees of completed payouts. */
export const fees = (currency: Currency): AccountId => `fees:${currency}`;
