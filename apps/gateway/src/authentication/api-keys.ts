import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ExpiringCache } from '../caching/expiring-cache';
import { Caller } from './caller';

const KNOWN_MS = 10_000;
const UNKNOWN_MS = 3_000;
const MAX_KEYS = 10_000;
const MAX_KEY_CHARACTERS = 256;

/**
 * Who is behind an API key. The customer service knows keys by their SHA-256 only, and is asked at most every ten
 * seconds per key: so long a revoked key still works here. Unknown keys have a cache of their own, so that guessing
 * neither reaches the bus each time nor drives real keys out.
 */
@Injectable()
export class ApiKeys {
  private readonly known = new ExpiringCache<Caller>(MAX_KEYS, Date.now, (asked) =>
    this.bus.join(resolveApiKey, asked),
  );
  private readonly unknown = new ExpiringCache<true>(MAX_KEYS);

  constructor(private readonly bus: BusClient) {}

  /** @throws Refusal invalid_api_key, the same for a missing, an unknown and a revoked key */
  async resolve(key: unknown): Promise<Caller> {
    if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARACTERS) throw new Refusal('invalid_api_key');
    const hash = createHash('sha256').update(key).digest('hex');
    return this.known.get(hash, async () => ({ value: await this.ask(hash), ttlMs: KNOWN_MS }));
  }

  private async ask(hash: string): Promise<Caller> {
    let caller: Caller | undefined;
    await this.unknown.get(hash, async () => {
      caller = await this.bus.call(resolveApiKey, { key_hash: hash }).catch(nobodyIfUnknown);
      return { value: true, ttlMs: caller ? 0 : UNKNOWN_MS };
    });
    if (!caller) throw new Refusal('invalid_api_key');
    return caller;
  }
}

function nobodyIfUnknown(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'invalid_api_key') return undefined;
  throw error;
}
