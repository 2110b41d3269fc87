// Deliveries are signed as Standard Webhooks (standardwebhooks.com) says: HMAC-SHA256 over id, timestamp and body.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { WebhookSignatureError } from './errors';
import type { Event } from './types.generated';

/** As a server has them: a plain object in lower or any case, or Headers. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** How far the delivery's clock and this machine's may differ, and how late it may arrive: 300 unless said otherwise. */
  toleranceSeconds?: number;
  /** The time to check against, in milliseconds since 1970; now unless said otherwise. */
  nowMs?: number;
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const SIGNATURE_VERSION = 'v1,';

/**
 * Checks a delivery and gives its event, told apart by `type`. A type that is newer than this package comes as it is: keep a
 * default branch.
 *
 * @param body as it came, before any JSON parser: another text of the same JSON has another signature
 * @param secret of the webhook, `whsec_…`; while it is being rotated, the old or the new one
 * @throws WebhookSignatureError answer it with 400; nothing of the body is to be believed
 */
export function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: UnwrapOptions = {},
): Event {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('The body is checked as it came: give its text or bytes, before a JSON parser sees it.');
  }
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookSignatureError('The headers of a webhook delivery are missing.');
  assertRecent(timestamp, toleranceSeconds, nowMs);
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
  if (!signatures.split(' ').some((signature) => isSignature(signature, expected))) {
    throw new WebhookSignatureError('No signature of the delivery was made with this secret over this body.');
  }
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as Event;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Also those of a framework that brings its own.
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

const isHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers['get'] === 'function';

function assertRecent(timestamp: string, toleranceSeconds: number, nowMs: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookSignatureError('The timestamp of the delivery is no time.');
  const differenceSeconds = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (differenceSeconds > toleranceSeconds) {
    throw new WebhookSignatureError(`The delivery was signed more than ${toleranceSeconds} seconds from now.`);
  }
}

function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const key = Buffer.from(encoded, 'base64');
  if (key.length === 0) throw new TypeError('The secret of a webhook begins with whsec_.');
  return key;
}

function isSignature(given: string, expected: Buffer): boolean {
  if (!given.startsWith(SIGNATURE_VERSION)) return false;
  const signature = Buffer.from(given.slice(SIGNATURE_VERSION.length), 'base64');
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}
