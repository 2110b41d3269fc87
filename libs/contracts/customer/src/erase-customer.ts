import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsCaseReason } from './case-reason';
import { PersonsCommand } from './persons-command';

/** Makes a closed customer's personal data unreadable for good. */
export class EraseCustomer extends PersonsCommand {
  @IsUuid() customer_id: string;
  @IsCaseReason() reason: string;
}

export const eraseCustomer = operation({
  subject: 'customer.erase-customer',
  request: EraseCustomer,
  reply: replies<CommandReply<{ customer_id: string; erased_at: string }>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
