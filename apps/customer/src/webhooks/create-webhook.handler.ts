import { Handles } from '@stablecoin/messaging/handles';
import { randomUUID } from 'node:crypto';
import { CreateWebhook, createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { NewWebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { quotaOf } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { storedUrl } from '@stablecoin/customer-store/webhooks/webhook-url';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { drawSecret } from './signature';
import { EndpointRow, endpointView, merchantSeal, secretAnswerField, secretField } from './webhook-endpoints';
import { WebhookUrls } from './webhook-urls';

@Handles(createWebhook)
export class CreateWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly urls: WebhookUrls,
    private readonly clock: Clock,
  ) {}

  async execute(command: CreateWebhook): Promise<CommandReply<NewWebhookView>> {
    this.urls.requireAllowed(command.url, command.key_mode);
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, command.merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await requireRoom(transaction, command.merchant_id);
      const secret = drawSecret();
      const row = await this.insert(transaction, command, seal);
      const sealed_secret = seal.seal(secretField(row.id), secret);
      await transaction.webhookSecret.create({
        data: { id: randomUUID(), endpoint_id: row.id, sealed_secret, created_at: row.created_at },
        select: { id: true },
      });
      return { sealed_answer: seal.seal(secretAnswerField(command), { ...endpointView(row), secret }) };
    });
    return { result: seal.open<NewWebhookView>(secretAnswerField(command), result.sealed_answer), replayed };
  }

  private async insert(transaction: Transaction, command: CreateWebhook, seal: OwnerSeal): Promise<EndpointRow> {
    const now = this.clock.now();
    const row = {
      id: randomUUID(),
      url: command.url,
      description: command.description ?? null,
      event_types: command.events ?? null,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    };
    const { url, sealed_url } = await storedUrl(transaction, seal, row);
    await transaction.$executeRaw`
      INSERT INTO webhook_endpoints
        (id, merchant_id, url, sealed_url, description, event_types, sandbox, created_at, updated_at)
      VALUES (${row.id}::uuid, ${command.merchant_id}::uuid, ${url}, ${sealed_url}, ${row.description}, ${row.event_types}::text[],
              ${command.key_mode === 'test'}, ${now}, ${now})`;
    return row;
  }
}

/** Locks the merchant's row, so that two requests at once don't both take the last place; events are still recorded. */
async function requireRoom(transaction: Transaction, merchantId: string): Promise<void> {
  await transaction.$queryRaw`SELECT 1 FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
  const { webhook_endpoints } = await quotaOf(transaction, merchantId);
  const count = await transaction.webhookEndpoint.count({ where: { merchant_id: merchantId, deleted_at: null } });
  if (count >= webhook_endpoints) throw new Refusal('webhook_limit_reached');
}
