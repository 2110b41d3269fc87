import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { endpointView, findEndpoint } from '../../webhooks/webhook-endpoints';

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook, WebhookView> {
  constructor(private readonly database: CustomerDatabase) {}

  async execute({ merchant_id, webhook_id }: GetWebhook): Promise<WebhookView> {
    return endpointView(await asRefusal(() => findEndpoint(this.database, merchant_id, webhook_id)));
  }
}
