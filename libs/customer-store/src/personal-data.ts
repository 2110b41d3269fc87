import { blindIndex } from '@stablecoin/personal-data/blind-index';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { openField, sealField } from '@stablecoin/personal-data/sealed-field';

/** The personal data of one owner: everything is sealed under its own data key and bound to owner and field. */
export class OwnerSeal {
  constructor(
    private readonly dataKey: Buffer,
    private readonly ownerId: string,
  ) {}

  seal(field: string, value: unknown): string {
    return sealField(this.dataKey, this.ownerId, field, JSON.stringify(value));
  }

  open<Value>(field: string, sealed: string): Value {
    return JSON.parse(openField(this.dataKey, this.ownerId, field, sealed)) as Value;
  }
}

/** What a data key seals, given the master keys that may wrap it. */
export function unwrappedSeal(masterKeys: MasterKeys, ownerId: string, wrappedKey: string): OwnerSeal {
  return new OwnerSeal(masterKeys.unwrap(wrappedKey, ownerId), ownerId);
}

/** The keys of the service at work: data keys are wrapped with the master key, fingerprints made with the index key. */
export class PersonalData {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly indexKey: Buffer,
  ) {}

  newOwner(ownerId: string): { seal: OwnerSeal; wrappedKey: string } {
    const key = createDataKey();
    return { seal: new OwnerSeal(key, ownerId), wrappedKey: this.masterKeys.wrap(key, ownerId) };
  }

  sealOf(ownerId: string, wrappedKey: string): OwnerSeal {
    return unwrappedSeal(this.masterKeys, ownerId, wrappedKey);
  }

  unwrap(ownerId: string, wrappedKey: string): Buffer {
    return this.masterKeys.unwrap(wrappedKey, ownerId);
  }

  /** E-mail addresses compare in lower case, per merchant. */
  emailIndex(merchantId: string, email: string): string {
    return blindIndex(this.indexKey, `customer.email:${merchantId}`, email.toLowerCase());
  }

  phoneIndex(merchantId: string, phone: string): string {
    return blindIndex(this.indexKey, `customer.phone:${merchantId}`, phone);
  }

  /** A document's digest would confirm to a reader which document it is. */
  digestIndex(sha256: string): string {
    return blindIndex(this.indexKey, 'document.sha256', sha256);
  }
}
