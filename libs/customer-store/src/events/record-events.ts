import { EventData, EventView, TEST_EVENT_TYPE } from '@stablecoin/contracts/customer/webhook-views';
import { Sql } from '@stablecoin/persistence/sql';

/** Something that happened to a resource of a merchant. */
export interface NewEvent {
  id: string;
  merchant_id: string;
  type: EventView['type'];
  /** What the event is about: a customer, a transaction, a swap. */
  resource_id: string;
  sequence: number;
  data: EventData;
  created_at: Date;
}

/**
 * Records events and what follows from them, in one statement: one delivery, due at once, for each endpoint of the
 * merchant that takes the type. It belongs into the transaction of the change itself. An event that is there already
 * (the same id) is left as it is and is not sent again.
 */
export async function recordEvents(sql: Sql, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql.$executeRaw`
    WITH recorded AS (
      INSERT INTO events (id, merchant_id, type, resource_id, sequence, data, created_at)
      SELECT * FROM unnest(
        ${events.map(({ id }) => id)}::uuid[], ${events.map(({ merchant_id }) => merchant_id)}::uuid[],
        ${events.map(({ type }) => type)}::text[], ${events.map(({ resource_id }) => resource_id)}::uuid[],
        ${events.map(({ sequence }) => sequence)}::int[], ${events.map(({ data }) => JSON.stringify(data))}::text[],
        ${events.map(({ created_at }) => created_at)}::timestamptz[])
      ON CONFLICT DO NOTHING
      RETURNING id, merchant_id, type
    )
    INSERT INTO event_deliveries (id, event_id, endpoint_id, status, next_attempt_at, created_at)
    SELECT gen_random_uuid(), recorded.id, endpoint.id, 'pending', clock_timestamp(), clock_timestamp()
    FROM recorded JOIN webhook_endpoints AS endpoint ON endpoint.merchant_id = recorded.merchant_id
    WHERE endpoint.deleted_at IS NULL AND endpoint.disabled_at IS NULL
      AND (endpoint.event_types IS NULL OR recorded.type = ANY (endpoint.event_types))`;
}

/** Records an event for one endpoint only. */
export async function recordEventFor(sql: Sql, event: NewEvent, endpointId: string): Promise<void> {
  const { id, merchant_id, type, resource_id, sequence, data, created_at } = event;
  await sql.$executeRaw`
    WITH recorded AS (
      INSERT INTO events (id, merchant_id, type, resource_id, sequence, data, created_at)
      VALUES (${id}::uuid, ${merchant_id}::uuid, ${type}, ${resource_id}::uuid, ${sequence}, ${JSON.stringify(data)},
              ${created_at})
      RETURNING id
    )
    INSERT INTO event_deliveries (id, event_id, endpoint_id, status, next_attempt_at, created_at)
    SELECT gen_random_uuid(), id, ${endpointId}::uuid, 'pending', clock_timestamp(), clock_timestamp() FROM recorded`;
}

/**
 * Makes an event due again, with a new schedule, at every enabled endpoint that takes its type now; a test only where
 * it was sent before.
 */
export async function deliverAgain(sql: Sql, eventId: string): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO event_deliveries (id, event_id, endpoint_id, status, next_attempt_at, created_at)
    SELECT gen_random_uuid(), event.id, endpoint.id, 'pending', clock_timestamp(), clock_timestamp()
    FROM events AS event JOIN webhook_endpoints AS endpoint ON endpoint.merchant_id = event.merchant_id
    WHERE event.id = ${eventId}::uuid AND endpoint.deleted_at IS NULL AND endpoint.disabled_at IS NULL
      AND CASE WHEN event.type = ${TEST_EVENT_TYPE}
            THEN EXISTS (SELECT FROM event_deliveries WHERE event_id = event.id AND endpoint_id = endpoint.id)
            ELSE endpoint.event_types IS NULL OR event.type = ANY (endpoint.event_types) END
    ON CONFLICT (event_id, endpoint_id) DO UPDATE SET status = 'pending', attempts = 0,
      next_attempt_at = excluded.next_attempt_at, response_status = NULL, error = NULL`;
}
