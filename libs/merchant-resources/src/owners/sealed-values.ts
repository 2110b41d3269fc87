import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { OPENED_AT_ONCE_MAX, OpenedField, openSealed, SealedValue } from '@stablecoin/contracts/customer/open-sealed';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { KeyedHash } from '@stablecoin/personal-data/keyed-hash';
import { SealingKey } from '@stablecoin/personal-data/sealing-key';
import { LRUCache } from 'lru-cache';

const KEPT_MAX = 10_000;
/** As long as an owner is kept: an erased one's values are shown no longer than the owner is found. */
const OPENED_MS = 1_000;
/** Until the answer to the request that sealed it. */
const SEALED_MS = 5_000;

/**
 * Seals personal data for an owner, and has it opened. The gateway holds no key that opens anything: it seals with the owner's
 * sealing key, and the customer service opens what is to be shown.
 */
@Injectable()
export class SealedValues {
  private readonly kept = new LRUCache<string, { value: unknown }>({ max: KEPT_MAX, ttl: OPENED_MS });
  /** By owner and public key. */
  private readonly keys = new LRUCache<string, SealingKey>({ max: KEPT_MAX });

  constructor(private readonly bus: BusClient) {}

  seal(merchantId: string, owner: Owner, field: OpenedField, value: unknown): string {
    const { owner_id, customer_id, sealing_key } = owner;
    const sealed = this.keyOf(owner_id, given(sealing_key)).seal(field, value);
    // What this request has sealed it need not have opened for its answer.
    this.kept.set(nameOf(merchantId, { customer_id, field, sealed }), { value }, { ttl: SEALED_MS });
    return sealed;
  }

  private keyOf(ownerId: string, publicKey: string): SealingKey {
    const name = `${ownerId} ${publicKey}`;
    const known = this.keys.get(name);
    if (known) return known;
    const key = new SealingKey(ownerId, publicKey);
    this.keys.set(name, key);
    return key;
  }

  /** A keyed hash of a text, by the merchant's key: see KeyedHash. */
  hashOf({ owner_id, hash_key }: Owner, field: OpenedField, text: string): string {
    return new KeyedHash(owner_id, Buffer.from(given(hash_key), 'base64')).of(field, text);
  }

  /** Each value, or null when its owner was erased: its key was deleted, so nothing that was sealed for it can be opened. */
  async open(merchantId: string, values: Plain<SealedValue>[]): Promise<unknown[]> {
    const missing = values.filter((value) => !this.kept.has(nameOf(merchantId, value)));
    const opened = new Map(values.map((value) => [value, this.kept.get(nameOf(merchantId, value))?.value ?? null]));
    for (let start = 0; start < missing.length; start += OPENED_AT_ONCE_MAX) {
      const asked = missing.slice(start, start + OPENED_AT_ONCE_MAX);
      const answers = await this.bus.call(openSealed, { merchant_id: merchantId, values: asked });
      asked.forEach((value, index) => {
        const answer = answers[index] ?? null;
        this.kept.set(nameOf(merchantId, value), { value: answer });
        opened.set(value, answer);
      });
    }
    return values.map((value) => opened.get(value));
  }
}

/** A customer service of the version before gives no keys: it is replaced before the gateway is, and then it can be tried again. */
function given(key: string | undefined): string {
  if (key === undefined) throw new Refusal('unavailable');
  return key;
}

const nameOf = (merchantId: string, { customer_id, field, sealed }: Plain<SealedValue>): string =>
  `${merchantId} ${customer_id ?? ''} ${field} ${sealed}`;
