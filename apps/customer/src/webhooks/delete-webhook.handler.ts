import { DeleteWebhook, deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { lockEndpoint } from './webhook-endpoints';

/** Its row stays while deliveries name it; its secrets are deleted at once. The worker gives up its open deliveries. */
@Handles(deleteWebhook)
export class DeleteWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
  ) {}

  execute(command: DeleteWebhook) {
    const { merchant_id, webhook_id } = command;
    return takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await lockEndpoint(transaction, merchant_id, webhook_id);
      await transaction.$executeRaw`
        UPDATE webhook_endpoints SET deleted_at = ${this.clock.now()} WHERE id = ${webhook_id}::uuid`;
      await transaction.webhookSecret.deleteMany({ where: { endpoint_id: webhook_id } });
      return { webhook_id };
    });
  }
}
