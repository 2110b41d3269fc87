import { createHmac } from 'node:crypto';
import { WebhookSignatureError } from './errors';
import { unwrapWebhook } from './webhook-signature';

// The example of the specification, standardwebhooks.com.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"test": 2432232314}';
const HEADERS = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const NOW_MS = 1_614_265_330_000;

const signed = (body: string | Uint8Array, secret: string): string => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = HEADERS;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
};
const unwrap = (changes: Record<string, unknown> = {}, body: string | Uint8Array = BODY, nowMs = NOW_MS) =>
  unwrapWebhook(body, { ...HEADERS, ...changes }, SECRET, { nowMs });

describe('A delivery', () => {
  it('is believed when it is signed as Standard Webhooks says', () => {
    expect(unwrap()).toEqual({ test: 2432232314 });
  });

  it('may come with its headers in any form, and its body as bytes', () => {
    expect(unwrapWebhook(Buffer.from(BODY), new Headers(HEADERS), SECRET, { nowMs: NOW_MS })).toEqual(unwrap());
    const capitals = Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(unwrapWebhook(BODY, capitals, SECRET, { nowMs: NOW_MS })).toEqual(unwrap());
    const text = '{"name":"Adá ₦"}';
    expect(unwrap({ 'webhook-signature': signed(text, SECRET) }, new TextEncoder().encode(text))).toEqual(
      JSON.parse(text),
    );
  });

  it('may carry several signatures, while its secret is rotated', () => {
    const other = signed(BODY, 'whsec_b2xkIHNlY3JldCBvZiB0aGUgd2ViaG9vaw==');
    const both = `${other} v1a,unknown ${HEADERS['webhook-signature']}`;
    expect(unwrap({ 'webhook-signature': both })).toEqual({ test: 2432232314 });
    expect(() => unwrap({ 'webhook-signature': other })).toThrow(WebhookSignatureError);
  });

  it.each([
    ['another body', {}, '{"test":2432232314}'],
    ['another id', { 'webhook-id': 'msg_other' }, BODY],
    ['another time', { 'webhook-timestamp': '1614265331' }, BODY],
    ['a signature of another version', { 'webhook-signature': HEADERS['webhook-signature'].replace('v1', 'v2') }, BODY],
    ['a part of the signature', { 'webhook-signature': 'v1,g0hM9SsE' }, BODY],
    ['an empty signature', { 'webhook-signature': 'v1,' }, BODY],
    ['no signature', { 'webhook-signature': undefined }, BODY],
    ['a time that is none', { 'webhook-timestamp': 'yesterday' }, BODY],
  ])('is refused with %s', (_, changes, body) => {
    expect(() => unwrap(changes, body)).toThrow(WebhookSignatureError);
  });

  it('is refused when it is older or newer than the tolerance', () => {
    expect(unwrap({}, BODY, NOW_MS + 300_000)).toEqual(unwrap({}, BODY, NOW_MS - 300_000));
    expect(() => unwrap({}, BODY, NOW_MS + 301_000)).toThrow('signed more than 300 seconds from now');
    expect(() => unwrap({}, BODY, NOW_MS - 301_000)).toThrow(WebhookSignatureError);
    const strict = { toleranceSeconds: 5, nowMs: NOW_MS + 6_000 };
    expect(() => unwrapWebhook(BODY, HEADERS, SECRET, strict)).toThrow(WebhookSignatureError);
  });

  it('is not checked after a JSON parser, nor with no secret', () => {
    expect(() => unwrapWebhook(JSON.parse(BODY) as string, HEADERS, SECRET)).toThrow(TypeError);
    expect(() => unwrapWebhook(BODY, HEADERS, 'whsec_', { nowMs: NOW_MS })).toThrow(TypeError);
  });
});
