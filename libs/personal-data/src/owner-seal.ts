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

  /** @throws PersonalDataUnreadable */
  open<Value>(field: string, sealed: string): Value {
    return JSON.parse(openField(this.dataKey, this.ownerId, field, sealed)) as Value;
  }
}
