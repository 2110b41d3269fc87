import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CUSTOMER_STATUSES, CUSTOMER_TYPES, CustomerStatus, CustomerType, CustomerView } from './views';

/** Newest first. `search` is a whole e-mail address, phone number or id: personal data has no readable index. */
export class ListCustomers extends MerchantRequest {
  @Optional() @IsOneOf(CUSTOMER_STATUSES) status?: CustomerStatus;
  @Optional() @IsOneOf(CUSTOMER_TYPES) customer_type?: CustomerType;
  @Optional() @IsText({ max: 254 }) search?: string;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listCustomers = operation({
  subject: 'customer.list-customers',
  readOnly: true,
  request: ListCustomers,
  reply: replies<Page<CustomerView>>(),
  errors: [],
});
