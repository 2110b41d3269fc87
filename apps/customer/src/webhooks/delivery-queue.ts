import { Injectable } from '@nestjs/common';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { EventRow } from '@stablecoin/customer-store/events/event-rows';
import { StoredUrl } from '@stablecoin/customer-store/webhooks/webhook-url';
import { CustomerConfiguration } from '../customer.configuration';
import { Room } from './delivery-shares';
import { Outcome } from './webhook-sender';

/** A delivery that is due, with everything that an attempt needs. */
export interface DueDelivery extends Pick<EventRow, 'type' | 'sequence' | 'data'>, StoredUrl {
  id: string;
  event_id: string;
  event_created_at: Date;
  merchant_id: string;
  endpoint_id: string;
  sandbox: boolean;
  is_deleted: boolean;
  is_disabled: boolean;
  /** Attempts made before, whose outcome is known. */
  attempts: number;
  /** The merchant's data key, which opens the URL and the secrets. */
  wrapped_key: string;
  /** Newest first. */
  sealed_secrets: string[];
}

/** Beyond the longest attempt, for storing its outcome. */
const LEASE_MARGIN_MS = 15_000;
const SIGNING_SECRETS_MAX = 5;
/** A backlog is counted up to this: a longer one means the same to an operator. */
const COUNTED_MAX = 100_000;

