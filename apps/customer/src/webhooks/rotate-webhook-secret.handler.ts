import { Handles } from '@stablecoin/messaging/handles';
import { randomUUID } from 'node:crypto';
import { RotateWebhookSecret, rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { RotatedWebhookView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { drawSecret } from './signature';
import {
  endpointView,
  lockEndpoint,
  merchantSeal,
  openEndpoint,
  secretAnswerField,
  secretField,
} from './webhook-endpoints';

const GRACE_MS = 24 * 3_600_000;

@Handles(rotateWebhookSecret)
export class RotateWebhookSecretHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
  ) {}

  async execute(command: RotateWebhookSecret): Promise<CommandReply<RotatedWebhookView>> {
    const { merchant_id, webhook_id } = command;
    const seal = await asRefusal(() => merchantSeal(this.database, this.personalData, merchant_id));
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      const row = await openEndpoint(this.personalData, await lockEndpoint(transaction, merchant_id, webhook_id));
      const now = this.clock.now();
      const expires_at = new Date(now.getTime() + GRACE_MS);
      const secret = drawSecret();
      await transaction.webhookSecret.updateMany({
        where: { endpoint_id: webhook_id, expires_at: null },
        data: { expires_at },
      });
      await transaction.webhookSecret.create({
        data: {
          id: randomUUID(),
          endpoint_id: webhook_id,
          sealed_secret: seal.seal(secretField(webhook_id), secret),
          created_at: now,
        },
        select: { id: true },
      });
      const answer: RotatedWebhookView = {
        ...endpointView(row),
        secret,
        previous_secret_expires_at: expires_at.toISOString(),
      };
      return { sealed_answer: seal.seal(secretAnswerField(command), answer) };
    });
    return { result: seal.open<RotatedWebhookView>(secretAnswerField(command), result.sealed_answer), replayed };
  }
}
