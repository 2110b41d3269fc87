import { ListWebhooks, listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Prisma } from '@stablecoin/customer-store/generated/client';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { ENDPOINT_COLUMNS, endpointView, openEndpoint, StoredEndpoint } from './webhook-endpoints';

/** One page, newest first, with the exact total. */
@Handles(listWebhooks)
export class ListWebhooksHandler {
  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, page, limit }: ListWebhooks): Promise<Page<WebhookView>> {
    const wanted = Prisma.sql`merchant_id = ${merchant_id}::uuid AND deleted_at IS NULL`;
    const reads = this.reads.of(merchant_id);
    const [rows, [counted]] = await asRefusal(() =>
      Promise.all([
        reads.$queryRaw<StoredEndpoint[]>`
          SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints JOIN data_keys ON owner_id = merchant_id
          WHERE ${wanted}
          ORDER BY created_at DESC, id DESC
          LIMIT ${limit} OFFSET ${BigInt(page - 1) * BigInt(limit)}`,
        reads.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM webhook_endpoints WHERE ${wanted}`,
      ]),
    );
    const opened = await Promise.all(rows.map((row) => openEndpoint(this.personalData, row)));
    return { items: opened.map(endpointView), total: counted?.total ?? 0, page, limit };
  }
}
