import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { FindOwner, Owner, findOwner } from '@stablecoin/contracts/customer/find-owner';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { nameOf } from '@stablecoin/customer-store/customers/customer-profile';
import { findCustomer, openCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { keyModeOf } from '@stablecoin/customer-store/merchants/key-mode';
import { MerchantProfile } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { feeSchedule, PayoutFeeColumns } from '../merchants/payout-fee';

interface MerchantRow extends PayoutFeeColumns {
  sn: string;
  sealed_profile: string;
  key_mode: KeyMode;
  has_lists: boolean;
  wrapped_key: string;
  created_at: Date;
  updated_at: Date;
}

@Handles(findOwner)
export class FindOwnerHandler {
  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  execute({ merchant_id, customer_id }: FindOwner): Promise<Owner> {
    return customer_id ? this.customer(merchant_id, customer_id) : this.merchant(merchant_id);
  }

  private async customer(merchantId: string, customerId: string): Promise<Owner> {
    const stored = await asRefusal(() => findCustomer(this.reads.of(merchantId), merchantId, customerId));
    const { profile, row, seal } = await openCustomer(stored, this.personalData);
    return {
      owner_id: row.id,
      customer_id: row.id,
      status: row.status,
      kyc_status: row.kyc_status,
      wrapped_data_key: stored.wrapped_key,
      sealing_key: seal.sealingKey().publicKey,
      profile: { sn: row.sn, email: profile.email, reference: null, ...nameOf(profile), ...timesOf(row) },
    };
  }

  private async merchant(merchantId: string): Promise<Owner> {
    const [row] = await asRefusal(
      async () => this.reads.of(merchantId).$queryRaw<MerchantRow[]>`
      SELECT sn, sealed_profile, wrapped_key, created_at, updated_at, payout_fee_flat::text, payout_fee_basis_points,
        ${keyModeOf(Prisma.sql`merchants.id`)} AS key_mode,
        EXISTS (SELECT FROM screening_lists WHERE state = 'current') AS has_lists
      FROM merchants JOIN data_keys ON owner_id = id WHERE id = ${merchantId}::uuid`,
    );
    if (!row) throw new Refusal('not_found');
    const seal = await this.personalData.sealOf(merchantId, row.wrapped_key);
    const { name, email } = seal.open<MerchantProfile>('profile', row.sealed_profile);
    const names = { first_name: name, last_name: '', display_name: name };
    return {
      owner_id: merchantId,
      customer_id: null,
      status: 'active',
      kyc_status: 'approved',
      key_mode: row.key_mode,
      payout_fee_schedule: feeSchedule(row),
      is_screened: row.key_mode === 'live' || row.has_lists,
      wrapped_data_key: row.wrapped_key,
      sealing_key: seal.sealingKey().publicKey,
      hash_key: seal.hashKey().toString('base64'),
      profile: { sn: row.sn, email: email ?? '', reference: null, ...names, ...timesOf(row) },
    };
  }
}

function timesOf({ created_at, updated_at }: { created_at: Date; updated_at: Date }) {
  return { created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}
