import {
  DELIVERY_ERRORS,
  EVENT_TYPES,
  NewWebhookView,
  RotatedWebhookView,
  WEBHOOK_STATUSES,
  WebhookTestView,
  WebhookView,
} from '@stablecoin/contracts/customer/webhook-views';
import {
  listOf,
  matching,
  nullable,
  oneOf,
  ResponseOf,
  resource,
  statusCode,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const WEBHOOK_FIELDS = {
  id: uuid,
  url: text,
  description: nullable(text),
  events: nullable(listOf(oneOf(EVENT_TYPES))),
  status: oneOf(WEBHOOK_STATUSES),
  created_at: timestamp,
  updated_at: timestamp,
};
const secret = matching(/^whsec_[A-Za-z0-9+/]{43}=$/, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=');

export const WEBHOOK = resource('Webhook', WEBHOOK_FIELDS);
export const NEW_WEBHOOK = resource('NewWebhook', { ...WEBHOOK_FIELDS, secret });
export const ROTATED_WEBHOOK = resource('RotatedWebhook', {
  ...WEBHOOK_FIELDS,
  secret,
  previous_secret_expires_at: timestamp,
});
export const WEBHOOK_TEST = resource('WebhookTest', {
  event_id: uuid,
  outcome: oneOf(['delivered', 'failed', 'queued']),
  response_status: nullable(statusCode),
  error: nullable(oneOf(DELIVERY_ERRORS)),
});

export function presentWebhook(view: WebhookView): ResponseOf<typeof WEBHOOK> {
  const { id, url, description, events, status, created_at, updated_at } = view;
  return { id, url, description, events, status, created_at, updated_at };
}

export function presentNewWebhook(view: NewWebhookView): ResponseOf<typeof NEW_WEBHOOK> {
  return { ...presentWebhook(view), secret: view.secret };
}

export function presentRotatedWebhook(view: RotatedWebhookView): ResponseOf<typeof ROTATED_WEBHOOK> {
  return { ...presentNewWebhook(view), previous_secret_expires_at: view.previous_secret_expires_at };
}

export function presentWebhookTest(view: WebhookTestView): ResponseOf<typeof WEBHOOK_TEST> {
  const { event_id, outcome, response_status, error } = view;
  return { event_id, outcome, response_status, error };
}