/** The table of deliveries on their way: what is due, taken with a lease, and how each attempt ended. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly configuration: CustomerConfiguration,
  ) {}

  /**
   * Takes due deliveries, for a lease: other workers skip them meanwhile, and take them after a crash. It goes from
   * endpoint to endpoint through the index (`waiting`), so that a long backlog of one costs no more than a short one,
   * and takes each merchant's first, then each one's second, and so on; within a merchant likewise by endpoint. Due is
   * compared with the statement's start, `now()`: no index can answer a condition on `clock_timestamp()`, which moves on.
   */
  async takeDue(room: Room): Promise<DueDelivery[]> {
    const { total, keptForNewcomers, perMerchant, perEndpoint, ofMerchants, ofEndpoints } = room;
    const leaseMs = this.configuration.webhookTimeoutMs + LEASE_MARGIN_MS;
    return this.database.$queryRaw<DueDelivery[]>`
      WITH RECURSIVE waiting AS (
        (SELECT endpoint_id FROM event_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
        UNION ALL
        SELECT (
          SELECT next.endpoint_id FROM event_deliveries AS next
          WHERE next.status = 'pending' AND next.endpoint_id > waiting.endpoint_id
          ORDER BY next.endpoint_id LIMIT 1
        ) FROM waiting WHERE waiting.endpoint_id IS NOT NULL
      ), of_endpoint AS (
        SELECT * FROM unnest(${[...ofEndpoints.keys()]}::uuid[], ${[...ofEndpoints.values()]}::int[])
          AS of_endpoint (endpoint_id, count)
      ), of_merchant AS (
        SELECT * FROM unnest(${[...ofMerchants.keys()]}::uuid[], ${[...ofMerchants.values()]}::int[])
          AS of_merchant (merchant_id, count)
      ), due_at_endpoint AS (
        SELECT due.id, due.next_attempt_at, waiting.endpoint_id, coalesce(of_endpoint.count, 0)
          + row_number() OVER (PARTITION BY waiting.endpoint_id ORDER BY due.next_attempt_at) AS place
        FROM waiting LEFT JOIN of_endpoint USING (endpoint_id) CROSS JOIN LATERAL (
          SELECT delivery.id, delivery.next_attempt_at FROM event_deliveries AS delivery
          WHERE delivery.status = 'pending' AND delivery.endpoint_id = waiting.endpoint_id
            AND delivery.next_attempt_at <= now()
          ORDER BY delivery.next_attempt_at LIMIT ${perEndpoint} FOR UPDATE SKIP LOCKED
        ) AS due
      ), due_of_merchant AS (
        SELECT due.id, due.next_attempt_at, coalesce(of_merchant.count, 0)
          + row_number() OVER (PARTITION BY endpoint.merchant_id ORDER BY due.place, due.next_attempt_at) AS place
        FROM due_at_endpoint AS due JOIN webhook_endpoints AS endpoint ON endpoint.id = due.endpoint_id
          LEFT JOIN of_merchant USING (merchant_id)
        WHERE due.place <= ${perEndpoint}
      ), in_turn AS (
        SELECT id, place, row_number() OVER (ORDER BY place, next_attempt_at) AS turn
        FROM due_of_merchant WHERE place <= ${perMerchant}
      ), taken AS (
        SELECT id FROM in_turn
        WHERE turn <= CASE WHEN place = 1 THEN ${total}::int ELSE ${total}::int - ${keptForNewcomers}::int END
      )
      UPDATE event_deliveries AS delivery
      SET next_attempt_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      FROM taken, events AS event, webhook_endpoints AS endpoint, data_keys AS key
      WHERE delivery.id = taken.id AND event.id = delivery.event_id AND endpoint.id = delivery.endpoint_id
        AND key.owner_id = endpoint.merchant_id
      RETURNING delivery.id, delivery.event_id, event.type, event.sequence, event.data,
        event.created_at AS event_created_at, endpoint.merchant_id, delivery.endpoint_id, endpoint.url, endpoint.sealed_url,
        endpoint.sandbox,
        endpoint.deleted_at IS NOT NULL AS is_deleted, endpoint.disabled_at IS NOT NULL AS is_disabled,
        delivery.attempts, key.wrapped_key,
        ARRAY(
          SELECT sealed_secret FROM webhook_secrets AS secret
          WHERE secret.endpoint_id = delivery.endpoint_id AND (expires_at IS NULL OR expires_at > clock_timestamp())
          ORDER BY secret.created_at DESC LIMIT ${SIGNING_SECRETS_MAX}
        ) AS sealed_secrets`;
  }

  /** What has not ended, and how long the oldest that is due has waited; through the index of what is on its way. */
  async backlog(): Promise<{ pending: number; oldest_due_seconds: number }> {
    const [row] = await this.database.$queryRaw<{ pending: number; oldest_due_seconds: number }[]>`
      SELECT count(*)::int AS pending,
        greatest(0, coalesce(extract(epoch FROM now() - min(next_attempt_at)), 0))::float8 AS oldest_due_seconds
      FROM (SELECT next_attempt_at FROM event_deliveries WHERE status = 'pending' LIMIT ${COUNTED_MAX}) AS delivery`;
    return row ?? { pending: 0, oldest_due_seconds: 0 };
  }

  /** The receiver has accepted it: delivered, even if another instance's attempt has failed meanwhile. */
  async succeed({ id }: DueDelivery, { response_status }: Outcome): Promise<void> {
    await this.database.$executeRaw`
      UPDATE event_deliveries SET status = 'delivered', next_attempt_at = NULL, attempts = attempts + 1,
        last_attempt_at = clock_timestamp(), response_status = ${response_status}::int, error = NULL
      WHERE id = ${id}::uuid AND status = 'pending'`;
  }

  /** The attempt failed: due again after `againAfterMs`, or given up. Ignored after another worker's outcome. */
  async fail({ id, attempts }: DueDelivery, outcome: Outcome, againAfterMs: number | undefined): Promise<void> {
    const isOver = againAfterMs === undefined;
    await this.database.$executeRaw`
      UPDATE event_deliveries SET status = ${isOver ? 'failed' : 'pending'}, attempts = attempts + 1,
        next_attempt_at = clock_timestamp() + ${isOver ? null : againAfterMs}::float8 * interval '1 millisecond',
        last_attempt_at = clock_timestamp(), response_status = ${outcome.response_status}::int, error = ${outcome.error}
      WHERE id = ${id}::uuid AND status = 'pending' AND attempts = ${attempts}`;
  }

  /** Given up without an attempt. */
  async giveUp({ id }: DueDelivery, error: 'webhook_deleted' | 'webhook_disabled'): Promise<void> {
    await this.database.$executeRaw`
      UPDATE event_deliveries SET status = 'failed', next_attempt_at = NULL, error = ${error}
      WHERE id = ${id}::uuid AND status = 'pending'`;
  }

  /** An attempt that this process cut short has no outcome: another worker may make it at once. */
  async giveBack({ id, attempts }: DueDelivery): Promise<void> {
    await this.database.$executeRaw`
      UPDATE event_deliveries SET next_attempt_at = clock_timestamp()
      WHERE id = ${id}::uuid AND status = 'pending' AND attempts = ${attempts}`;
  }

  /** The receiver said that it is gone for good. */
  async disableEndpoint(endpointId: string): Promise<void> {
    await this.database.$executeRaw`
      UPDATE webhook_endpoints SET disabled_at = clock_timestamp(), updated_at = clock_timestamp()
      WHERE id = ${endpointId}::uuid AND disabled_at IS NULL`;
  }
}
