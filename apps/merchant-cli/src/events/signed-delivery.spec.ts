import { Event, unwrapWebhook, WebhookSignatureError } from 'stablecoin-sdk';
import { signedDelivery } from './signed-delivery';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EVENT = {
  ...{ id: '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80', type: 'payout.failed', created_at: '2026-11-23T08:00:00.000Z' },
  ...{ sequence: 1, data: { amount: '10.00000000' } },
} as Event;

it('is signed so that the SDK takes it, and has the body of a webhook', () => {
  const { headers, body } = signedDelivery({ ...EVENT, deliveries: [] } as unknown as Event, SECRET, Date.now());
  expect(unwrapWebhook(body, headers, SECRET)).toEqual(EVENT);
  expect(() => unwrapWebhook(body, headers, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow(
    WebhookSignatureError,
  );
});
