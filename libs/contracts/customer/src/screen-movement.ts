import { IsOneOf, IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ScreeningView } from './screening-view';

export const SCREENED_MOVEMENTS = ['payout', 'deposit'] as const;
export type ScreenedMovement = (typeof SCREENED_MOVEMENTS)[number];

export class ScreenMovement extends MerchantRequest {
  /** Of the transaction at the ledger. */
  @IsUuid() id: string;
  @IsOneOf(SCREENED_MOVEMENTS) movement: ScreenedMovement;
  @Optional() @IsUuid() customer_id?: string | null;
  /** Where it goes to, or comes from. */
  @Optional() @IsText({ max: 128 }) address?: string | null;
  /** Of the recipient. */
  @Optional() @IsText({ max: 1000 }) name?: string | null;
  /** It has moved already: nothing waits for the answer, and a hit opens a case as a later list does. */
  @Optional() @IsTrueOrFalse() moved?: boolean | null;
}

/**
 * Holds a movement against the lists as they are now. Asked again it screens again: what was decided on a hit counts, and a list that
 * came since counts as well.
 */
export const screenMovement = operation({
  subject: 'customer.screen-movement',
  request: ScreenMovement,
  reply: replies<ScreeningView>(),
  errors: ['not_found'],
});
