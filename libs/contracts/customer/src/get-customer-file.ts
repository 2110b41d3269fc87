import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CustomerFileView } from './case-views';

/** What a customer has handed in, and how its review went. */
export class GetCustomerFile extends MerchantRequest {
  @IsUuid() customer_id: string;
}

export const getCustomerFile = operation({
  subject: 'customer.get-customer-file',
  readOnly: true,
  request: GetCustomerFile,
  reply: replies<CustomerFileView>(),
  errors: ['not_found'],
});
