import { hkdfSync } from 'node:crypto';
import { ConfigurationError } from '@stablecoin/service-host/setting';

const INFO = 'stablecoin/gateway/input-hash/v1';

interface Keys {
  personalDataKey: Buffer;
  personalDataPreviousKey?: Buffer | null;
  inputHashKey?: Buffer | null;
}

/**
 * What commands took effect with is remembered for ever, by a hash under this key, so it outlives the master key: without
 * one of its own it is derived from the master key, which then can't be changed.
 */
export function inputHashKeyOf({ personalDataKey, personalDataPreviousKey, inputHashKey }: Keys): Buffer {
  if (inputHashKey) return inputHashKey;
  if (personalDataPreviousKey) {
    const derived = `HKDF-SHA-256 of the first PERSONAL_DATA_KEY, no salt, info "${INFO}", 32 bytes`;
    throw new ConfigurationError(
      `INPUT_HASH_KEY: expected it to be set before PERSONAL_DATA_KEY is changed, to what was used until then: ${derived}`,
    );
  }
  return Buffer.from(hkdfSync('sha256', personalDataKey, '', INFO, 32));
}
