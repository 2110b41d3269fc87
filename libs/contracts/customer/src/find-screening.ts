import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ScreeningView } from './screening-view';

export class FindScreening extends MerchantRequest {
  /** Of the transaction at the ledger. */
  @IsUuid() id: string;
}

/** What was decided on a movement when it was last screened: `not_found` for one that never was. */
export const findScreening = operation({
  subject: 'customer.find-screening',
  readOnly: true,
  request: FindScreening,
  reply: replies<ScreeningView>(),
  errors: ['not_found'],
});
