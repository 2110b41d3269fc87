import { hkdfSync } from 'node:crypto';

const INFO = 'stablecoin/gateway/input-hash/v1';

/**
 * The key of the gateway's input hashes, from the master key of personal data, both in base64: what the gateway derived for
 * itself while it had the master key. Kept once it is drawn, so that it outlives the master key.
 */
export const inputHashKeyOf = (personalDataKey: string): string =>
  Buffer.from(hkdfSync('sha256', Buffer.from(personalDataKey, 'base64'), '', INFO, 32)).toString('base64');
