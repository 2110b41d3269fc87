import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { MerchantView } from './merchant-view';

export class GetMerchant extends MerchantRequest {}

/** For the operator's people, who name a merchant themselves. */
export const getMerchant = operation({
  subject: 'customer.get-merchant',
  readOnly: true,
  request: GetMerchant,
  reply: replies<MerchantView>(),
  errors: ['not_found'],
});
