import { GetWebhook, getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { endpointView, findEndpoint } from './webhook-endpoints';

@Handles(getWebhook)
export class GetWebhookHandler {
  constructor(private readonly database: CustomerDatabase) {}

  async execute({ merchant_id, webhook_id }: GetWebhook): Promise<WebhookView> {
    return endpointView(await asRefusal(() => findEndpoint(this.database, merchant_id, webhook_id)));
  }
}
