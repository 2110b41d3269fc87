import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CustomerView } from './views';

export class GetCustomer extends MerchantRequest {
  @IsUuid() customer_id: string;
}

export const getCustomer = operation({
  subject: 'customer.get-customer',
  readOnly: true,
  request: GetCustomer,
  reply: replies<CustomerView>(),
  errors: ['not_found'],
});
