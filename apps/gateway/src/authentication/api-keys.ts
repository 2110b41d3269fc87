import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ExpiringCache } from '../caching/expiring-cache';
import { LRUCache } from 'lru-cache';
import { Caller } from './caller';

const KNOWN_MS = 10_000;
const UNKNOWN_MS = 3_000;
const KEYS_MAX = 10_000;
const KEY_CHARACTERS_MAX = 256;

/**
 * Finds the merchant behind an API key. The customer service knows keys by their SHA-256 only, and is asked at most every
 * ten seconds per key: for that long a revoked key still works here. Unknown keys have a cache of their own, so that
 * guesses neither reach the bus each time nor evict real keys.
 */
@Injectable()
export class ApiKeys {
  private readonly known = new ExpiringCache<Caller>({
    entriesMax: KEYS_MAX,
    join: (resolving) => this.bus.join(resolveApiKey, resolving),
  });
  private readonly unknown = new LRUCache<string, true>({ max: KEYS_MAX, ttl: UNKNOWN_MS });

  constructor(private readonly bus: BusClient) {}

  /** @throws Refusal invalid_api_key, the same for a missing, an unknown and a revoked key */
  async resolve(key: unknown): Promise<Caller> {
    if (typeof key !== 'string' || key === '' || key.length > KEY_CHARACTERS_MAX) throw new Refusal('invalid_api_key');
    const hash = createHash('sha256').update(key).digest('hex');
    return this.known.get(hash, async () => ({ value: await this.ask(hash), ttlMs: KNOWN_MS }));
  }

  private async ask(hash: string): Promise<Caller> {
    if (this.unknown.has(hash)) throw new Refusal('invalid_api_key');
    try {
      return await this.bus.call(resolveApiKey, { key_hash: hash });
    } catch (error) {
      if (error instanceof Refusal && error.code === 'invalid_api_key') this.unknown.set(hash, true);
      throw error;
    }
  }
}
