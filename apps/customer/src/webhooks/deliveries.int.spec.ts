import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { getEvent } from '@stablecoin/contracts/customer/get-event';
import { getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { resendEvent } from '@stablecoin/contracts/customer/resend-event';
import { rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { DeliveryView, WebhookStatus } from '@stablecoin/contracts/customer/webhook-views';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { fittingSignatures, Received, WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { individual, RunningCustomer } from '../testing/running-service';
import { DeliveryQueue } from './delivery-queue';
import { HostAddresses } from './host-addresses';

/** Three attempts, at once and after each of these waits. */
const RETRY_SECONDS = [0.3, 1.2];
const TIMEOUT_MS = 700;

describe('deliveries', () => {
  let service: RunningCustomer;
  let receiver: WebhookReceiver;
  let merchant_id: string;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await RunningCustomer.start({
      WEBHOOK_RETRY_SECONDS: RETRY_SECONDS.join(','),
      WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    merchant_id = await service.newMerchant();
    receiver.answer = 204;
    receiver.received.length = 0;
  });
  afterEach(() => jest.restoreAllMocks());

  const webhookAt = async (url: string, fields: object = {}) =>
    (await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url, ...fields }))).result;
  const newCustomer = async () =>
    (await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)))).result;
  const newEvent = async () => {
    const { id } = await newCustomer();
    const { items } = await service.ask(listEvents, { merchant_id });
    const event = items.find(({ data }) => 'id' in data && data.id === id);
    if (!event) throw new Error('a customer was created without an event');
    return event;
  };
  const deliveriesOf = async (event_id: string) => (await service.ask(getEvent, { merchant_id, event_id })).deliveries;
  const settled = (event_id: string, status: DeliveryView['status']) =>
    eventually(
      `the delivery of ${event_id} is ${status}`,
      async () => {
        const [delivery] = await deliveriesOf(event_id);
        return delivery?.status === status && delivery;
      },
      { timeoutMs: 15_000 },
    );

  it('arrive signed, as an independent receiver checks it, and with the event as it is listed', async () => {
    const { secret } = await webhookAt(receiver.url());
    const event = await newEvent();
    const [received] = (await receiver.atLeast(1)) as [Received];
    expect(received.event).toEqual(event);
    expect(received.id).toBe(event.id);
    expect(received.headers['content-type']).toBe('application/json');
    expect(Math.abs(Number(received.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    expect(fittingSignatures(received, secret)).toEqual([true]);
    expect(fittingSignatures({ ...received, text: received.text.replace('active', 'closed') }, secret)).toEqual([
      false,
    ]);
    expect(await settled(event.id, 'delivered')).toMatchObject({ attempts: 1, response_status: 204, error: null });
  });

  it('go to the endpoints that take the type, once each', async () => {
    await webhookAt(receiver.url('/all'));
    await webhookAt(receiver.url('/created'), { events: ['customer.created'] });
    await webhookAt(receiver.url('/payouts'), { events: ['payout.completed'] });
    const event = await newEvent();
    await receiver.atLeast(1, '/all');
    await receiver.atLeast(1, '/created');
    await settled(event.id, 'delivered');
    expect(receiver.received.map(({ path, id }) => [path, id]).sort()).toEqual([
      ['/all', event.id],
      ['/created', event.id],
    ]);
  });

  it('are tried again after each wait, under the same id with a fresh timestamp, and then given up', async () => {
    receiver.answer = 500;
    await webhookAt(receiver.url());
    const event = await newEvent();
    expect(await settled(event.id, 'failed')).toMatchObject({
      attempts: 1 + RETRY_SECONDS.length,
      response_status: 500,
      error: 'refused_by_receiver',
      next_attempt_at: null,
    });
    const times = receiver.received.map(({ at }) => at);
    const waits = times.slice(1).map((at, index) => at - (times[index] as number));
    expect(waits).toHaveLength(RETRY_SECONDS.length);
    waits.forEach((wait, index) => expect(wait).toBeGreaterThanOrEqual((RETRY_SECONDS[index] as number) * 1_000));
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([event.id]));
    const [first, ...later] = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(Math.max(...later)).toBeGreaterThan(first as number);
  });

  it.each<[string, Parameters<typeof answering>[0], Partial<DeliveryView>]>([
    ['an answer that never comes', 'silence', { response_status: null, error: 'timeout' }],
    ['a redirect, which is not followed', 'redirect', { response_status: 302, error: 'refused_by_receiver' }],
    ['a connection that breaks', 'break', { response_status: null, error: 'connection_failed' }],
    ['headers without end', 'headers', { response_status: null, error: 'connection_failed' }],
  ])('%s is a failed attempt', async (_what, how, expected) => {
    receiver.answer = answering(how);
    await webhookAt(receiver.url());
    const event = await newEvent();
    expect(await settled(event.id, 'failed')).toMatchObject({ ...expected, attempts: 3 });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it.each(['long', 'slow'] as const)('a 200 is a success, however %s its body is', async (how) => {
    receiver.answer = answering(how);
    await webhookAt(receiver.url());
    const event = await newEvent();
    expect(await settled(event.id, 'delivered')).toMatchObject({ attempts: 1, response_status: 200 });
  });

  function answering(how: 'silence' | 'redirect' | 'break' | 'headers' | 'long' | 'slow'): WebhookReceiver['answer'] {
    return (response) => {
      if (how === 'redirect') response.writeHead(302, { location: receiver.url('/elsewhere') }).end();
      if (how === 'break') response.destroy();
      if (how === 'headers') response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(64 * 1024)}\r\n\r\n`);
      if (how === 'long') response.writeHead(200).end('a'.repeat(4_000_000));
      if (how === 'slow') response.writeHead(200).write('a');
    };
  }

  it('a receiver that answers 410 receives nothing more', async () => {
    receiver.answer = 410;
    const { id: webhook_id } = await webhookAt(receiver.url());
    const event = await newEvent();
    expect(await settled(event.id, 'failed')).toMatchObject({ attempts: 1, response_status: 410 });
    expect((await service.ask(getWebhook, { merchant_id, webhook_id })).status).toBe('disabled');
    receiver.answer = 204;
    expect(await deliveriesOf((await newEvent()).id)).toEqual([]);
    await service.ask(resendEvent, commandOf({ merchant_id, event_id: event.id }));
    const { result } = await service.ask(testWebhook, commandOf({ merchant_id, webhook_id }));
    expect(result).toMatchObject({ outcome: 'failed', error: 'webhook_disabled' });
    expect(receiver.received).toHaveLength(1);
  });

  it('go on once the endpoint is enabled again; events from the time between are sent only on request', async () => {
    const { id: webhook_id } = await webhookAt(receiver.url());
    const change = (status: WebhookStatus) =>
      service.ask(updateWebhook, commandOf({ merchant_id, key_mode: 'test', webhook_id, status }));
    await change('disabled');
    const missed = await newEvent();
    await change('enabled');
    const event = await newEvent();
    await settled(event.id, 'delivered');
    expect(await deliveriesOf(missed.id)).toEqual([]);
    await service.ask(resendEvent, commandOf({ merchant_id, event_id: missed.id }));
    await settled(missed.id, 'delivered');
    expect(receiver.received.map(({ id }) => id)).toEqual([event.id, missed.id]);
  });

  it('are given up when their endpoint is deleted', async () => {
    receiver.answer = 500;
    const { id: webhook_id } = await webhookAt(receiver.url());
    const event = await newEvent();
    await receiver.atLeast(1);
    await service.ask(deleteWebhook, commandOf({ merchant_id, webhook_id }));
    expect(await settled(event.id, 'failed')).toMatchObject({ error: 'webhook_deleted' });
    expect(await service.sql('SELECT 1 FROM webhook_secrets WHERE endpoint_id = $1', [webhook_id])).toEqual([]);
  });

  it('carry both signatures after a rotation, until the old secret’s day is over', async () => {
    const { id: webhook_id, secret: old } = await webhookAt(receiver.url());
    const { result } = await service.ask(rotateWebhookSecret, commandOf({ merchant_id, webhook_id }));
    const day = Date.parse(result.previous_secret_expires_at) - Date.now();
    expect(Math.abs(day - 24 * 3_600_000)).toBeLessThan(60_000);
    await newEvent();
    const [during] = (await receiver.atLeast(1)) as [Received];
    expect(fittingSignatures(during, result.secret)).toEqual([true, false]);
    expect(fittingSignatures(during, old)).toEqual([false, true]);
    await service.sql("UPDATE webhook_secrets SET expires_at = now() - interval '1 s' WHERE expires_at IS NOT NULL");
    await newEvent();
    const [, after] = (await receiver.atLeast(2)) as [Received, Received];
    expect(fittingSignatures(after, result.secret)).toEqual([true]);
  });

  it('a test is attempted once and returns its outcome', async () => {
    const { id: webhook_id, secret } = await webhookAt(receiver.url(), { events: ['payout.failed'] });
    await webhookAt(receiver.url('/other'));
    const test = () => service.ask(testWebhook, commandOf({ merchant_id, webhook_id }));
    const { result } = await test();
    expect(result).toMatchObject({ outcome: 'delivered', response_status: 204, error: null });
    const [received] = (await receiver.atLeast(1)) as [Received];
    expect(received.event).toMatchObject({ id: result.event_id, type: 'webhook.test', data: { webhook_id } });
    expect(fittingSignatures(received, secret)).toEqual([true]);
    receiver.answer = 503;
    const refused = (await test()).result;
    expect(refused).toMatchObject({ outcome: 'failed', response_status: 503, error: 'refused_by_receiver' });
    expect(receiver.at('/other')).toEqual([]);
    // Again, and only there.
    receiver.answer = 204;
    await service.ask(resendEvent, commandOf({ merchant_id, event_id: refused.event_id }));
    await settled(refused.event_id, 'delivered');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/']);
  });

  it('a test that has no outcome yet is queued, also for a caller with little time left', async () => {
    const { id: webhook_id } = await webhookAt(receiver.url());
    const idle = jest.spyOn(service.get(DeliveryQueue), 'takeDue').mockResolvedValue([]);
    const request = { requestId: randomUUID(), deadline: Date.now() + 2_000 };
    const test = () => service.ask(testWebhook, commandOf({ merchant_id, webhook_id }));
    const { result } = await withRequestContext(request, test);
    expect(result).toMatchObject({ outcome: 'queued', error: null });
    idle.mockRestore();
    await settled(result.event_id, 'delivered');
  });

  it('are sent again on request, under the same id, also to endpoints that came later', async () => {
    await webhookAt(receiver.url());
    const event = await newEvent();
    await settled(event.id, 'delivered');
    await webhookAt(receiver.url('/later'));
    const command = commandOf({ merchant_id, event_id: event.id });
    const { result } = await service.ask(resendEvent, command);
    expect(result.deliveries.map(({ url }) => url)).toEqual([receiver.url(), receiver.url('/later')]);
    await receiver.atLeast(2);
    await receiver.atLeast(1, '/later');
    expect(await service.ask(resendEvent, command)).toMatchObject({ replayed: true });
    await settled(event.id, 'delivered');
    expect(receiver.received.map(({ id }) => id)).toEqual(Array(3).fill(event.id));
  });

  describe('addresses', () => {
    const hosts = () => jest.spyOn(service.get(HostAddresses), 'of');

    it('a host is looked up once per attempt, and connected to at the checked address: no rebinding', async () => {
      // The name exists only in this mock: a second look-up would find nothing.
      const asked = hosts().mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
      await service.sql('SELECT 1');
      await insertEndpoint(`http://rebinding.invalid:${receiver.port}/`);
      const event = await newEvent();
      await settled(event.id, 'delivered');
      expect(asked.mock.calls).toEqual([['rebinding.invalid']]);
      expect(receiver.received[0]?.headers.host).toBe(`rebinding.invalid:${receiver.port}`);
    });

    it.each([
      ['a private one', ['10.0.0.7']],
      ['one private among public ones', ['1.1.1.1', '192.168.0.7']],
      ['the one where clouds tell secrets', ['169.254.169.254']],
      ['this machine beside a private one', ['127.0.0.1', '10.0.0.7']],
      ['a mapped one', ['::ffff:127.0.0.1']],
    ])('%s is refused without connecting', async (_what, addresses) => {
      hosts().mockResolvedValue(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
      await insertEndpoint(`http://somewhere.invalid:${receiver.port}/`);
      const event = await newEvent();
      expect(await settled(event.id, 'failed')).toMatchObject({ attempts: 3, error: 'private_address' });
      expect(receiver.received).toEqual([]);
    });

    it('this machine is refused to endpoints of a live key, under any name', async () => {
      hosts().mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
      await insertEndpoint(`http://somewhere.invalid:${receiver.port}/`, false);
      await insertEndpoint(receiver.url(), false);
      const event = await newEvent();
      await settled(event.id, 'failed');
      expect((await deliveriesOf(event.id)).map(({ error }) => error)).toEqual(['private_address', 'private_address']);
      expect(receiver.received).toEqual([]);
    });

    it('a host that does not exist is a failed attempt', async () => {
      hosts().mockResolvedValue([]);
      await insertEndpoint('https://nowhere.invalid/');
      const event = await newEvent();
      expect(await settled(event.id, 'failed')).toMatchObject({ error: 'host_not_found' });
    });

    /** Inserts an endpoint without the check of its URL, like a name whose addresses have changed since. */
    async function insertEndpoint(url: string, sandbox = true): Promise<void> {
      const { id } = await webhookAt(receiver.url());
      const text = 'UPDATE webhook_endpoints SET url = $1, sealed_url = NULL, sandbox = $2 WHERE id = $3';
      await service.sql(text, [url, sandbox, id]);
    }
  });

  it('have no outcome when the process dies in between: they are sent again under the same id', async () => {
    const queue = service.get(DeliveryQueue);
    const died = jest.spyOn(queue, 'succeed').mockRejectedValueOnce(new Error('the process is gone'));
    await webhookAt(receiver.url());
    const event = await newEvent();
    await receiver.atLeast(1);
    await eventually('the outcome to be lost', () => died.mock.results.length > 0);
    expect(await deliveriesOf(event.id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    // No sender takes it while the lease lasts; then one does.
    const [{ leased }] = (await service.sql<{ leased: boolean }>(
      'SELECT next_attempt_at > now() AS leased FROM event_deliveries WHERE event_id = $1',
      [event.id],
    )) as [{ leased: boolean }];
    expect(leased).toBe(true);
    await service.sql('UPDATE event_deliveries SET next_attempt_at = now() WHERE event_id = $1', [event.id]);
    expect(await settled(event.id, 'delivered')).toMatchObject({ attempts: 1 });
    expect(receiver.received.map(({ id }) => id)).toEqual([event.id, event.id]);
  });

  it('to an endpoint that accepts connections and does not answer hold up no other endpoint', async () => {
    let [open, most] = [0, 0];
    const silent = createServer((socket) => {
      open += 1;
      most = Math.max(most, open);
      socket
        .resume()
        .on('error', () => undefined)
        .once('close', () => (open -= 1));
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const port = (silent.address() as { port: number }).port;
    await webhookAt(`http://127.0.0.1:${port}/`);
    for (let count = 0; count < 80; count += 1) await newCustomer();
    const other = merchant_id;
    merchant_id = await service.newMerchant();
    await webhookAt(receiver.url());
    const event = await newEvent();
    await settled(event.id, 'delivered');
    const [waiting] = await service.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM event_deliveries JOIN events ON events.id = event_id
       WHERE merchant_id = $1 AND status = 'pending'`,
      [other],
    );
    // Its backlog is far from over and has not taken the room of the others: 8 attempts at once, of which this side may
    // see some end a moment after the next have come.
    expect(waiting?.count).toBeGreaterThan(40);
    expect(most).toBeLessThanOrEqual(16);
    silent.close();
    await service.sql("UPDATE event_deliveries SET status = 'failed', next_attempt_at = NULL WHERE status = 'pending'");
  });

  it('are shared by the instances: each is sent once', async () => {
    const second = await RunningCustomer.start({ CUSTOMER_DATABASE_URL: service.database.url });
    try {
      await webhookAt(receiver.url());
      await Promise.all(Array.from({ length: 60 }, newCustomer));
      await receiver.atLeast(60);
      const { items } = await service.ask(listEvents, { merchant_id, limit: 100 });
      await Promise.all(items.map(({ id }) => settled(id, 'delivered')));
      expect(receiver.received.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
    } finally {
      await second.stop();
    }
  });

  it('are given back when the process ends, and the next one sends them', async () => {
    const first = await RunningCustomer.start({
      CUSTOMER_DATABASE_URL: service.database.url,
      WEBHOOK_TIMEOUT_MS: '60000',
    });
    const stopped = jest.spyOn(service.get(DeliveryQueue), 'takeDue').mockResolvedValue([]);
    receiver.answer = () => undefined;
    await webhookAt(receiver.url());
    const event = await newEvent();
    await receiver.atLeast(1);
    await first.stop();
    receiver.answer = 204;
    stopped.mockRestore();
    expect(await settled(event.id, 'delivered')).toMatchObject({ attempts: 1 });
    expect(receiver.received.map(({ id }) => id)).toEqual([event.id, event.id]);
  });

  it('no secret and nothing personal stands in clear in any table', async () => {
    const { id: webhook_id, secret } = await webhookAt(receiver.url());
    const { result } = await service.ask(rotateWebhookSecret, commandOf({ merchant_id, webhook_id }));
    const customer = await newCustomer();
    const tables = ['events', 'event_deliveries', 'webhook_endpoints', 'webhook_secrets', 'command_results'];
    for (const table of tables) {
      const rows = JSON.stringify(await service.sql(`SELECT * FROM ${table}`), (_key, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      for (const canary of [secret, result.secret, customer.email, customer.phone, '1990-05-17', randomUUID()]) {
        expect({ table, found: rows.includes(canary) }).toEqual({ table, found: false });
      }
    }
  });
});
