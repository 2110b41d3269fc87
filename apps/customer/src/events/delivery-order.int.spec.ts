/**
 * However the ledger's facts are delivered, merchants receive the same events, once each, and the same customers close.
 */
import { randomUUID } from 'node:crypto';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { FactTransaction, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { FactRetries } from '@stablecoin/facts/fact-retries';
import {
  deliverInDisorder,
  deliverInOrder,
  DISORDER_SEEDS,
  DISORDER_TIMEOUT_MS,
  merged,
} from '@stablecoin/facts/testing/disorder';
import { Drawing } from '@stablecoin/testing/drawing';
import { commandOf } from '@stablecoin/testing/command-of';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { individual, RunningCustomer } from '../testing/running-service';
import { ClosedCustomersConsumer } from '../customers/closed-customers.consumer';
import { DeliveryWorker } from '../webhooks/delivery-worker';
import { LedgerEventsConsumer } from './ledger-events.consumer';

const LIVES: Movement[][] = [
  ['payout-completed'],
  ['payout-failed'],
  ['payout-completed', 'payout-reversed'],
  ['deposit-recorded', 'deposit-completed', 'deposit-reversed'],
  ['deposit-recorded', 'deposit-failed'],
  ['swap-settled'],
];
const RECORDED_AT = new Date();
/** Loopback is fine with a test key. */
const CLOSED_PORT_URL = 'http://127.0.0.1:9/';

let nats: OwnNats;
let service: RunningCustomer;
let shards = 0;

/** The service has a broker of its own that carries no facts: only the test delivers them. */
beforeAll(async () => {
  // No delivery is sent: the test counts those that are due.
  jest.spyOn(DeliveryWorker.prototype, 'onApplicationBootstrap').mockImplementation(() => undefined);
  // Only the test retries parked facts: it has the key that they are sealed with.
  jest.spyOn(FactRetries.prototype, 'start').mockImplementation(() => undefined);
  nats = await startOwnNats();
  service = await RunningCustomer.start({ NATS_URL: nats.url });
});
afterAll(async () => {
  await service.stop();
  await nats.stop();
});

interface History {
  facts: LedgerFact[];
  merchant: string;
}

function placed(lives: Omit<LedgerFact, 'shard' | 'position'>[][], draw: Drawing): LedgerFact[] {
  const shard = (shards += 1);
  return merged(lives, draw).map((fact, index) => ({ ...fact, shard, position: 2 * index + 1 }));
}

async function movements(seed: number): Promise<History> {
  const draw = new Drawing(seed);
  const merchant_id = await service.newMerchant();
  await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url: CLOSED_PORT_URL }));
  const lives = Array.from({ length: 1 + draw.below(4) }, (_, index) => {
    const transactions = sides(`TRANSACT0${index}`);
    const about = { recorded_at: RECORDED_AT.toISOString(), merchant_id, customer_id: null, transactions };
    return (LIVES[draw.below(LIVES.length)] as Movement[]).map((movement) => ({ movement, ...about }));
  });
  return { facts: placed(lives, draw), merchant: merchant_id };
}

function sides(transaction_id: string): FactTransaction[] {
  const debit = {
    ...{ id: randomUUID(), transaction_id, reference_id: randomUUID(), wallet_id: randomUUID() },
    ...{
      transaction_type: 'PAYOUT',
      transaction_mode: 'DEBIT',
      status: 'COMPLETED',
      currency: 'NGN',
      amount: '1.00000000',
    },
    ...{ network: null, bank_code: null, recipient_currency: null, sealed_destination: null },
  } satisfies FactTransaction;
  return [debit, { ...debit, id: randomUUID(), transaction_mode: 'CREDIT' }];
}

async function closings(seed: number): Promise<History> {
  const draw = new Drawing(seed);
  const merchant = await service.newMerchant();
  const lives: Omit<LedgerFact, 'shard' | 'position'>[][] = [];
  for (let count = 1 + draw.below(3); count > 0; count -= 1) {
    const body = individual(merchant, { first_name: `Ada${count}` });
    const { result } = await service.ask(createIndividualCustomer, commandOf(body));
    const about = { recorded_at: RECORDED_AT.toISOString(), merchant_id: merchant, customer_id: result.id };
    if (draw.next() < 0.8) lives.push([{ movement: 'customer-closed', ...about, transactions: [] }]);
  }
  return { facts: placed(lives, draw), merchant };
}

/** The merchant's events, deliveries and customers, without ids and times of day. */
async function visibleTo({ merchant }: History): Promise<unknown> {
  const events = `
    SELECT event.type, event.sequence, event.data ->> 'transaction_id' AS transaction_id, event.data ->> 'status' AS status,
      (SELECT count(*)::int FROM event_deliveries WHERE event_id = event.id) AS deliveries
    FROM (SELECT id, type, sequence, data::jsonb, merchant_id FROM events) AS event
    WHERE merchant_id = $1 ORDER BY type, sequence, transaction_id, status`;
  const customers =
    'SELECT status, event_sequence FROM customers WHERE merchant_id = $1 ORDER BY status, event_sequence';
  return { events: await service.sql(events, [merchant]), customers: await service.sql(customers, [merchant]) };
}

it.each([
  ['events of movements', LedgerEventsConsumer, movements],
  ['closed customers', ClosedCustomersConsumer, closings],
] as const)(
  `%s, seeds ${DISORDER_SEEDS[0]} to ${DISORDER_SEEDS.at(-1)}`,
  async (_what, type, make) => {
    const handler = service.get<LedgerEventsConsumer | ClosedCustomersConsumer>(type);
    for (const seed of DISORDER_SEEDS) {
      const [inOrder, inDisorder] = [await make(seed), await make(seed)];
      await deliverInOrder(handler, inOrder.facts, seed % 5 === 0);
      await deliverInDisorder(handler, inDisorder.facts, new Drawing(seed + 1), (statement) => service.sql(statement));
      expect({ seed, told: await visibleTo(inDisorder) }).toEqual({ seed, told: await visibleTo(inOrder) });
    }
    expect(await service.sql('SELECT * FROM parked_facts')).toEqual([]);
  },
  DISORDER_TIMEOUT_MS,
);
