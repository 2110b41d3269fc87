import { Timestamp, TransactionView } from '@stablecoin/contracts/wallet/views';
import { CustomerView } from './views';

/** What an endpoint can ask for. Names are for ever: receivers branch on them. */
export const EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'customer.closed',
  'deposit.pending',
  'deposit.completed',
  'deposit.failed',
  'deposit.reversed',
  'swap.completed',
  'payout.approval_required',
  'payout.completed',
  'payout.failed',
  'payout.reversed',
] as const;

/** Sent to one endpoint because its merchant asked for it. */
export const TEST_EVENT_TYPE = 'webhook.test';
export const ALL_EVENT_TYPES = [...EVENT_TYPES, TEST_EVENT_TYPE] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** An endpoint of a merchant; only its creation and a rotation return its secret. */
export interface WebhookView {
  id: string;
  url: string;
  description: string | null;
  /** The types that it takes; null for all. */
  events: EventType[] | null;
  /** `disabled` once it answered 410, or by its merchant. */
  status: WebhookStatus;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** `secret` reads `whsec_` and 24 random bytes or more in base64. */
export type NewWebhookView = WebhookView & { secret: string };

/** The previous secret signs beside the new one until it expires. */
export type RotatedWebhookView = NewWebhookView & { previous_secret_expires_at: Timestamp };

/** A transaction as events show it: what the look-up shows, less what only the look-up knows or may open. */
export type EventTransaction = Pick<
  TransactionView,
  | 'id'
  | 'transaction_id'
  | 'reference_id'
  | 'customer_id'
  | 'sender_wallet_id'
  | 'receiver_wallet_id'
  | 'transaction_type'
  | 'transaction_mode'
  | 'asset_code'
  | 'amount'
  | 'status'
  | 'network'
  | 'crypto_transaction_id'
  | 'updated_at'
>;

/** A payout that waits: what an approver approves, and until when. */
export type EventApproval = EventTransaction & { approval_hash: string; approval_expires_at: Timestamp };

/** As the answer to the swap names them. */
export interface EventSwap {
  swapId: string;
  debitTransaction: EventTransaction;
  creditTransaction: EventTransaction;
}

/** A customer as events show it: nothing that is sealed. */
export type EventCustomer = Pick<
  CustomerView,
  'id' | 'customer_type' | 'status' | 'kyc_status' | 'created_at' | 'updated_at'
>;

/** What each type of event tells: ids, states and amounts of the resource as it was then; never personal data. */
export interface EventDataByType {
  'customer.created': EventCustomer;
  'customer.updated': EventCustomer;
  'customer.closed': EventCustomer;
  'deposit.pending': EventTransaction;
  'deposit.completed': EventTransaction;
  'deposit.failed': EventTransaction;
  'deposit.reversed': EventTransaction;
  'swap.completed': EventSwap;
  'payout.approval_required': EventApproval;
  'payout.completed': EventTransaction;
  'payout.failed': EventTransaction;
  'payout.reversed': EventTransaction;
  'webhook.test': { webhook_id: string };
}

export type EventData = EventDataByType[keyof EventDataByType];

/** What a receiver gets as the body. `sequence` counts the events of one resource: 1, 2, 3 … */
export type EventView = {
  [Type in keyof EventDataByType]: {
    id: string;
    type: Type;
    created_at: Timestamp;
    sequence: number;
    data: EventDataByType[Type];
  };
}[keyof EventDataByType];

/** Why an attempt did not succeed; with an answer that was not 2xx, `response_status` says more. */
export const DELIVERY_ERRORS = [
  'refused_by_receiver',
  'timeout',
  'connection_failed',
  'host_not_found',
  'private_address',
  'webhook_disabled',
  'webhook_deleted',
] as const;

export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

export interface DeliveryView {
  webhook_id: string;
  url: string;
  /** `pending` until a 2xx, or until the last attempt failed. */
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  last_attempt_at: Timestamp | null;
  next_attempt_at: Timestamp | null;
  response_status: number | null;
  error: DeliveryError | null;
}

export type EventWithDeliveriesView = EventView & { deliveries: DeliveryView[] };

/** How a test went. `queued` while the endpoint has not answered: the event's deliveries show the outcome later. */
export interface WebhookTestView {
  event_id: string;
  outcome: 'delivered' | 'failed' | 'queued';
  response_status: number | null;
  error: DeliveryError | null;
}
