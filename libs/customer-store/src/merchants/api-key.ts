import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';

export const API_KEY_SCOPES: readonly ApiKeyScope[] = ['read', 'write', 'payout', 'approve'];
/** Of a key of which nothing is said: it does everything but approve what other keys have created. */
export const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['read', 'write', 'payout'];

/** `sk_test_…` or `sk_live_…` and 256 random bits. */
export function drawApiKey(mode: KeyMode): string {
  return `sk_${mode}_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a key. Its entropy makes a slow hash needless. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey, 'utf8').digest('hex');
}

/** Compares two hashes in constant time: how far an index look-up went must not be what decides. */
export function sameHash(left: string, right: string): boolean {
  const [leftBytes, rightBytes] = [Buffer.from(left, 'hex'), Buffer.from(right, 'hex')];
  return leftBytes.length === rightBytes.length && timingSafeEqual(leftBytes, rightBytes);
}
