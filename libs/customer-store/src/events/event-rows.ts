import {
  DeliveryError,
  DeliveryView,
  EventData,
  EventTransaction,
  EventView,
  EventWithDeliveriesView,
} from '@stablecoin/contracts/customer/webhook-views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Reads } from '@stablecoin/persistence/sql';
import { PersonalData } from '../personal-data';
import { openUrl, StoredUrl } from '../webhooks/webhook-url';

export interface EventRow {
  id: string;
  type: EventView['type'];
  sequence: number;
  data: string;
  created_at: Date;
}

interface DeliveryRow extends StoredUrl {
  endpoint_id: string;
  wrapped_key: string;
  status: DeliveryView['status'];
  attempts: number;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  response_status: number | null;
  error: DeliveryError | null;
}

const DELIVERIES_MAX = 200;

/** One merchant's event and how it fared, oldest endpoint first. @throws Refusal `not_found`, also for another's */
export async function findEvent(
  sql: Reads,
  personalData: PersonalData,
  merchantId: string,
  eventId: string,
): Promise<EventWithDeliveriesView> {
  const [row] = await sql.$queryRaw<EventRow[]>`
    SELECT id, type, sequence, data, created_at FROM events
    WHERE merchant_id = ${merchantId}::uuid AND id = ${eventId}::uuid`;
  if (!row) throw new Refusal('not_found');
  const deliveries = await sql.$queryRaw<DeliveryRow[]>`
    SELECT endpoint_id, wrapped_key, url, sealed_url, status, attempts, last_attempt_at, next_attempt_at, response_status, error
    FROM event_deliveries AS delivery JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
      JOIN data_keys ON owner_id = endpoint.merchant_id
    WHERE event_id = ${eventId}::uuid ORDER BY endpoint.created_at, endpoint.id LIMIT ${DELIVERIES_MAX}`;
  const opened = deliveries.map(async (delivery) => {
    const seal = await personalData.sealOf(merchantId, delivery.wrapped_key);
    return deliveryView(delivery, openUrl(seal, delivery.endpoint_id, delivery));
  });
  return { ...eventView(row), deliveries: await Promise.all(opened) };
}

/** Transactions in events of the version before have no `crypto_transaction_id`: null stands for it. */
function named(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('transaction_mode' in value)) return value;
  if ('crypto_transaction_id' in value) return value;
  const { updated_at, ...rest } = value as unknown as EventTransaction;
  return { ...rest, crypto_transaction_id: null, updated_at };
}

/** The fields in the order in which they are sent: the text of this object is what is signed. */
export function eventView({ id, type, created_at, sequence, data }: EventRow): EventView {
  const event = {
    id,
    type,
    created_at: created_at.toISOString(),
    sequence,
    data: JSON.parse(data, named) as EventData,
  };
  // The row's data was written together with its type.
  return event as EventView;
}

function deliveryView({ endpoint_id, ...row }: DeliveryRow, url: string): DeliveryView {
  return {
    webhook_id: endpoint_id,
    url,
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    response_status: row.response_status,
    error: row.error,
  };
}
