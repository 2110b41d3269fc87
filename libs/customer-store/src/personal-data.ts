import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { blindIndex } from '@stablecoin/personal-data/blind-index';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';

/** The service's keys: a master key wraps data keys, wherever it is, and the index key makes the blind indexes. */
export class PersonalData {
  constructor(
    private readonly wrapping: KeyWrapping,
    private readonly indexKey: Buffer,
  ) {}

  /** Not within a transaction where that can be: the key management service may take its time. */
  async newOwner(ownerId: string): Promise<{ seal: OwnerSeal; wrappedKey: string }> {
    const key = createDataKey();
    return { seal: new OwnerSeal(ownerId, key), wrappedKey: await this.wrapping.wrap(key, ownerId) };
  }

  /** @throws DataKeyUnreadable, Refusal `unavailable` */
  async sealOf(ownerId: string, wrappedKey: string): Promise<OwnerSeal> {
    return new OwnerSeal(ownerId, await this.wrapping.unwrap(wrappedKey, ownerId));
  }

  /** @throws DataKeyUnreadable, Refusal `unavailable` */
  unwrap(ownerId: string, wrappedKey: string): Promise<Buffer> {
    return this.wrapping.unwrap(wrappedKey, ownerId);
  }

  /** E-mail addresses compare in lower case, per merchant. */
  emailIndex(merchantId: string, email: string): string {
    return blindIndex(this.indexKey, `customer.email:${merchantId}`, email.toLowerCase());
  }

  phoneIndex(merchantId: string, phone: string): string {
    return blindIndex(this.indexKey, `customer.phone:${merchantId}`, phone);
  }

  /** Of a list and how far the past was held against it: a MAC that the database's logins can't make. */
  rescanIndex(listId: string, reached: bigint): string {
    return blindIndex(this.indexKey, `screening.rescanned:${listId}`, String(reached));
  }

  /** A document's digest would confirm to a reader which document it is. */
  digestIndex(sha256: string): string {
    return blindIndex(this.indexKey, 'document.sha256', sha256);
  }
}
