import { blindIndex } from '@stablecoin/personal-data/blind-index';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';

/** The service's keys: the master key wraps data keys, the index key makes the blind indexes. */
export class PersonalData {
  constructor(
    private readonly masterKeys: MasterKeys,
    private readonly indexKey: Buffer,
  ) {}

  newOwner(ownerId: string): { seal: OwnerSeal; wrappedKey: string } {
    const key = createDataKey();
    return { seal: new OwnerSeal(ownerId, key), wrappedKey: this.masterKeys.wrap(key, ownerId) };
  }

  sealOf(ownerId: string, wrappedKey: string): OwnerSeal {
    return OwnerSeal.unwrap(this.masterKeys, ownerId, wrappedKey);
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
