import { OpenSealed, openSealed, SealedValue } from '@stablecoin/contracts/customer/open-sealed';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import { KEYS_IN_USE } from '@stablecoin/customer-store/keys-in-use';

interface KeyRow {
  owner_id: string;
  wrapped_key: string;
}

@Handles(openSealed)
export class OpenSealedHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, values }: OpenSealed): Promise<unknown[]> {
    const ownerOf = ({ customer_id }: SealedValue): string => customer_id ?? merchant_id;
    const seals = await this.sealsOf(merchant_id, [...new Set(values.map(ownerOf))]);
    return values.map((value) => opened(seals.get(ownerOf(value)), value));
  }

  /** Of the merchant and its customers that are among these, and were not erased. */
  private async sealsOf(merchantId: string, owners: string[]): Promise<Map<string, OwnerSeal>> {
    const rows = await asRefusal(
      () => this.database.$queryRaw<KeyRow[]>`
      SELECT owner_id::text, wrapped_key FROM ${KEYS_IN_USE}
      WHERE owner_id = ANY (${owners}::uuid[])
        AND (owner_id = ${merchantId}::uuid OR EXISTS (
          SELECT 1 FROM customers WHERE id = owner_id AND merchant_id = ${merchantId}::uuid))`,
    );
    const sealOf = async ({ owner_id, wrapped_key }: KeyRow): Promise<[string, OwnerSeal]> => [
      owner_id,
      await this.personalData.sealOf(owner_id, wrapped_key),
    ];
    return new Map(await Promise.all(rows.map(sealOf)));
  }
}

function opened(seal: OwnerSeal | undefined, { field, sealed }: SealedValue): unknown {
  if (!seal) return null;
  try {
    return seal.open<unknown>(field, sealed);
  } catch (error) {
    if (error instanceof PersonalDataUnreadable) return null;
    throw error;
  }
}
