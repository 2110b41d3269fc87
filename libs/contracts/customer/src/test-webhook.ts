import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WebhookTestView } from './webhook-views';

/** Sends a `webhook.test` event once, now, and waits a moment for how it went. */
export class TestWebhook extends MerchantCommand {
  @IsUuid() webhook_id: string;
}

export const testWebhook = operation({
  subject: 'customer.test-webhook',
  request: TestWebhook,
  reply: replies<CommandReply<WebhookTestView>>(),
  errors: ['not_found', 'idempotency_key_reused', 'idempotency_in_flight', 'rate_limited'],
});
