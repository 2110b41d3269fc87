import { createHmac } from 'node:crypto';
import { authenticatedData } from './sealed-bytes';
import { MasterKeys } from './master-keys';
import { openField, sealField } from './sealed-field';

/**
 * Seals the personal data of one owner: each value, as JSON, under the owner's own data key, bound to owner and field name.
 */
export class OwnerSeal {
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

  /** The same for the same text, and telling nothing of it without the key: HMAC-SHA256, by a key of its own. */
  hashOf(field: string, text: string): string {
    const key = createHmac('sha256', this.dataKey).update('stablecoin-keyed-hash/1').digest();
    const context = authenticatedData(['hash', this.ownerId, field]);
    return createHmac('sha256', key).update(context).update(text).digest('hex');
  }

  /** @throws PersonalDataUnreadable */
  open<Value>(field: string, sealed: string): Value {
    return JSON.parse(openField(this.dataKey, this.ownerId, field, sealed)) as Value;
  }
}
