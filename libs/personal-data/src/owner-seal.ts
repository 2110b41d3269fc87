import { createHmac } from 'node:crypto';
import { MasterKeys } from './master-keys';
import { openField, sealField } from './sealed-field';
import { isSealedToKey, PrivateSealingKey } from './sealing-key';

/**
 * Seals and opens the personal data of one owner: each value, as JSON, under the owner's own data key, bound to owner and field
 * name. It also opens what others sealed with the owner's sealing key.
 */
export class OwnerSeal {
  private pair: PrivateSealingKey | undefined;

  constructor(
    readonly ownerId: string,
    private readonly dataKey: Buffer,
  ) {}

  /** @throws DataKeyUnreadable when no configured master key opens the wrapped key */
  static unwrap(masterKeys: MasterKeys, ownerId: string, wrappedKey: string): OwnerSeal {
    return new OwnerSeal(ownerId, masterKeys.unwrap(wrappedKey, ownerId));
  }

  seal(field: string, value: unknown): string {
    return sealField(this.dataKey, this.ownerId, field, JSON.stringify(value));
  }

  /** @throws PersonalDataUnreadable */
  open<Value>(field: string, sealed: string): Value {
    const text = isSealedToKey(sealed)
      ? this.sealingKey().open(field, sealed)
      : openField(this.dataKey, this.ownerId, field, sealed);
    return JSON.parse(text) as Value;
  }

  /** The pair that follows from the data key. */
  sealingKey(): PrivateSealingKey {
    this.pair ??= new PrivateSealingKey(this.ownerId, this.derived('stablecoin-sealing-key/1'));
    return this.pair;
  }

  /** The key of the owner's keyed hashes, for `KeyedHash`: it opens nothing. */
  hashKey(): Buffer {
    return this.derived('stablecoin-keyed-hash/1');
  }

  private derived(purpose: string): Buffer {
    return createHmac('sha256', this.dataKey).update(purpose).digest();
  }
}
