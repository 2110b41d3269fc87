/**
 * The keys of the bus and of personal data are changed under load, service by service, as docs/OPERATIONS.md says:
 * accept the next key → use it, and wrap data keys with it → drop the previous one. A new instance serves before the
 * old one is asked to end, so instances of adjacent steps run together for a while. No request fails, and afterwards
 * all earlier data can be read and repeated requests are recognised.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@stablecoin/local-stack/services';
import { Callers } from '@stablecoin/testing/callers';
import { eventually } from '@stablecoin/testing/eventually';
import { LoadBalancer } from '@stablecoin/testing/load-balancer';
import { auditJson } from './audit-command';
import { Answer, Client, dataOf } from './client';
import { merchantsCommand } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, openWallet } from './people';
import { Customer, Transaction, Wallet } from './resources';
import { ServiceInstance } from './service-instances';

const CALLERS = 3;
const PAUSE_MS = 40;
/** Longer than the load balancer takes to notice. */
const DRAIN_LEAD_MS = '500';
const MONEY = 100_000;
const BANK = {
  currency: 'USD',
  amount: '1',
  account_number: '0123456789',
  bank_code: '011',
  recipient_name: 'Ada',
} as const;

let own: OwnStack;
let client: Client;
let dollars: Wallet;
/** Origins; while one gateway takes the place of another, both. */
const gateways = new Set<string>();
const balancer = new LoadBalancer(() => [...gateways]);
const instances = new Map<string, ServiceInstance>();
const failed: string[] = [];
const customers: Customer[] = [];
let payouts = 0;

beforeAll(async () => {
  own = await startOwnStack({}, { withServices: false });
  const origin = await balancer.start();
  await rollTo({});
  client = new Client(`${origin}/api`, instances.get('gateway')?.setting('SANDBOX_API_KEY'));
  dollars = await openWallet(client, { currency: 'USD' }, String(MONEY));
}, 180_000);

afterAll(async () => {
  await Promise.all([...instances.values()].map((instance) => instance.terminate()));
  await balancer.stop();
  await own?.stop();
}, 120_000);

/** Every service replaced, one after the other, by an instance with these settings. */
async function rollTo(settings: NodeJS.ProcessEnv): Promise<void> {
  for (const service of SERVICES) {
    const instance = new ServiceInstance(service, own.description, { DRAIN_LEAD_MS, ...settings });
    await instance.start();
    if (instance.origin) gateways.add(instance.origin);
    await eventually('it serves', () => !instance.origin || balancer.isReady(instance.origin));
    const before = instances.get(service);
    instances.set(service, instance);
    await before?.terminate();
    if (before?.origin) gateways.delete(before.origin);
  }
}

function keysInSteps() {
  const original = instances.get('customer') as ServiceInstance;
  const before = { bus: original.setting('BUS_KEY') as string, data: original.setting('PERSONAL_DATA_KEY') as string };
  const next = { bus: randomBytes(32).toString('base64'), data: randomBytes(32).toString('base64') };
  const step = (used: typeof before, accepted?: typeof before) => ({
    BUS_KEY: used.bus,
    PERSONAL_DATA_KEY: used.data,
    ...(accepted && { BUS_ACCEPTED_KEY: accepted.bus, PERSONAL_DATA_PREVIOUS_KEY: accepted.data }),
  });
  return { accepted: step(before, next), used: step(next, before), dropped: step(next) };
}

async function asked<Data>(what: string, answering: Promise<Answer<Data>>, expected = 200): Promise<Data | undefined> {
  const answer = await answering.catch((error: unknown) => void failed.push(`${what}: ${String(error)}`));
  if (answer && answer.status !== expected) failed.push(`${what}: ${answer.status} ${answer.text}`);
  return answer?.status === expected ? answer.body.data : undefined;
}

const payOut = async () => {
  if (await asked('payout', client.post<Transaction>('/payouts/banks', BANK))) payouts += 1;
};
const TURNS: (() => Promise<unknown>)[] = [
  payOut,
  async () => customers.push(await createIndividual(client)),
  () => asked('transactions', client.get('/transactions?transaction_type=PAYOUT')),
  () => asked('customer', client.get(`/customers/${customers[0]?.id}`)),
];

it('no request fails at any step, and everything from before is there afterwards', async () => {
  const [idempotencyKey, body] = [randomUUID(), { ...BANK, amount: '2' }];
  const first = await client.sdk.payouts.createToBank(body, { idempotencyKey });
  customers.push(await createIndividual(client));
  const { accepted, used, dropped } = keysInSteps();

  const callers = new Callers();
  callers.start(CALLERS, async (number) => {
    await TURNS[number % TURNS.length]?.().catch((error: unknown) => failed.push(String(error)));
    await delay(PAUSE_MS);
  });
  await rollTo(accepted);
  await rollTo(used);
  const rewrapped = JSON.parse(
    await merchantsCommand(['customers', 'rewrap-keys', '--json'], own.description, used),
  ) as Rewrapped;
  await rollTo(dropped);
  await callers.stop();
  expect({ failed, left: rewrapped.left_under_previous_key }).toEqual({ failed: [], left: 0 });
  expect(rewrapped.rewrapped).toBeGreaterThan(0);
  process.stderr.write(`${payouts} payouts, ${customers.length} customers, ${rewrapped.rewrapped} keys wrapped anew\n`);

  for (const { id, email } of customers) {
    expect((await client.sdk.customers.get(id)).email).toBe(email);
  }
  const again = await client.post<Transaction>('/payouts/banks', body, { idempotencyKey });
  expect([again.status, again.headers.get('idempotency-replayed'), again.body.data.id]).toEqual([
    200,
    'true',
    first.id,
  ]);
  await everyPayoutSettled();
  expect(await balanceOf(client, dollars.id)).toBe(`${MONEY - payouts - 2}.00000000`);
  const { code, report } = await auditJson<{ ok: boolean }>(own.description, 'verify');
  expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
}, 240_000);

interface Rewrapped {
  rewrapped: number;
  left_under_previous_key: number;
}

/**
 * A settled payout shows that its fact, sealed with one of the keys, arrived, and that its destination could be opened.
 */
async function everyPayoutSettled(): Promise<void> {
  const pending = { transaction_type: 'PAYOUT', status: 'PENDING' } as const;
  await eventually(
    'no payout to be pending',
    async () => (await client.sdk.transactions.list(pending)).data.length === 0,
    {
      timeoutMs: 30_000,
    },
  );
  const [shown] = await dataOf(
    client.get<(Transaction & { withdrawal_recipient_name: string | null })[]>('/transactions?limit=1'),
  );
  expect(shown?.withdrawal_recipient_name).toBe(BANK.recipient_name);
}
