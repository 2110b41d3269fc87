import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { RotatedWebhookView } from './webhook-views';

/** A new secret; the one before it signs beside it for 24 hours. */
export class RotateWebhookSecret extends MerchantCommand {
  @IsUuid() webhook_id: string;
}

export const rotateWebhookSecret = operation({
  subject: 'customer.rotate-webhook-secret',
  request: RotateWebhookSecret,
  reply: replies<CommandReply<RotatedWebhookView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight'],
});
