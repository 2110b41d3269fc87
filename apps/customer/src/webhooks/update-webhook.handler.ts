import { UpdateWebhook, updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { EndpointRow, endpointView, lockEndpoint } from './webhook-endpoints';
import { WebhookUrls } from './webhook-urls';

@Handles(updateWebhook)
export class UpdateWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly urls: WebhookUrls,
    private readonly clock: Clock,
  ) {}

  async execute(command: UpdateWebhook): Promise<CommandReply<WebhookView>> {
    if (command.url !== undefined) this.urls.requireAllowed(command.url, command.key_mode);
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      const row = await lockEndpoint(transaction, command.merchant_id, command.webhook_id);
      const changed = changedRow(row, command, this.clock.now());
      await transaction.$executeRaw`
        UPDATE webhook_endpoints
        SET url = ${changed.url}, description = ${changed.description}, event_types = ${changed.event_types}::text[],
          disabled_at = ${changed.disabled_at}, updated_at = ${changed.updated_at}
        WHERE id = ${row.id}::uuid`;
      return endpointView(changed);
    });
  }
}

function changedRow(row: EndpointRow, { url, description, events, status }: UpdateWebhook, now: Date): EndpointRow {
  return {
    ...row,
    url: url ?? row.url,
    description: description === undefined ? row.description : description,
    event_types: events === undefined ? row.event_types : events,
    disabled_at: { enabled: null, disabled: row.disabled_at ?? now, unchanged: row.disabled_at }[status ?? 'unchanged'],
    updated_at: now,
  };
}
