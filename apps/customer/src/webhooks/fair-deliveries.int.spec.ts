import { createServer, Server } from 'node:net';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { DEFAULT_QUOTA } from '@stablecoin/customer-store/merchants/merchant-quotas';

/** Far beyond what a delivery may take here: an attempt at a receiver that hangs keeps its place until the test ends. */
const TIMEOUT_MS = 60_000;
/** A delivery to a receiver that answers, on a busy machine. */
const DELIVERED_WITHIN_MS = 5_000;
const PER_MERCHANT_MAX = 16;

describe('deliveries of merchants whose receivers hang', () => {
  let service: RunningCustomer;
  let receiver: WebhookReceiver;
  let silent: Server;
  let open = 0;

  beforeEach(async () => {
    open = 0;
    silent = createServer((socket) => {
      open += 1;
      socket
        .resume()
        .on('error', () => undefined)
        .once('close', () => (open -= 1));
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    receiver = await WebhookReceiver.start();
    service = await RunningCustomer.start({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
  });
  afterEach(async () => {
    await service.stop();
    await receiver.stop();
    silent.close();
  });

  const silentUrl = () => `http://127.0.0.1:${(silent.address() as { port: number }).port}/`;
  const webhookAt = async (merchant_id: string, url: string) =>
    (await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url }))).result;
  const newCustomer = (merchant_id: string) =>
    service.ask(createIndividualCustomer, commandOf(individual(merchant_id)));

  /** With as many endpoints as a merchant may have, and a few events for each of them. */
  async function merchantWhoseReceiversHang(): Promise<void> {
    const merchant_id = await service.newMerchant();
    for (let count = 0; count < DEFAULT_QUOTA.webhook_endpoints; count += 1) await webhookAt(merchant_id, silentUrl());
    for (let count = 0; count < 10; count += 1) await newCustomer(merchant_id);
  }

  it.each([1, 4])('%i of them hold up no other merchant', async (merchants) => {
    for (let count = 0; count < merchants; count += 1) await merchantWhoseReceiversHang();
    await eventually('the places to be taken', () => open >= Math.min(merchants, 3) * PER_MERCHANT_MAX);
    const merchant_id = await service.newMerchant();
    await webhookAt(merchant_id, receiver.url());
    for (let count = 1; count <= 3; count += 1) {
      await newCustomer(merchant_id);
      await receiver.atLeast(count, '/', DELIVERED_WITHIN_MS);
    }
    // None of them has had more than its share, and of the last places no more than one.
    expect(open).toBeLessThanOrEqual(merchants === 1 ? PER_MERCHANT_MAX : 3 * PER_MERCHANT_MAX + 1);
  });

  it('a test at such a receiver is one at a time, and the next is refused at once', async () => {
    const merchant_id = await service.newMerchant();
    const { id: webhook_id } = await webhookAt(merchant_id, silentUrl());
    const test = () => service.ask(testWebhook, commandOf({ merchant_id, webhook_id }));
    const first = test();
    await eventually('the test to arrive', () => open > 0);
    const refused = await Promise.all(Array.from({ length: 20 }, () => refusalOf(test())));
    expect(new Set(refused)).toEqual(new Set(['rate_limited']));
    expect((await first).result.outcome).toBe('queued');
    // None of those that were refused has left anything to be delivered.
    const [left] = await service.sql<{ count: number }>('SELECT count(*)::int AS count FROM event_deliveries');
    expect(left?.count).toBe(1);
  });
});
