import type { Schema } from '../api/client';

type ApiKey = Schema<'ApiKey'>;

/** What each scope lets a key do. */
export const SCOPE_WORDS: Readonly<Record<Schema<'Scope'>, string>> = {
  read: 'Read everything, names and accounts too',
  write: 'Create customers, wallets and swaps',
  payout: 'Pay out',
  approve: 'Approve payouts',
};

export const scopesText = (scopes: readonly Schema<'Scope'>[]): string => scopes.join(', ');

/** Of an ended key why, of a key that ends nothing. */
export function standingOf(
  { revoked_at, expires_at }: ApiKey,
  now: number,
): 'valid' | 'ending' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'valid';
  return Date.parse(expires_at) <= now ? 'expired' : 'ending';
}

/** Addresses as a person types them: one a line, or with commas. */
export const addressesOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))];

/** @param which key it is */
export const noteOf = (which: string): string =>
  `${which} It is not shown again: keep it where your program finds it, and nowhere else.`;
