import { CUSTOMER_STATUSES, CUSTOMER_TYPES, KYC_STATUSES } from '@stablecoin/contracts/customer/views';
import {
  DELIVERY_ERRORS,
  DeliveryView,
  EventView,
  EventWithDeliveriesView,
} from '@stablecoin/contracts/customer/webhook-views';
import { TRANSACTION_MODES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@stablecoin/contracts/wallet/views';
import {
  always,
  amount,
  count,
  currency,
  eitherOf,
  Fields,
  listOf,
  matching,
  network,
  nullable,
  ObjectOf,
  oneOf,
  ResponseOf,
  ResponseSchema,
  resource,
  statusCode,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

/** What an approver approves. */
const APPROVAL_HASH = matching(/^[0-9a-f]{64}$/, 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c');

const EVENT_CUSTOMER = resource('EventCustomer', {
  id: uuid,
  customer_type: oneOf(CUSTOMER_TYPES),
  status: oneOf(CUSTOMER_STATUSES),
  kyc_status: oneOf(KYC_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
});
const EVENT_TRANSACTION_FIELDS = {
  id: uuid,
  transaction_id: matching(/^[A-Z0-9]{10}$/, 'K7Q2ZP9X4B'),
  reference_id: uuid,
  customer_id: nullable(uuid),
  sender_wallet_id: nullable(uuid),
  receiver_wallet_id: nullable(uuid),
  transaction_type: oneOf(TRANSACTION_TYPES),
  transaction_mode: oneOf(TRANSACTION_MODES),
  asset_code: currency,
  amount,
  status: oneOf(TRANSACTION_STATUSES),
  network: nullable(network),
  crypto_transaction_id: nullable(text),
  updated_at: timestamp,
};
const EVENT_TRANSACTION = resource('EventTransaction', EVENT_TRANSACTION_FIELDS);
const EVENT_APPROVAL = resource('EventApproval', {
  ...EVENT_TRANSACTION_FIELDS,
  approval_hash: APPROVAL_HASH,
  approval_expires_at: timestamp,
});
const EVENT_SWAP = resource('EventSwap', {
  swapId: uuid,
  debitTransaction: EVENT_TRANSACTION,
  creditTransaction: EVENT_TRANSACTION,
});
const EVENT_TEST = resource('EventTest', { webhook_id: uuid });

const COMMON = { id: uuid, created_at: timestamp, sequence: count };
const DELIVERY = resource('EventDelivery', {
  webhook_id: uuid,
  url: text,
  status: oneOf(['pending', 'delivered', 'failed']),
  attempts: count,
  last_attempt_at: nullable(timestamp),
  next_attempt_at: nullable(timestamp),
  response_status: nullable(statusCode),
  error: nullable(oneOf(DELIVERY_ERRORS)),
});

const DATA = {
  'customer.created': EVENT_CUSTOMER,
  'customer.updated': EVENT_CUSTOMER,
  'customer.closed': EVENT_CUSTOMER,
  'deposit.pending': EVENT_TRANSACTION,
  'deposit.completed': EVENT_TRANSACTION,
  'deposit.failed': EVENT_TRANSACTION,
  'deposit.reversed': EVENT_TRANSACTION,
  'swap.completed': EVENT_SWAP,
  'payout.approval_required': EVENT_APPROVAL,
  'payout.completed': EVENT_TRANSACTION,
  'payout.failed': EVENT_TRANSACTION,
  'payout.reversed': EVENT_TRANSACTION,
  'webhook.test': EVENT_TEST,
};
/** An event by its type, with these fields beside what every event has. */
type EventShapes<More extends Fields> = {
  [Type in keyof typeof DATA]: ResponseSchema<
    ObjectOf<typeof COMMON & { type: ResponseSchema<Type>; data: (typeof DATA)[Type] } & More>
  >;
};

function shapesWith<More extends Fields>(suffix: string, more: More): EventShapes<More> {
  const shapes = Object.entries(DATA).map(([type, data]) => {
    const { id, created_at, sequence } = COMMON;
    return [
      type,
      resource(`${nameOf(type)}${suffix}`, { id, type: always(type), created_at, sequence, data, ...more }),
    ];
  });
  return Object.fromEntries(shapes) as EventShapes<More>;
}

/** `payout.completed` is the schema PayoutCompletedEvent. */
function nameOf(type: string): string {
  const words = type.split(/[._]/).map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Event`;
}

/** The body of a delivery is the same resource. */
export const EVENTS = shapesWith('', {});
export const EVENT = eitherOf('Event', 'type', EVENTS);
export const EVENT_WITH_DELIVERIES = eitherOf(
  'EventWithDeliveries',
  'type',
  shapesWith('WithDeliveries', { deliveries: listOf(DELIVERY) }),
);

/** Unchanged: the customer service makes the text that is signed of the same object. */
export function presentEvent(view: EventView): ResponseOf<typeof EVENT> {
  return view;
}

export function presentEventWithDeliveries(view: EventWithDeliveriesView): ResponseOf<typeof EVENT_WITH_DELIVERIES> {
  return { ...view, deliveries: view.deliveries.map(presentDelivery) };
}

function presentDelivery(view: DeliveryView): ResponseOf<typeof DELIVERY> {
  const { webhook_id, url, status, attempts, last_attempt_at, next_attempt_at, response_status, error } = view;
  return { webhook_id, url, status, attempts, last_attempt_at, next_attempt_at, response_status, error };
}
