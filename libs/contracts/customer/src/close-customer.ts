import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CustomerView } from './views';

/** Closes a customer for good, once the ledger has agreed that nothing is left. Closing twice is fine. */
export class CloseCustomer extends MerchantCommand {
  @IsUuid() customer_id: string;
}

export const closeCustomer = operation({
  subject: 'customer.close-customer',
  provesRequest: true,
  request: CloseCustomer,
  reply: replies<CommandReply<CustomerView>>(),
  errors: ['not_found', 'customer_not_empty', 'idempotency_key_reused', 'idempotency_in_flight'],
});
