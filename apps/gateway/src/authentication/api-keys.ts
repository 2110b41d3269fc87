import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ExpiringCache } from '@stablecoin/messaging/expiring-cache';
import { LRUCache } from 'lru-cache';
import { Caller } from './caller';

const KNOWN_MS = 10_000;
/** Looked up again so long before that: a busy customer service may take seconds, and all of the key's requests would wait. */
const REFRESHED_MS = 6_000;
const UNKNOWN_MS = 3_000;
/** How long a key counts as valid, after it was last found so, for not being limited as an attempt. */
const VALID_MS = 60 * 60_000;
const KEYS_MAX = 10_000;
const KEY_CHARACTERS_MAX = 256;

/** One request with a key that is not known to be valid. */
export interface Attempt {
  /** @throws Refusal when its caller has made too many */
  begin(): void;
  /** @throws Refusal when too many of those that guess are looked up already */
  beginLookUp(): void;
  /** Its key does not exist. */
  failed(): void;
  /** It does not count: its key is not refused. */
  giveBack(): void;
}

/**
 * Finds the merchant behind an API key. The customer service knows keys by their SHA-256 only, and is asked at most every
 * ten seconds per key. It tells of a key that was revoked (changed-keys.ts), which then works no longer; a gateway that
 * did not hear of it lets the key work for those ten seconds. Unknown keys have a cache of their own, so that
 * guesses neither reach the bus each time nor evict real keys.
 *
 * Keys that are not known to be valid are looked up as attempts, which are limited by their caller's address, so that
 * guesses, each with another key, don't reach the bus beyond that limit, nor beyond one for all addresses that guess. A
 * valid key goes on working meanwhile, also from the same address; a new one is found valid as soon as that address may
 * make an attempt again.
 */
@Injectable()
export class ApiKeys {
  private readonly known = new ExpiringCache<Caller>({
    entriesMax: KEYS_MAX,
    join: (resolving) => this.bus.join(resolveApiKey, resolving),
    refreshedMs: REFRESHED_MS,
  });
  private readonly unknown = new LRUCache<string, true>({ max: KEYS_MAX, ttl: UNKNOWN_MS });
  /** The merchant of each. */
  private readonly valid = new LRUCache<string, string>({ max: KEYS_MAX, ttl: VALID_MS });
  /** Looked up as an attempt right now: other requests with the same key wait for that look-up, and cost nothing. */
  private readonly attempted = new Set<string>();

  constructor(private readonly bus: BusClient) {}

  /** @throws Refusal invalid_api_key, the same for a missing, an unknown and a revoked key */
  async resolve(key: unknown, attempt: Attempt): Promise<Caller> {
    if (!isPossible(key)) {
      attempt.begin();
      throw new Refusal('invalid_api_key');
    }
    const hash = hashOf(key);
    if (this.valid.has(hash) || this.attempted.has(hash)) return this.lookUp(hash);
    attempt.begin();
    if (!this.unknown.has(hash)) attempt.beginLookUp();
    return this.lookUpOnce(hash, attempt);
  }

  /** The merchant of a key that was found valid lately. Nothing is asked for. */
  merchantOf(key: unknown): string | undefined {
    return isPossible(key) ? this.valid.peek(hashOf(key)) : undefined;
  }

  private async lookUpOnce(hash: string, attempt: Attempt): Promise<Caller> {
    this.attempted.add(hash);
    try {
      const caller = await this.lookUp(hash);
      attempt.giveBack();
      return caller;
    } catch (error) {
      if (isInvalidKey(error)) attempt.failed();
      else attempt.giveBack();
      throw error;
    } finally {
      this.attempted.delete(hash);
    }
  }

  /** The key was changed: what is remembered of it, and what is being looked up, may be older than that. */
  forget(hash: string): void {
    this.known.forget(hash);
    this.unknown.delete(hash);
    this.valid.delete(hash);
  }

  private lookUp(hash: string): Promise<Caller> {
    return this.known.get(hash, async () => ({ value: await this.ask(hash), ttlMs: KNOWN_MS }));
  }

  private async ask(hash: string): Promise<Caller> {
    if (this.unknown.has(hash)) throw new Refusal('invalid_api_key');
    try {
      const caller = await this.bus.call(resolveApiKey, { key_hash: hash });
      this.valid.set(hash, caller.merchant_id);
      return caller;
    } catch (error) {
      if (isInvalidKey(error)) {
        this.known.forget(hash);
        this.unknown.set(hash, true);
        this.valid.delete(hash);
      }
      throw error;
    }
  }
}

const isPossible = (key: unknown): key is string =>
  typeof key === 'string' && key !== '' && key.length <= KEY_CHARACTERS_MAX;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

const isInvalidKey = (error: unknown): boolean => error instanceof Refusal && error.code === 'invalid_api_key';
