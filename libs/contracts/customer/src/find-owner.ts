import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { FeeSchedule } from '@stablecoin/money/fee';
import { KeyMode } from './key-mode';
import { CustomerStatus, KycStatus } from './views';

/** The owner of wallets, quotes and methods: one of the merchant's customers, or without `customer_id` the merchant. */
export class FindOwner extends MerchantRequest {
  @Optional() @IsUuid() customer_id?: string | null;
}

export interface Owner {
  /** The customer's id, or the merchant's own. */
  owner_id: string;
  customer_id: string | null;
  status: CustomerStatus;
  /** Always `approved` for the merchant itself. */
  kyc_status: KycStatus;
  /** Of the merchant itself only: the mode of its keys. A customer service of the version before doesn't say. */
  key_mode?: KeyMode;
  /** Of the merchant itself only: what its payouts cost, null for nothing. A customer service of the version before doesn't say. */
  payout_fee_schedule?: FeeSchedule | null;
  /** Of the merchant itself only: whether its movements are screened. A customer service of the version before doesn't say. */
  is_screened?: boolean;
  /** The owner's data key, wrapped with the master key and bound to `owner_id`; it seals the owner's personal data. */
  wrapped_data_key: string;
  /** With it one seals for the owner and opens nothing: see SealingKey. A customer service of the version before doesn't say. */
  sealing_key?: string;
  /** Of the merchant itself only: the key of its keyed hashes, in base64. A customer service of the version before doesn't say. */
  hash_key?: string;
  /** How a swap quote names its owner. */
  profile: {
    /** A short serial number, 10 characters A–Z 0–9. */
    sn: string;
    email: string;
    reference: string | null;
    first_name: string;
    last_name: string;
    display_name: string | null;
    created_at: string;
    updated_at: string;
  };
}

export const findOwner = operation({
  subject: 'customer.find-owner',
  readOnly: true,
  request: FindOwner,
  reply: replies<Owner>(),
  errors: ['not_found'],
});
