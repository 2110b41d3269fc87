import { randomInt, randomUUID } from 'node:crypto';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { getEvent } from '@stablecoin/contracts/customer/get-event';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { EventView } from '@stablecoin/contracts/customer/webhook-views';
import { LEDGER_STREAM, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { Deliveries } from '@stablecoin/facts/testing/deliveries';
import { BUS_CONNECTION } from '@stablecoin/messaging/bus-connection';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { NatsConnection } from 'nats';
import { BY, individual, refusalOf, RunningCustomer } from '../testing/running-service';
import { ClosedCustomersConsumer } from '../customers/closed-customers.consumer';
import { EventRetention } from './event-retention';
import { LedgerEventsConsumer } from './ledger-events.consumer';

const DAY_MS = 24 * 3_600_000;

describe('events', () => {
  let nats: OwnNats;
  let service: RunningCustomer;
  let receiver: WebhookReceiver;
  let merchant_id: string;
  let position = 0;

  beforeAll(async () => {
    nats = await startOwnNats();
    receiver = await WebhookReceiver.start();
    service = await RunningCustomer.start({ NATS_URL: nats.url });
  });
  afterAll(async () => {
    await service.stop();
    await receiver.stop();
    await nats.stop();
  });
  beforeEach(async () => {
    merchant_id = await service.newMerchant();
    receiver.received.length = 0;
  });

  const all = async (query: object = {}) =>
    (await service.ask(listEvents, { merchant_id, limit: 100, ...query })).items;
  const created = async () =>
    (await service.ask(createIndividualCustomer, commandOf(individual(merchant_id)))).result.id;
  const update = (customer_id: string, fields: object, commandId?: string) =>
    service.ask(updateIndividualCustomer, commandOf({ merchant_id, customer_id, ...fields }, commandId));
  const close = (customer_id: string) => service.ask(closeCustomer, commandOf({ merchant_id, customer_id }));
  /** Oldest first: the types of events, each with its sequence number for its resource. */
  const told = (events: EventView[]) => [...events].reverse().map(({ type, sequence }) => `${sequence} ${type}`);
  const listen = () => service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url: receiver.url() }));

  function factOf(movement: Movement, transactionId: string = randomUUID(), recordedAt = new Date()): LedgerFact {
    position += 1;
    return {
      shard: service.ledger.shard,
      position,
      movement,
      recorded_at: recordedAt.toISOString(),
      merchant_id,
      customer_id: null,
      transactions: [
        {
          id: transactionId,
          transaction_id: `T${String(randomInt(1e9)).padStart(9, '0')}`,
          reference_id: randomUUID(),
          transaction_type: 'PAYOUT',
          transaction_mode: 'DEBIT',
          network: null,
          bank_code: '011',
          recipient_currency: 'NGN',
          sealed_destination: 'v1.sealed.destination',
          currency: 'USD',
          amount: '10.00000000',
          status: 'COMPLETED',
          wallet_id: randomUUID(),
        },
      ],
    };
  }

  describe('of customers', () => {
    it('are recorded with each change, and only with a change', async () => {
      const id = await created();
      const command = randomUUID();
      await update(id, { first_name: 'Grace' }, command);
      await update(id, { first_name: 'Grace' }, command);
      await update(id, { first_name: 'Grace' });
      await update(id, {});
      await close(id);
      await close(id);
      const events = await all();
      expect(told(events)).toEqual(['1 customer.created', '2 customer.updated', '3 customer.closed']);
      expect(events[0]?.data).toEqual({
        id,
        customer_type: 'individual',
        status: 'closed',
        kyc_status: 'approved',
        created_at: expect.any(String) as unknown,
        updated_at: events[0]?.created_at,
      });
    });

    it('count per customer, also when changes come at once', async () => {
      const [one, other] = [await created(), await created()];
      await Promise.all(['Ada', 'Bea', 'Cleo'].map((middle_name) => update(one, { middle_name })));
      const of = async (id: string) => told((await all()).filter(({ data }) => 'id' in data && data.id === id));
      expect(await of(one)).toEqual(['1 customer.created', ...[2, 3, 4].map((count) => `${count} customer.updated`)]);
      expect(await of(other)).toEqual(['1 customer.created']);
    });

    it('are stored with the change: a refused one leaves none', async () => {
      const body = individual(merchant_id);
      await service.ask(createIndividualCustomer, commandOf(body));
      expect(await refusalOf(service.ask(createIndividualCustomer, commandOf(body)))).toBe('email_taken');
      expect(told(await all())).toEqual(['1 customer.created']);
    });

    it('are also recorded for reviews by people, and for customers that the ledger has closed', async () => {
      const id = await created();
      const administration = new CustomerAdministration(service.get(CustomerDatabase), service.clock);
      await administration.setKycStatus(merchant_id, id, 'rejected', BY);
      await administration.setKycStatus(merchant_id, id, 'rejected', BY);
      const fact = { ...factOf('customer-closed'), customer_id: id, transactions: [] };
      const closings = new Deliveries(service.get(ClosedCustomersConsumer));
      await closings.deliver(fact, fact);
      await closings.deliver(fact);
      expect(told(await all())).toEqual(['1 customer.created', '2 customer.updated', '3 customer.closed']);
    });
  });

  describe('of the ledger', () => {
    const stream = () => LedgerStream.open(connection(), service.get(SealedCodec));
    const connection = () => service.get<NatsConnection>(BUS_CONNECTION as never);

    it('come from its stream, one per fact, however often a fact comes and whatever becomes of the stream', async () => {
      await listen();
      const payout = randomUUID();
      const facts = [factOf('payout-completed', payout), factOf('deposit-completed'), factOf('wallet-opened')];
      const publish = async () => {
        const ledger = await stream();
        await ledger.ensure();
        await ledger.publish([...facts, ...facts]);
      };
      await publish();
      await receiver.atLeast(2);
      const before = await all();
      // The broker loses everything: the relay fills the stream again from the beginning of the log.
      await (await connection().jetstreamManager()).streams.delete(LEDGER_STREAM);
      facts.push(factOf('payout-reversed', payout));
      await publish();
      const [reversed] = await eventually('the new fact to arrive', async () => {
        const events = await all({ type: 'payout.reversed' });
        return events.length > 0 && events;
      });
      expect(await all()).toEqual([reversed, ...before]);
      await receiver.atLeast(3);
      const ids = receiver.received.map(({ id }) => id);
      expect([...ids].sort()).toEqual([reversed, ...before].map((event) => event?.id).sort());
    });

    it('have a sequence number by their type, not by the order of arrival', async () => {
      const payout = randomUUID();
      const completed = factOf('payout-completed', payout);
      const reversed = factOf('payout-reversed', payout, new Date(Date.now() + 5));
      const facts = new Deliveries(service.get(LedgerEventsConsumer));
      await facts.deliver(reversed);
      await facts.deliver(completed, reversed, completed);
      expect(told(await all())).toEqual(['1 payout.completed', '2 payout.reversed']);
    });

    it('are not made from facts older than the retention', async () => {
      const ages = [31, 29].map((days) => new Date(Date.now() - days * DAY_MS));
      const facts = ages.map((at) => factOf('deposit-completed', randomUUID(), at));
      await new Deliveries(service.get(LedgerEventsConsumer)).deliver(...facts);
      expect((await all()).map(({ created_at }) => created_at)).toEqual([ages[1]?.toISOString()]);
    });
  });

  it('are deleted after their retention, with their deliveries; so is a deleted endpoint without deliveries', async () => {
    const { result: webhook } = await listen();
    await created();
    await created();
    const [kept, old] = await all();
    await service.sql("UPDATE events SET created_at = now() - interval '32 days' WHERE id = $1", [old?.id]);
    await service.sql(
      "INSERT INTO webhook_endpoints SELECT gen_random_uuid(), merchant_id, 'https://gone.example/', NULL, NULL, false," +
        " NULL, now() - interval '32 days', created_at, updated_at FROM webhook_endpoints WHERE id = $1",
      [webhook.id],
    );
    await service.sql("UPDATE webhook_secrets SET expires_at = now() - interval '1 s' WHERE endpoint_id = $1", [
      webhook.id,
    ]);
    await service.get(EventRetention).purge();
    expect(await all()).toEqual([kept]);
    const left = (table: string, where: string) => service.sql(`SELECT 1 FROM ${table} WHERE ${where}`);
    expect(await left('event_deliveries', `event_id = '${String(old?.id)}'`)).toEqual([]);
    expect(await left('event_deliveries', `event_id = '${String(kept?.id)}'`)).toHaveLength(1);
    expect(await left('webhook_endpoints', `merchant_id = '${merchant_id}'`)).toHaveLength(1);
    expect(await left('webhook_secrets', `endpoint_id = '${webhook.id}'`)).toEqual([]);
  });

  it('are listed newest first, by page and by type, to their merchant alone', async () => {
    const id = await created();
    await update(id, { first_name: 'Grace' });
    await close(id);
    expect((await all()).map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    expect(told(await all({ type: 'customer.updated' }))).toEqual(['2 customer.updated']);
    const page = await service.ask(listEvents, { merchant_id, page: 2, limit: 2 });
    expect({ ...page, items: told(page.items) }).toEqual({
      items: ['1 customer.created'],
      total: 3,
      page: 2,
      limit: 2,
    });
    const [event] = await all();
    const otherMerchant = await service.newMerchant();
    expect((await service.ask(listEvents, { merchant_id: otherMerchant })).total).toBe(0);
    const asked = service.ask(getEvent, { merchant_id: otherMerchant, event_id: event?.id });
    expect(await refusalOf(asked)).toBe('not_found');
  });
});
