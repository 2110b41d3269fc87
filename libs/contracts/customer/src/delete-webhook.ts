import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** Nothing more is sent to it, also nothing that is on its way. */
export class DeleteWebhook extends MerchantCommand {
  @IsUuid() webhook_id: string;
}

export const deleteWebhook = operation({
  subject: 'customer.delete-webhook',
  request: DeleteWebhook,
  reply: replies<CommandReply<{ webhook_id: string }>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
