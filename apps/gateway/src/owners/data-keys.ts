import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { openField, sealField } from '@stablecoin/personal-data/sealed-field';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';

const KEYS_MAX = 10_000;

/** Seals and opens an owner's personal data. The `KEYS_MAX` unwrapped keys used last are kept in memory. */
@Injectable()
export class DataKeys {
  private readonly unwrapped = new LRUCache<string, Buffer>({ max: KEYS_MAX });
  private readonly masterKeys: MasterKeys;

  constructor({ personalDataKey, personalDataPreviousKey }: GatewayConfiguration) {
    this.masterKeys = new MasterKeys(personalDataKey, personalDataPreviousKey);
  }

  seal(owner: Owner, field: string, plaintext: string): string {
    return sealField(this.keyOf(owner), owner.owner_id, field, plaintext);
  }

  /**
   * Null when the owner was erased: its key is gone, and with it everything that it sealed.
   *
   * @throws DataKeyUnreadable when the key is there and the master key is not
   */
  open(owner: Owner, field: string, sealed: string): string | null {
    if (owner.wrapped_data_key === '') return null;
    const dataKey = this.keyOf(owner);
    try {
      return openField(dataKey, owner.owner_id, field, sealed);
    } catch (error) {
      if (error instanceof PersonalDataUnreadable) return null;
      throw error;
    }
  }

  private keyOf(owner: Owner): Buffer {
    const name = `${owner.owner_id} ${owner.wrapped_data_key}`;
    const known = this.unwrapped.get(name);
    if (known) return known;
    const key = this.masterKeys.unwrap(owner.wrapped_data_key, owner.owner_id);
    this.unwrapped.set(name, key);
    return key;
  }
}
