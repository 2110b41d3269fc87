import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { MerchantView } from './merchant-view';

/** Newest first. `search` is a merchant's id, or a part of a name. */
export class ListMerchants {
  @Optional() @IsText({ max: 200 }) search?: string;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

/** For the operator's people. */
export const listMerchants = operation({
  subject: 'customer.list-merchants',
  readOnly: true,
  request: ListMerchants,
  reply: replies<Page<MerchantView>>(),
  errors: [],
});
