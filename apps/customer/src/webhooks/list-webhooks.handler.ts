import { ListWebhooks, listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ENDPOINT_COLUMNS, endpointView, openEndpoint, StoredEndpoint } from './webhook-endpoints';

/** One page, newest first, with the exact total. */
@Handles(listWebhooks)
export class ListWebhooksHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, page, limit }: ListWebhooks): Promise<Page<WebhookView>> {
    const [rows, total] = await asRefusal(() =>
      Promise.all([
        this.database.$queryRaw<StoredEndpoint[]>`
          SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints JOIN data_keys ON owner_id = merchant_id
          WHERE merchant_id = ${merchant_id}::uuid AND deleted_at IS NULL
          ORDER BY created_at DESC, id DESC
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        this.database.webhookEndpoint.count({ where: { merchant_id, deleted_at: null } }),
      ]),
    );
    const opened = await Promise.all(rows.map((row) => openEndpoint(this.personalData, row)));
    return { items: opened.map(endpointView), total, page, limit };
  }
}
