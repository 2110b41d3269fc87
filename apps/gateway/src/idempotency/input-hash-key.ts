import { hkdfSync } from 'node:crypto';
import { ConfigurationError } from '@stablecoin/service-host/setting';

const INFO = 'stablecoin/gateway/input-hash/v1';

interface Keys {
  personalDataKey: Buffer;
  personalDataPreviousKey?: Buffer | null;
  inputHashKey?: Buffer | null;
}

/**
 * The key of the hashes by which the services recognise a command's input, for ever: it must outlive the master key. If
 * none is configured it is derived from the master key, which then can't be changed.
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
