/**
 * Keys of 32 bytes by the service that they belong to, as a setting holds them: `gateway:<base64>,payout:<base64>`. A
 * service that is named twice has two keys, while one replaces the other.
 */
export type CallerKeys = ReadonlyMap<string, readonly Buffer[]>;

export const NO_CALLER_KEYS: CallerKeys = new Map();

const ENTRY = /^([a-z][a-z-]*):([A-Za-z0-9+/]{43}=)$/;

/** @throws Error for text that holds anything else */
export function readCallerKeys(text: string): CallerKeys {
  const keys = new Map<string, Buffer[]>();
  for (const entry of text.split(',')) {
    const [, service, key] = ENTRY.exec(entry.trim()) ?? [];
    if (service === undefined || key === undefined)
      throw new Error('names of services with a key of 32 bytes in base64 each, as in gateway:<key>,payout:<key>');
    keys.set(service, [...(keys.get(service) ?? []), Buffer.from(key, 'base64')]);
  }
  return keys;
}

export const callerKeysText = (keys: readonly (readonly [service: string, key: Buffer])[]): string =>
  keys.map(([service, key]) => `${service}:${key.toString('base64')}`).join(',');
