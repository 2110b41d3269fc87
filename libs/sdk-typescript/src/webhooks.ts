import { WebhooksResource } from './resources.generated';
import type { Event } from './types.generated';
import { UnwrapOptions, unwrapWebhook, WebhookHeaders } from './webhook-signature';

/** The methods of webhooks, and the check of what arrives. */
export class Webhooks extends WebhooksResource {
  /** As {@link unwrapWebhook}, which needs no client. */
  unwrap(body: string | Uint8Array, headers: WebhookHeaders, secret: string, options?: UnwrapOptions): Event {
    return unwrapWebhook(body, headers, secret, options);
  }
}
