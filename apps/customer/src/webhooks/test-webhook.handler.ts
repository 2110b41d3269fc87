import { Handles } from '@stablecoin/messaging/handles';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { TestWebhook, testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { TEST_EVENT_TYPE, WebhookTestView } from '@stablecoin/contracts/customer/webhook-views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase, Transaction } from '@stablecoin/customer-store/customer-database';
import { recordEventFor } from '@stablecoin/customer-store/events/record-events';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { currentRequest, freshRequestContext } from '@stablecoin/messaging/request-context';
import { asRefusal, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { findEvent } from '@stablecoin/customer-store/events/event-rows';
import { DeliveryWorker } from './delivery-worker';
import { TestLimits } from './test-limits';
import { findEndpoint } from './webhook-endpoints';

/** How long the request waits for the outcome; an endpoint may take longer. */
const WAIT_MS = 3_000;
/** The part of the request's time that the last look-up and the way back may take. */
const ANSWERED_WITHIN_MS = 500;
/** Between two look-ups of the outcome: soon at first, then rarely, since each look-up is a statement. */
const FIRST_POLL_MS = 50;
const POLL_MS_MAX = 400;

/** Records the test like any other event, for one endpoint only, and waits for a moment for the worker's outcome. */
@Handles(testWebhook)
export class TestWebhookHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly deliveries: DeliveryWorker,
    private readonly clock: Clock,
    private readonly limits: TestLimits,
  ) {}

  execute(command: TestWebhook): Promise<CommandReply<WebhookTestView>> {
    return this.limits.within(command, () => this.test(command));
  }

  private async test(command: TestWebhook): Promise<CommandReply<WebhookTestView>> {
    const { merchant_id, webhook_id } = command;
    const { result, replayed } = await takeEffectOnce(this.database, command, async (transaction: Transaction) => {
      await findEndpoint(transaction, merchant_id, webhook_id);
      const id = randomUUID();
      const created_at = this.clock.now();
      const event = { id, merchant_id, type: TEST_EVENT_TYPE, resource_id: id, sequence: 1, created_at } as const;
      await recordEventFor(transaction, { ...event, data: { webhook_id } }, webhook_id);
      return { event_id: id };
    });
    this.deliveries.wake();
    return { result: await this.outcomeOf(merchant_id, result.event_id), replayed };
  }

  private async outcomeOf(merchantId: string, event_id: string): Promise<WebhookTestView> {
    const { deadline } = currentRequest() ?? freshRequestContext();
    const until = Math.min(Date.now() + WAIT_MS, deadline - ANSWERED_WITHIN_MS);
    for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(2 * pollMs, POLL_MS_MAX)) {
      const { deliveries } = await asRefusal(() => findEvent(this.database, this.personalData, merchantId, event_id));
      const [delivery] = deliveries;
      const { status = 'pending', response_status = null, error = null } = delivery ?? {};
      if (status !== 'pending') return { event_id, outcome: status, response_status, error };
      if (Date.now() >= until) return { event_id, outcome: 'queued', response_status, error };
      await delay(pollMs);
    }
  }
}
