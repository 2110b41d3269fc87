import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WebhookView } from './webhook-views';

export class GetWebhook extends MerchantRequest {
  @IsUuid() webhook_id: string;
}

export const getWebhook = operation({
  subject: 'customer.get-webhook',
  readOnly: true,
  request: GetWebhook,
  reply: replies<WebhookView>(),
  errors: ['not_found'],
});
