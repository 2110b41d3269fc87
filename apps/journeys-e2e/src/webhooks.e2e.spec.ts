import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import { fittingSignatures, Received, WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { newClient, ROOT } from './merchants';
import { createIndividual, deposit, openWallet } from './people';
import { TIMESTAMP, UUID } from './resources';
import { HELD_DEPOSIT } from './writes';

interface Webhook {
  id: string;
  url: string;
  secret: string;
}

interface MerchantEvent {
  id: string;
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

type Check = (headers: Received['headers'], body: string, secret: string) => boolean;

const BANK = {
  currency: 'USD',
  amount: '10',
  account_number: '0123456789',
  bank_code: '011',
  recipient_name: 'Ada Obi',
} as const;

let receiver: WebhookReceiver;
let merchant: Client;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());
beforeEach(async () => {
  merchant = await newClient();
  receiver.answer = 204;
  receiver.received.length = 0;
});

const webhookAt = (path: string, fields: object = {}) =>
  merchant.sdk.webhooks.create({ url: receiver.url(path), ...fields });
const eventsOf = (query = '') => dataOf(merchant.get<MerchantEvent[]>(`/events?limit=100${query}`));
const delivered = (id: string) =>
  eventually(`event ${id} is delivered`, async () => {
    const event = await merchant.sdk.events.get(id);
    return event.deliveries.every(({ status }) => status === 'delivered') && event;
  });

describe('a merchant’s day', () => {
  covers('Rules: webhooks', 'Resource: event', 'GET /events');

  it('receives events as they happen: each once, signed, numbered per resource, without personal data', async () => {
    const { secret } = await webhookAt('/day');
    const customer = await createIndividual(merchant);
    await merchant.sdk.customers.updateIndividual(customer.id, { first_name: 'Grace' });
    await merchant.sdk.customers.updateIndividual(customer.id, { first_name: 'Grace' });
    const usd = await openWallet(merchant, { currency: 'USD' });
    const ngn = await openWallet(merchant, { currency: 'NGN' });
    const arrived = await deposit(merchant, usd.id, '100');
    const pair = { from_currency: 'USD', to_currency: 'NGN', amount: '10' } as const;
    await merchant.sdk.quotes.create(pair);
    const swap = await merchant.sdk.swaps.execute(pair);
    const payOut = (account_number: string) => merchant.sdk.payouts.createToBank({ ...BANK, account_number });
    const [completed, failed, returned] = [
      await payOut('01230000'),
      await payOut('01230001'),
      await payOut('01230002'),
    ];
    const { sandbox } = merchant.sdk;
    const orphaned = await sandbox.deposit({ wallet_id: usd.id, amount: '7', reference: HELD_DEPOSIT });
    await sandbox.failDeposit(orphaned.id);
    await sandbox.reverseDeposit(arrived.id);
    await merchant.sdk.customers.close(customer.id);

    const expected = [
      [customer.id, 1, 'customer.created'],
      [customer.id, 2, 'customer.updated'],
      [customer.id, 3, 'customer.closed'],
      [arrived.id, 1, 'deposit.pending'],
      [arrived.id, 2, 'deposit.completed'],
      [arrived.id, 3, 'deposit.reversed'],
      [orphaned.id, 1, 'deposit.pending'],
      [orphaned.id, 2, 'deposit.failed'],
      [swap.swapId, 1, 'swap.completed'],
      [completed.id, 1, 'payout.completed'],
      [failed.id, 1, 'payout.failed'],
      [returned.id, 1, 'payout.completed'],
      [returned.id, 2, 'payout.reversed'],
    ];
    const received = await receiver.atLeast(expected.length, '/day', 20_000);
    const told = received.map(({ event }) => [event.data['swapId'] ?? event.data['id'], event.sequence, event.type]);
    expect(told.sort()).toEqual(expected.sort());
    expect(new Set(received.map(({ id }) => id)).size).toBe(expected.length);
    for (const one of received) {
      expect(one.id).toBe(one.event.id);
      expect(fittingSignatures(one, secret)).toEqual([true]);
      expect(one.text).not.toMatch(/Ada|Obi|Grace|0123000|@example\.com|\+234/);
    }

    const events = await eventsOf();
    expect(events.map(({ id }) => id).sort()).toEqual(received.map(({ id }) => id).sort());
    expect(received.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
    expect((await eventsOf('&type=payout.completed')).map(({ data }) => data['id'])).toEqual([
      returned.id,
      completed.id,
    ]);

    const byType = (type: string) => events.find((event) => event.type === type)?.data;
    const ids = { sender_wallet_id: usd.id, receiver_wallet_id: ngn.id, customer_id: null };
    expect(byType('swap.completed')).toEqual({
      swapId: swap.swapId,
      debitTransaction: expect.objectContaining({
        ...ids,
        id: swap.debitTransaction.id,
        status: 'COMPLETED',
      }) as unknown,
      creditTransaction: expect.objectContaining({ ...ids, id: swap.creditTransaction.id }) as unknown,
    });
    // What an event says of a transaction is what the look-up says.
    const found = await merchant.sdk.transactions.get(returned.transaction_id);
    expect(found).toMatchObject(byType('payout.reversed') as object);
    expect(byType('customer.closed')).toEqual({
      id: customer.id,
      customer_type: 'individual',
      status: 'closed',
      kyc_status: 'approved',
      created_at: customer.created_at,
      updated_at: TIMESTAMP,
    });
  });
});

describe('the check that the guide to webhooks shows', () => {
  covers('Rules: webhooks');

  it('accepts our messages, and none that was changed, is old, or was signed with another secret', async () => {
    const [, source = ''] =
      /```js\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'apps/documentation/guides/webhooks.md'), 'utf8')) ?? [];
    const shown = new Function('require', `${source}; return isFromService;`)(require) as Check;
    const { secret } = await webhookAt('/readme');
    await createIndividual(merchant);
    const [{ headers, text }] = (await receiver.atLeast(1, '/readme')) as [Received];
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 301) };
    expect(shown(headers, text, secret)).toBe(true);
    expect(
      shown({ ...headers, 'webhook-signature': `v1,x ${String(headers['webhook-signature'])}` }, text, secret),
    ).toBe(true);
    expect(shown(headers, text.replace('active', 'closed'), secret)).toBe(false);
    expect(shown(old, text, secret)).toBe(false);
    expect(shown({ ...headers, 'webhook-id': randomUUID() }, text, secret)).toBe(false);
    expect(shown(headers, text, `whsec_${randomUUID()}`)).toBe(false);
  });
});

describe('webhooks', () => {
  covers('POST /webhooks', 'GET /webhooks', 'GET /webhooks/{webhook_id}', 'Resource: webhook');

  it('are shown without their secret, and a repetition of the creation shows it again', async () => {
    const idempotencyKey = randomUUID();
    const body = { url: receiver.url('/once'), events: ['payout.failed'], description: 'Payout desk' };
    const first = await merchant.post<Webhook>('/webhooks', body, { idempotencyKey });
    const { secret, ...webhook } = first.body.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({ id: UUID, ...body, status: 'enabled', created_at: TIMESTAMP, updated_at: TIMESTAMP });
    const again = await merchant.post('/webhooks', body, { idempotencyKey });
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(await merchant.sdk.webhooks.get(webhook.id)).toEqual(webhook);
    expect((await merchant.sdk.webhooks.list()).data).toEqual([webhook]);
    await refusalOf(
      merchant.post('/webhooks', { ...body, events: null }, { idempotencyKey }),
      422,
      'idempotency_key_reused',
    );
  });

  it.each([
    ['a test key', [], 'https://10.0.0.1/', 'private_address'],
    ['a test key', [], 'https://[fd00:ec2::254]/', 'private_address'],
    ['a live key', ['--live'], 'http://127.0.0.1:4000/', 'invalid_url'],
    ['a live key', ['--live'], 'https://localhost/', 'invalid_url'],
  ])('of %s %j can’t be at %s', async (_key, flags, url, code) => {
    const own = await newClient(flags);
    expect(await fieldErrorsOf(own.post('/webhooks', { url }))).toEqual({ url: code });
    expect((await own.sdk.webhooks.list()).data).toEqual([]);
  });

  it('take a key that may write, and one that may read to look at', async () => {
    const reader = await newClient(['--scopes', 'read']);
    await refusalOf(reader.post('/webhooks', { url: receiver.url() }), 403, 'insufficient_scope');
    for (const path of [`/webhooks/${randomUUID()}/test`, `/events/${randomUUID()}/resend`]) {
      await refusalOf(reader.post(path), 403, 'insufficient_scope');
    }
    expect((await reader.sdk.webhooks.list()).data).toEqual([]);
    expect((await reader.sdk.events.list()).data).toEqual([]);
  });

  it('are at most twenty', async () => {
    for (let count = 0; count < 20; count += 1) await webhookAt('/full');
    await refusalOf(merchant.post('/webhooks', { url: receiver.url() }), 409, 'webhook_limit_reached');
  });
});

describe('PUT /webhooks/{webhook_id}', () => {
  covers('PUT /webhooks/{webhook_id}');

  it('pauses it, moves it and lets it go on', async () => {
    const { secret, ...webhook } = await webhookAt('/paused');
    const change = (body: object) => merchant.sdk.webhooks.update(webhook.id, body);
    expect(await change({ status: 'disabled' })).toEqual({ ...webhook, status: 'disabled', updated_at: TIMESTAMP });
    await createIndividual(merchant);
    await change({ status: 'enabled', url: receiver.url('/moved'), events: ['customer.created'] });
    const { id } = await createIndividual(merchant);
    const [received] = (await receiver.atLeast(1, '/moved')) as [Received];
    expect(received.event.data).toMatchObject({ id });
    expect(fittingSignatures(received, secret)).toEqual([true]);
    expect([receiver.at('/paused'), receiver.at('/moved').length]).toEqual([[], 1]);
    expect(await fieldErrorsOf(merchant.put(`/webhooks/${webhook.id}`, { url: 'https://10.0.0.1/' }))).toEqual({
      url: 'private_address',
    });
  });
});

describe('DELETE /webhooks/{webhook_id}', () => {
  covers('DELETE /webhooks/{webhook_id}');

  it('ends it: nothing more is sent', async () => {
    const [gone, kept] = [await webhookAt('/gone'), await webhookAt('/kept')];
    await merchant.sdk.webhooks.delete(gone.id);
    await refusalOf(merchant.get(`/webhooks/${gone.id}`), 404, 'not_found');
    await refusalOf(merchant.delete(`/webhooks/${gone.id}`), 404, 'not_found');
    expect((await merchant.sdk.webhooks.list()).data).toMatchObject([{ id: kept.id }]);
    await createIndividual(merchant);
    await receiver.atLeast(1, '/kept');
    expect(receiver.at('/gone')).toEqual([]);
  });
});

describe('POST /webhooks/{webhook_id}/rotate-secret', () => {
  covers('POST /webhooks/{webhook_id}/rotate-secret', 'Rules: webhooks');

  it('lets both secrets sign for a day', async () => {
    const { id, secret: old } = await webhookAt('/rotated');
    const rotated = await merchant.sdk.webhooks.rotateSecret(id);
    expect(Math.round((Date.parse(rotated.previous_secret_expires_at) - Date.now()) / 3_600_000)).toBe(24);
    await createIndividual(merchant);
    const [received] = (await receiver.atLeast(1, '/rotated')) as [Received];
    expect(fittingSignatures(received, rotated.secret)).toEqual([true, false]);
    expect(fittingSignatures(received, old)).toEqual([false, true]);
  });
});

describe('POST /webhooks/{webhook_id}/test', () => {
  covers('POST /webhooks/{webhook_id}/test');

  it.each([
    [200, { outcome: 'delivered', response_status: 200, error: null }],
    [500, { outcome: 'failed', response_status: 500, error: 'refused_by_receiver' }],
    [302, { outcome: 'failed', response_status: 302, error: 'refused_by_receiver' }],
  ])('tells how it went: an answer with %d', async (status, outcome) => {
    receiver.answer = status;
    const { id } = await webhookAt('/test', { events: ['payout.failed'] });
    const test = await merchant.sdk.webhooks.test(id);
    expect(test).toEqual({ event_id: UUID, ...outcome });
    const [received] = (await receiver.atLeast(1, '/test')) as [Received];
    expect(received.event).toMatchObject({ id: test.event_id, type: 'webhook.test', data: { webhook_id: id } });
  });

  it('is queued while the endpoint makes up its mind', async () => {
    receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 4_500);
    const { id } = await webhookAt('/late');
    const test = await merchant.sdk.webhooks.test(id);
    expect(test.outcome).toBe('queued');
    expect((await delivered(test.event_id)).deliveries).toMatchObject([{ attempts: 1, response_status: 204 }]);
  });
});

describe('GET /events/{event_id} and POST /events/{event_id}/resend', () => {
  covers('GET /events/{event_id}', 'POST /events/{event_id}/resend', 'Rules: webhooks');

  it('show how an event fared, and send it again under the same id', async () => {
    receiver.answer = 503;
    const { id: webhook_id, url } = await webhookAt('/again');
    await createIndividual(merchant);
    const [event] = (await eventsOf()) as [MerchantEvent];
    await receiver.atLeast(1, '/again');
    const waiting = await eventually('the first attempt to be known', async () => {
      const { deliveries } = await merchant.sdk.events.get(event.id);
      return Number(deliveries[0]?.['attempts']) > 0 && deliveries;
    });
    expect(waiting).toEqual([
      {
        webhook_id,
        url,
        status: 'pending',
        attempts: expect.any(Number) as unknown,
        last_attempt_at: TIMESTAMP,
        next_attempt_at: TIMESTAMP,
        response_status: 503,
        error: 'refused_by_receiver',
      },
    ]);
    receiver.answer = 204;
    const idempotencyKey = randomUUID();
    await dataOf(merchant.post(`/events/${event.id}/resend`, undefined, { idempotencyKey }));
    expect(await delivered(event.id)).toMatchObject({ ...event, deliveries: [{ webhook_id, status: 'delivered' }] });
    const before = receiver.at('/again').length;
    const repeated = await merchant.post(`/events/${event.id}/resend`, undefined, { idempotencyKey });
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    await createIndividual(merchant);
    const all = await receiver.atLeast(before + 1, '/again');
    expect(all.slice(0, before).map(({ id }) => id)).toEqual(Array(before).fill(event.id));
    expect(all).toHaveLength(before + 1);
  });

  it('a receiver that is gone receives nothing more', async () => {
    receiver.answer = 410;
    const { id } = await webhookAt('/gone');
    await createIndividual(merchant);
    await eventually('the webhook to be disabled', async () => {
      const { status } = await merchant.sdk.webhooks.get(id);
      return status === 'disabled';
    });
    await createIndividual(merchant);
    const [latest] = (await eventsOf()) as [MerchantEvent];
    expect(await merchant.sdk.events.get(latest.id)).toMatchObject({ deliveries: [] });
    expect(receiver.at('/gone')).toHaveLength(1);
  });
});
