import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/**
 * Ends all movements of a customer; refused with `customer_not_empty` while money or open payouts remain, and with `not_found` where
 * another merchant has closed the customer as its own.
 */
export class CloseCustomerAccount extends MerchantCommand {
  @IsUuid() customer_id: string;
}

/** Each time that it is asked for, a customer is closed by the command that is derived from this name, and so once. */
export const closeCustomerCommandName = (customerId: string): string => `close-customer:${customerId}`;

export const closeCustomerAccount = operation({
  subject: 'wallet.close-customer-account',
  answeredBy: 'shard',
  callers: ['customer'],
  request: CloseCustomerAccount,
  reply: replies<CommandReply<{ customer_id: string }>>(),
  errors: ['not_found', 'customer_not_empty', 'idempotency_key_reused', 'idempotency_in_flight'],
});
