import { Injectable } from '@nestjs/common';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { CustomerStatus } from '@stablecoin/contracts/customer/views';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { LRUCache } from 'lru-cache';

const CACHED_MAX = 1_000;
/** Short: the cache must not keep a destroyed key usable. */
const CACHED_MS = 30_000;

/** An owner's seal, with the status that the owner had when its key was read. */
export interface OwnerKey {
  readonly seal: OwnerSeal;
  readonly status: CustomerStatus;
  /** Of a merchant's own key only; undefined while the customer service is of the version before. */
  readonly mode: KeyMode | undefined;
  /** Of a merchant's own key only: whether what it pays out is screened first. */
  readonly isScreened: boolean;
}

/** The keys of owners, read from the customer service and cached. */
@Injectable()
export class OwnerKeys {
  private readonly cached = new LRUCache<string, OwnerKey>({ max: CACHED_MAX, ttl: CACHED_MS });

  constructor(
    private readonly bus: BusClient,
    private readonly wrapping: KeyWrapping,
  ) {}

  /** The key, at most CACHED_MS old: enough to open what is sealed. */
  async keyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    return this.cached.get(cacheKey(merchantId, customerId)) ?? this.currentKeyOf(merchantId, customerId);
  }

  /**
   * The key with the owner's current status: for decisions.
   *
   * @throws Refusal `not_found` for a customer that is not this merchant's
   * @throws DataKeyUnreadable
   * @throws Refusal `unavailable` where the key management service does not answer
   */
  async currentKeyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    const { owner_id, status, wrapped_data_key, key_mode, is_screened } = await this.bus.call(findOwner, {
      merchant_id: merchantId,
      customer_id: customerId,
    });
    const key = {
      seal: new OwnerSeal(owner_id, await this.wrapping.unwrap(wrapped_data_key, owner_id)),
      status,
      mode: key_mode,
      // A customer service of the version before doesn't say, and screens nothing: what a live merchant pays out waits for it.
      isScreened: is_screened ?? key_mode !== 'test',
    };
    this.cached.set(cacheKey(merchantId, customerId), key);
    return key;
  }
}

const cacheKey = (merchantId: string, customerId: string | null): string => `${merchantId}:${customerId ?? ''}`;
