import { GetWebhook, getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { endpointView, findEndpoint, openEndpoint } from './webhook-endpoints';

@Handles(getWebhook)
export class GetWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, webhook_id }: GetWebhook): Promise<WebhookView> {
    const stored = await asRefusal(() => findEndpoint(this.database, merchant_id, webhook_id));
    return endpointView(await openEndpoint(this.personalData, stored));
  }
}
