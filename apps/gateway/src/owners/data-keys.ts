import { Injectable } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import { LRUCache } from 'lru-cache';
import { GatewayConfiguration } from '../gateway.configuration';

const SEALS_MAX = 10_000;

/** Seals and opens an owner's personal data. The `SEALS_MAX` unwrapped keys used last are kept in memory. */
@Injectable()
export class DataKeys {
  private readonly seals = new LRUCache<string, OwnerSeal>({ max: SEALS_MAX });
  private readonly masterKeys: MasterKeys;

  constructor({ personalDataKey, personalDataPreviousKey }: GatewayConfiguration) {
    this.masterKeys = new MasterKeys(personalDataKey, personalDataPreviousKey);
  }

  /** Seals a value as JSON. */
  seal(owner: Owner, field: string, value: unknown): string {
    return this.sealOf(owner).seal(field, value);
  }

  /** A keyed hash of a text: see `OwnerSeal.hashOf`. */
  hashOf(owner: Owner, field: string, text: string): string {
    return this.sealOf(owner).hashOf(field, text);
  }

  /**
   * Null when the owner was erased: its key was deleted, so nothing that it sealed can be opened.
   *
   * @throws DataKeyUnreadable when the data key exists but no master key opens it
   */
  open<Value>(owner: Owner, field: string, sealed: string): Value | null {
    if (owner.wrapped_data_key === '') return null;
    const seal = this.sealOf(owner);
    try {
      return seal.open<Value>(field, sealed);
    } catch (error) {
      if (error instanceof PersonalDataUnreadable) return null;
      throw error;
    }
  }

  private sealOf({ owner_id, wrapped_data_key }: Owner): OwnerSeal {
    const name = `${owner_id} ${wrapped_data_key}`;
    const known = this.seals.get(name);
    if (known) return known;
    const seal = OwnerSeal.unwrap(this.masterKeys, owner_id, wrapped_data_key);
    this.seals.set(name, seal);
    return seal;
  }
}
