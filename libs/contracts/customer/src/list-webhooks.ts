import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WebhookView } from './webhook-views';

/** Newest first. */
export class ListWebhooks extends MerchantRequest {
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listWebhooks = operation({
  subject: 'customer.list-webhooks',
  readOnly: true,
  request: ListWebhooks,
  reply: replies<Page<WebhookView>>(),
  errors: [],
});
