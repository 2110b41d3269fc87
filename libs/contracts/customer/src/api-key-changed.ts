/**
 * Told to every gateway, over the bus and at the commit, when a key was revoked or otherwise changed: what a gateway
 * remembers of it is then out of date. It has no answer, and a lost message is no harm: a gateway remembers nothing for
 * more than ten seconds.
 */
export const API_KEY_CHANGED = 'customer.api-key-changed';

/** The key by its SHA-256. */
export interface ApiKeyChanged {
  key_hash: string;
}

const HASH = /^[0-9a-f]{64}$/;

export function isApiKeyChanged(value: unknown): value is ApiKeyChanged {
  const { key_hash } = (value ?? {}) as Partial<ApiKeyChanged>;
  return typeof key_hash === 'string' && HASH.test(key_hash);
}
