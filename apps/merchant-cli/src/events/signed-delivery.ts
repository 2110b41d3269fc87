import { createHmac } from 'node:crypto';
import type { Event } from 'stablecoin-sdk';
import { CLI_VERSION } from '../cli-version';

/** What a webhook of the service would send: the same body, signed as Standard Webhooks says. */
export function signedDelivery(
  event: Event,
  secret: string,
  nowMs: number,
): { headers: Record<string, string>; body: string } {
  const { id, type, created_at, sequence, data } = event;
  const body = JSON.stringify({ id, type, created_at, sequence, data });
  const timestamp = String(Math.floor(nowMs / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `stablecoin-cli/${CLI_VERSION}`,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
  };
}
