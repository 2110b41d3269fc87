import { Currency, Network } from '@stablecoin/money/currency';

/**
 * An account of the ledger: a wallet (its UUID), or one of the house's own, of which every shard has one per kind
 * and currency. Balances are credits less debits: what the house owes a wallet's owner is positive, and
 * `external` goes below zero by what came in from outside. All accounts of a currency sum to zero.
 */
export type AccountId = string;

/** Where the money of a payout that isn't resolved yet is held. */
export const payoutClearing = (currency: Currency): AccountId => `payout-clearing:${currency}`;

/** The world behind a rail. */
export const external = (rail: 'bank' | 'chain', currency: Currency): AccountId => `external:${rail}:${currency}`;

/** The other side of every swap. */
export const liquidity = (currency: Currency): AccountId => `liquidity:${currency}`;

/** The fees of completed payouts. */
export const fees = (currency: Currency): AccountId => `fees:${currency}`;

/** Money on a network travels by chain, all other by bank. */
export const railOf = (network: Network | null): 'bank' | 'chain' => (network === null ? 'bank' : 'chain');
