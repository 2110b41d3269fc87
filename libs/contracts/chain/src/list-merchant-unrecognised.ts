import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { UnrecognisedView } from './views';

/** Of one merchant, newest first. */
export class ListMerchantUnrecognised extends MerchantRequest {
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

/** What was sent to a merchant's addresses and waits for an operator. */
export const listMerchantUnrecognised = operation({
  subject: 'chain.list-merchant-unrecognised',
  readOnly: true,
  request: ListMerchantUnrecognised,
  reply: replies<Page<UnrecognisedView>>(),
  errors: [],
});
