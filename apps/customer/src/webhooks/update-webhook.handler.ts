import { UpdateWebhook, updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { WebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { openAnswer, storedAnswer, storedUrl } from '@stablecoin/customer-store/webhooks/webhook-url';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { EndpointRow, endpointView, lockEndpoint, merchantSeal, openEndpoint } from './webhook-endpoints';
import { WebhookUrls } from './webhook-urls';

@Handles(updateWebhook)
export class UpdateWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly urls: WebhookUrls,
    private readonly clock: Clock,
  ) {}

  async execute(command: UpdateWebhook): Promise<CommandReply<WebhookView>> {
    if (command.url !== undefined) this.urls.requireAllowed(command.url, command.key_mode);
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, command.merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      const stored = await lockEndpoint(transaction, command.merchant_id, command.webhook_id);
      const changed = changedRow(await openEndpoint(this.personalData, stored), command, this.clock.now());
      const { url, sealed_url } = await storedUrl(transaction, seal, changed);
      await transaction.$executeRaw`
        UPDATE webhook_endpoints
        SET url = ${url}, sealed_url = ${sealed_url}, description = ${changed.description},
          event_types = ${changed.event_types}::text[], disabled_at = ${changed.disabled_at}, updated_at = ${changed.updated_at}
        WHERE id = ${stored.id}::uuid`;
      return storedAnswer(transaction, seal, command.command_id, endpointView(changed));
    });
    return { result: openAnswer(seal, command.command_id, result), replayed };
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
