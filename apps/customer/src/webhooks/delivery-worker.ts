import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { TEST_EVENT_TYPE } from '@stablecoin/contracts/customer/webhook-views';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { openUrl } from '@stablecoin/customer-store/webhooks/webhook-url';
import { initializeSeries, instruments, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { CustomerConfiguration } from '../customer.configuration';
import { eventView } from '@stablecoin/customer-store/events/event-rows';
import { DeliveryQueue, DueDelivery } from './delivery-queue';
import { ATTEMPTS_MAX, DeliveryShares } from './delivery-shares';
import { signaturesOf } from './signature';
import { secretField } from './webhook-endpoints';
import { OutgoingMessage, Outcome, WebhookSender } from './webhook-sender';

const SLEEP_MS = 250;
/** How long attempts under way may go on when the process ends; then they are given back. */
const STOP_MS = 3_000;
const GONE = 410;

/**
 * Delivers events: take due deliveries, as far as their merchants and endpoints have room (`delivery-shares.ts`) → make
 * one attempt each, side by side → store its outcome, and when it is due again → sleep until woken, at most SLEEP_MS. All
 * state is in the database, so any number of instances share the work, and after a crash another one sends again what
 * had no outcome, under the same webhook-id.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryWorker.name);
  private readonly attempts = new Set<Promise<void>>();
  private readonly shares = new DeliveryShares();
  private readonly stopAttempts = new AbortController();
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      await this.takeDue();
      return SLEEP_MS;
    },
    failed: (error) => {
      this.log.error({ msg: 'could not look for due deliveries', err: error });
      return SLEEP_MS;
    },
  });
  private stopMeasuring: (() => void)[] = [];

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly sender: WebhookSender,
    private readonly personalData: PersonalData,
    private readonly configuration: CustomerConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    setMaxListeners(ATTEMPTS_MAX, this.stopAttempts.signal);
    initializeSeries('webhook_attempts_total', { outcome: ['delivered', 'failed', 'given_up'] });
    this.loop.start();
    let asked: ReturnType<DeliveryQueue['backlog']>;
    this.stopMeasuring = [
      // Both are read in the same turn of the event loop: one statement serves both.
      readAtScrape('webhook_deliveries_pending', async () => [
        { labels: {}, value: (await (asked = this.queue.backlog())).pending },
      ]),
      readAtScrape('webhook_oldest_due_seconds', async () => [{ labels: {}, value: (await asked).oldest_due_seconds }]),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopMeasuring.forEach((stop) => stop());
    await this.loop.stop();
    await Promise.race([Promise.all(this.attempts), delay(STOP_MS, undefined, { ref: false })]);
    this.stopAttempts.abort();
    await Promise.all(this.attempts);
  }

  /** Looks for due deliveries at once. */
  wake(): void {
    this.loop.wake();
  }

  private async takeDue(): Promise<void> {
    const room = this.shares.room();
    if (!room) return;
    const due = await this.queue.takeDue(room);
    due.forEach((delivery) => this.begin(delivery));
  }

  private begin(delivery: DueDelivery): void {
    this.shares.begin(delivery);
    const attempt = this.deliver(delivery)
      // The lease ends by itself, and then it is sent again.
      .catch((error: unknown) => this.log.error({ msg: `delivery ${delivery.id} has no outcome`, err: error }))
      .finally(() => {
        this.attempts.delete(attempt);
        if (this.shares.end(delivery)) this.wake();
      });
    this.attempts.add(attempt);
  }

  private async deliver(delivery: DueDelivery): Promise<void> {
    if (delivery.is_deleted) return this.queue.giveUp(delivery, 'webhook_deleted');
    if (delivery.is_disabled) return this.queue.giveUp(delivery, 'webhook_disabled');
    let outcome: Outcome;
    try {
      outcome = await this.sender.send(await this.message(delivery), this.stopAttempts.signal);
    } catch (error) {
      if (!this.stopAttempts.signal.aborted) throw error;
      return this.queue.giveBack(delivery);
    }
    if (outcome.error === 'timeout') this.shares.didNotAnswer(delivery);
    else if (this.shares.answered(delivery)) this.wake();
    if (outcome.error === null) {
      instruments.webhook_attempts_total.inc({ outcome: 'delivered' });
      return this.queue.succeed(delivery, outcome);
    }
    const isGone = outcome.response_status === GONE;
    if (isGone) await this.queue.disableEndpoint(delivery.endpoint_id);
    const againAfterMs = isGone ? undefined : this.waitAfter(delivery);
    instruments.webhook_attempts_total.inc({ outcome: againAfterMs === undefined ? 'given_up' : 'failed' });
    await this.queue.fail(delivery, outcome, againAfterMs);
  }

  /**
   * Milliseconds until the next attempt; undefined after the last one. A test event has one attempt: its caller waits.
   */
  private waitAfter({ type, attempts }: DueDelivery): number | undefined {
    const seconds = type === TEST_EVENT_TYPE ? undefined : this.configuration.webhookRetrySeconds[attempts];
    return seconds === undefined ? undefined : seconds * 1_000;
  }

  private async message(delivery: DueDelivery): Promise<OutgoingMessage> {
    const { event_id, event_created_at, merchant_id, endpoint_id, sandbox } = delivery;
    const seal = await this.personalData.sealOf(merchant_id, delivery.wrapped_key);
    const secrets = delivery.sealed_secrets.map((sealed) => seal.open<string>(secretField(endpoint_id), sealed));
    const body = JSON.stringify(eventView({ ...delivery, id: event_id, created_at: event_created_at }));
    const timestamp = Math.floor(Date.now() / 1_000);
    return {
      url: openUrl(seal, endpoint_id, delivery),
      sandbox,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'stablecoin-account-service',
        'webhook-id': event_id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signaturesOf({ id: event_id, timestamp, body }, secrets),
      },
    };
  }
}
