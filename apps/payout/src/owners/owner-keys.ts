import { Injectable } from '@nestjs/common';
import { findOwner } from '@stablecoin/contracts/customer/find-owner';
import { CustomerStatus } from '@stablecoin/contracts/customer/views';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { openField, sealField } from '@stablecoin/personal-data/sealed-field';
import { PayoutConfiguration } from '../payout.configuration';

const MAX_CACHED = 1_000;
/** Short: a key that was destroyed must not live on here. */
const CACHED_MS = 30_000;

/** An owner's data key, and what it is for. */
export class OwnerKey {
  constructor(
    readonly ownerId: string,
    readonly status: CustomerStatus,
    private readonly dataKey: Buffer,
  ) {}

  seal(field: string, value: unknown): string {
    return sealField(this.dataKey, this.ownerId, field, JSON.stringify(value));
  }

  /** @throws PersonalDataUnreadable */
  open<Value>(field: string, sealed: string): Value {
    return JSON.parse(openField(this.dataKey, this.ownerId, field, sealed)) as Value;
  }
}

/** The keys of owners, from the customer service; kept for a short while, at most MAX_CACHED of them. */
@Injectable()
export class OwnerKeys {
  private readonly cached = new Map<string, { key: OwnerKey; until: number }>();
  private readonly masterKeys: MasterKeys;

  constructor(
    private readonly bus: BusClient,
    { personalDataKey, personalDataPreviousKey }: PayoutConfiguration,
  ) {
    this.masterKeys = new MasterKeys(personalDataKey, personalDataPreviousKey);
  }

  /** The key as it was a short while ago: enough for opening what is sealed. */
  async keyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    const entry = this.cached.get(cacheKey(merchantId, customerId));
    return entry && entry.until > Date.now() ? entry.key : this.currentKeyOf(merchantId, customerId);
  }

  /**
   * The key with the owner's status of this moment: for decisions.
   *
   * @throws Refusal `not_found` for a customer that is not this merchant's
   * @throws DataKeyUnreadable
   */
  async currentKeyOf(merchantId: string, customerId: string | null): Promise<OwnerKey> {
    const owner = await this.bus.call(findOwner, { merchant_id: merchantId, customer_id: customerId });
    const dataKey = this.masterKeys.unwrap(owner.wrapped_data_key, owner.owner_id);
    const key = new OwnerKey(owner.owner_id, owner.status, dataKey);
    this.remember(cacheKey(merchantId, customerId), key);
    return key;
  }

  private remember(name: string, key: OwnerKey): void {
    this.cached.delete(name);
    const oldest = this.cached.keys().next();
    if (this.cached.size >= MAX_CACHED && !oldest.done) this.cached.delete(oldest.value);
    this.cached.set(name, { key, until: Date.now() + CACHED_MS });
  }
}

const cacheKey = (merchantId: string, customerId: string | null): string => `${merchantId}:${customerId ?? ''}`;
