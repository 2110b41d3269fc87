import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** What the gateway shows to merchants. Nothing else that an owner's data key seals is opened by this operation. */
export const OPENED_FIELDS = [
  'payout_destination',
  'swap_quote_profile',
  'wallet_description',
  'deposit_reference',
] as const;
export type OpenedField = (typeof OPENED_FIELDS)[number];

/** As many as a page of a list has. */
export const OPENED_AT_ONCE_MAX = 100;

/** What was sealed for one of the merchant's customers, or without `customer_id` for the merchant. */
export class SealedValue {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsOneOf(OPENED_FIELDS) field: OpenedField;
  @IsText({ max: 4096 }) sealed: string;
}

/** Opens what the log and the other services hold sealed, to be shown to the merchant. */
export class OpenSealed extends MerchantRequest {
  @IsNestedList(() => SealedValue, OPENED_AT_ONCE_MAX) values: SealedValue[];
}

/** Each value as it was sealed, in the order of the request; null where its owner is another merchant's, or was erased. */
export const openSealed = operation({
  subject: 'customer.open-sealed',
  readOnly: true,
  request: OpenSealed,
  reply: replies<unknown[]>(),
  errors: [],
});
