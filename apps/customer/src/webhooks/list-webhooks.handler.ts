import { ListWebhooks, listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { EndpointRow, endpointView } from './webhook-endpoints';

/** One page, newest first, with the exact total. */
@Handles(listWebhooks)
export class ListWebhooksHandler {
  constructor(private readonly database: CustomerDatabase) {}

  async execute({ merchant_id, page, limit }: ListWebhooks): Promise<Page<WebhookView>> {
    const [rows, total] = await asRefusal(() =>
      Promise.all([
        this.database.$queryRaw<EndpointRow[]>`
          SELECT id, url, description, event_types, disabled_at, created_at, updated_at FROM webhook_endpoints
          WHERE merchant_id = ${merchant_id}::uuid AND deleted_at IS NULL
          ORDER BY created_at DESC, id DESC
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        this.database.webhookEndpoint.count({ where: { merchant_id, deleted_at: null } }),
      ]),
    );
    return { items: rows.map(endpointView), total, page, limit };
  }
}
