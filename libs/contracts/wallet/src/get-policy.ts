import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PolicyView } from './policy-view';

export class GetPolicy extends MerchantRequest {}

/** `not_found` for a merchant without a policy: live, it pays nothing out; with test keys, whatever it has. */
export const getPolicy = operation({
  subject: 'wallet.get-policy',
  readOnly: true,
  request: GetPolicy,
  reply: replies<PolicyView>(),
  errors: ['not_found'],
});
