import { GetWebhook, getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { endpointView, findEndpoint, openEndpoint } from './webhook-endpoints';

@Handles(getWebhook)
export class GetWebhookHandler {
  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, webhook_id }: GetWebhook): Promise<WebhookView> {
    const stored = await asRefusal(() => findEndpoint(this.reads.of(merchant_id), merchant_id, webhook_id));
    return endpointView(await openEndpoint(this.personalData, stored));
  }
}
