import { Injectable } from '@nestjs/common';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { CustomerStatus } from '@stablecoin/contracts/customer/views';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { LRUCache } from 'lru-cache';
import { PayoutConfiguration } from '../payout.configuration';

const CACHED_MAX = 1_000;
/** Short: the cache must not keep a destroyed key usable. */
const CACHED_MS = 30_000;

/** An owner's seal, with the status that the owner had when its key was read. */
export interface OwnerKey {
  readonly seal: OwnerSeal;
  readonly status: CustomerStatus;
  /** Of a merchant's own key only; undefined while the customer service is of the version before. */
  readonly mode: KeyMode | undefined;
}

/** The keys of owners, read from the customer service and cached. */
@Injectable()
export class OwnerKeys {
  private readonly cached = new LRUCache<string, OwnerKey>({ max: CACHED_MAX, ttl: CACHED_MS });
  private readonly masterKeys: MasterKeys;

  constructor(
    private readonly bus: BusClient,
    { personalDataKey, personalDataPreviousKey }: PayoutConfiguration,
  ) {
    this.masterKeys = new MasterKeys(personalDataKey, personalDataPreviousKey);
  }

  /** The key, at most CACHED_MS old: enough to open what is sealed. */
  async keyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    return this.cached.get(cacheKey(merchantId, customerId)) ?? this.currentKeyOf(merchantId, customerId);
  }

  /**
   * The key with the owner's current status: for decisions.
   *
   * @throws Refusal `not_found` for a customer that is not this merchant's
   * @throws DataKeyUnreadable
   */
  async currentKeyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    const { owner_id, status, wrapped_data_key, key_mode } = await this.bus.call(findOwner, {
      merchant_id: merchantId,
      customer_id: customerId,
    });
    const key = { seal: OwnerSeal.unwrap(this.masterKeys, owner_id, wrapped_data_key), status, mode: key_mode };
    this.cached.set(cacheKey(merchantId, customerId), key);
    return key;
  }
}

const cacheKey = (merchantId: string, customerId: string | null): string => `${merchantId}:${customerId ?? ''}`;
