import { CUSTOMER_STATUSES, CUSTOMER_TYPES, KYC_STATUSES } from '@stablecoin/contracts/customer/views';
import {
  ALL_EVENT_TYPES,
  DELIVERY_ERRORS,
  DeliveryView,
  EventView,
  EventWithDeliveriesView,
} from '@stablecoin/contracts/customer/webhook-views';
import { TRANSACTION_MODES, TRANSACTION_STATUSES, TRANSACTION_TYPES } from '@stablecoin/contracts/wallet/views';
import {
  amount,
  count,
  currency,
  eitherOf,
  listOf,
  matching,
  network,
  nullable,
  oneOf,
  ResponseOf,
  resource,
  statusCode,
  text,
  timestamp,
  uuid,
} from '../routes/response-schema';

const EVENT_CUSTOMER = resource('EventCustomer', {
  id: uuid,
  customer_type: oneOf(CUSTOMER_TYPES),
  status: oneOf(CUSTOMER_STATUSES),
  kyc_status: oneOf(KYC_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
});
const EVENT_TRANSACTION = resource('EventTransaction', {
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
  updated_at: timestamp,
});
const EVENT_SWAP = resource('EventSwap', {
  swapId: uuid,
  debitTransaction: EVENT_TRANSACTION,
  creditTransaction: EVENT_TRANSACTION,
});
const EVENT_TEST = resource('EventTest', { webhook_id: uuid });

const EVENT_FIELDS = {
  id: uuid,
  type: oneOf(ALL_EVENT_TYPES),
  created_at: timestamp,
  sequence: count,
  data: eitherOf('EventData', EVENT_CUSTOMER, EVENT_TRANSACTION, EVENT_SWAP, EVENT_TEST),
};
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

/** The body of a delivery is the same resource. */
export const EVENT = resource('Event', EVENT_FIELDS);
export const EVENT_WITH_DELIVERIES = resource('EventWithDeliveries', { ...EVENT_FIELDS, deliveries: listOf(DELIVERY) });

export function presentEvent({ id, type, created_at, sequence, data }: EventView): ResponseOf<typeof EVENT> {
  return { id, type, created_at, sequence, data };
}

export function presentEventWithDeliveries(view: EventWithDeliveriesView): ResponseOf<typeof EVENT_WITH_DELIVERIES> {
  return { ...presentEvent(view), deliveries: view.deliveries.map(presentDelivery) };
}

function presentDelivery(view: DeliveryView): ResponseOf<typeof DELIVERY> {
  const { webhook_id, url, status, attempts, last_attempt_at, next_attempt_at, response_status, error } = view;
  return { webhook_id, url, status, attempts, last_attempt_at, next_attempt_at, response_status, error };
}
