/**
 * Deployments: two instances of each service under load, restarted one after the other. No request fails, none is late,
 * and afterwards the ledger has what callers received as answers. Then: a process that is asked to end does, whatever
 * it is doing and whatever is away.
 *
 * `npm run test:rolling -- --rounds N` runs it longer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@stablecoin/local-stack/services';
import { Callers } from '@stablecoin/testing/callers';
import { eventually } from '@stablecoin/testing/eventually';
import { LoadBalancer } from '@stablecoin/testing/load-balancer';
import { individual } from '@stablecoin/testing/person';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { auditJson } from './audit-command';
import { Answer, Client } from './client';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, openWallet } from './people';
import { InnerEnvelope, Transaction, Wallet } from './resources';
import { Ended, ENDS_WITHIN_MS, ServiceInstance } from './service-instances';

/** In each round one instance of each service is restarted: in the first its first, in the second its second, … */
const ROUNDS = Number(process.env['ROLLING_ROUNDS'] ?? '1');
const ROUND_MS = 120_000;
const DEADLINE_MS = 5_000;
const CALLERS = 6;
const PAUSE_MS = 40;
/** Longer than the load balancer takes to notice. */
const DRAIN_LEAD_MS = '1000';
const MONEY = 1_000_000;
const BANK = { currency: 'USD', amount: '1', account_number: '0123456789', bank_code: '011', recipient_name: 'Ada' };
const PAIR = { from_currency: 'USD', to_currency: 'NGN', amount: '1' };

let own: OwnStack;

beforeAll(async () => {
  own = await startOwnStack({}, { withServices: false });
}, 120_000);

afterAll(() => own?.stop(), 90_000);

interface Request {
  what: string;
  status: number;
  ms: number;
  why: string;
}

describe('rolling restarts of two instances of each service under load', () => {
  const instances: ServiceInstance[] = [];
  const balancer = new LoadBalancer(() => instances.flatMap(({ origin: gateway }) => gateway ?? []));
  const requests: Request[] = [];
  const payouts: string[] = [];
  let swaps = 0;
  let client: Client;
  let dollars: Wallet;

  beforeAll(async () => {
    const origin = await balancer.start();
    for (const service of SERVICES) {
      instances.push(...[1, 2].map(() => new ServiceInstance(service, own.description, { DRAIN_LEAD_MS })));
    }
    // Not all ten at once: a start needs the most processor time.
    for (const number of [0, 1]) {
      await Promise.all(instances.filter((_, index) => index % 2 === number).map((instance) => instance.start()));
    }
    client = new Client(`${origin}/api`, instances[0]?.setting('SANDBOX_API_KEY'));
    await eventually('a gateway is ready', async () =>
      instances.some((instance) => balancer.isReady(instance.origin ?? '')),
    );
    dollars = await openWallet(client, { currency: 'USD' }, String(MONEY));
    await openWallet(client, { currency: 'NGN' });
  }, 180_000);

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.terminate()));
    await balancer.stop();
  }, 60_000);

  const ask = async <Data>(what: string, asked: Promise<Answer<Data>>): Promise<Answer<Data> | undefined> => {
    const startedAt = performance.now();
    try {
      const answer = await asked;
      const ms = performance.now() - startedAt;
      requests.push({ what, status: answer.status, ms, why: answer.status < 300 ? '' : answer.text });
      return answer;
    } catch (error) {
      requests.push({ what, status: 0, ms: performance.now() - startedAt, why: String(error) });
      return undefined;
    }
  };

  async function swap(): Promise<void> {
    const quoted = await ask('quote', client.post<InnerEnvelope>('/instant-swaps', PAIR));
    if (quoted?.status !== 200) return;
    const swapped = await ask('swap', client.post('/swaps', { ...PAIR, quote_id: quoted.body.data.data.id }));
    if (swapped?.status === 200) swaps += 1;
  }

  async function payOut(): Promise<void> {
    const paid = await ask('payout', client.post<Transaction>('/payouts/banks', BANK));
    if (paid?.status === 200) payouts.push(paid.body.data.id);
  }

  const TURNS: (() => Promise<unknown>)[] = [
    payOut,
    () => ask('wallet', client.get(`/wallets/${dollars.id}`)),
    swap,
    () => ask('customer', client.post('/individual-customers', individual())),
    payOut,
    () => ask('methods', client.get('/payout/methods')),
    () => ask('transactions', client.get('/transactions')),
  ];

  async function restart(instance: ServiceInstance): Promise<Ended> {
    const ended = await instance.terminate();
    await instance.start();
    await eventually('it serves', async () => !instance.origin || balancer.isReady(instance.origin));
    return ended;
  }

  it(
    `lose no request in ${ROUNDS} rounds, and let none be late`,
    async () => {
      const callers = new Callers();
      callers.start(CALLERS, async (number) => {
        await TURNS[number % TURNS.length]?.();
        await delay(PAUSE_MS);
      });
      const ended: Ended[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const service of SERVICES) {
          const [first, second] = instances.filter((instance) => instance.service === service);
          ended.push(await restart((round % 2 === 0 ? first : second) as ServiceInstance));
        }
      }
      await callers.stop();
      const slowest = Math.max(...requests.map(({ ms }) => ms));
      process.stderr.write(
        `${ended.length} restarts, ${requests.length} requests, slowest ${Math.round(slowest)} ms, ` +
          `slowest end ${Math.round(Math.max(...ended.map(({ ms }) => ms)))} ms\n`,
      );
      expect(requests.filter(({ status }) => status < 200 || status >= 300)).toEqual([]);
      expect(requests.filter(({ ms }) => ms > DEADLINE_MS)).toEqual([]);
      expect(ended.filter(({ code, ms }) => code !== 0 || ms > ENDS_WITHIN_MS)).toEqual([]);
      expect(payouts.length).toBeGreaterThan(ROUNDS * SERVICES.length);
      expect(swaps).toBeGreaterThan(0);
    },
    ROUNDS * ROUND_MS,
  );

  it('and the ledger has what callers received as answers, settled', async () => {
    expect(await balanceOf(client, dollars.id)).toBe(`${MONEY - payouts.length - swaps}.00000000`);
    await eventually(
      'every payout is completed',
      async () => {
        const { data: pending } = await client.sdk.transactions.list({ status: 'PENDING', limit: 1 });
        return pending.length === 0;
      },
      { timeoutMs: 30_000 },
    );
    const { code, report } = await auditJson<{ ok: boolean; first_fault: unknown }>(own.description, 'verify');
    expect({ code, ok: report.ok, first_fault: report.first_fault }).toEqual({ code: 0, ok: true, first_fault: null });
  }, 120_000);

  it('a gateway with little room refuses further requests at once, and completes those that it accepts', async () => {
    const small = new ServiceInstance('gateway', own.description, { REQUESTS_UNDER_WAY_MAX: '4' });
    await small.start();
    try {
      const flooded = new Client(`${small.origin}/api`, client.apiKey);
      const before = Number(await balanceOf(flooded, dollars.id));
      const flood = Array.from({ length: 100 }, () => flooded.post<Transaction>('/payouts/banks', BANK));
      const answers = await Promise.all(flood);
      const taken = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      // Three quarters of the room, the bound for one service: all of them wait for the ledger.
      expect(taken.length).toBeGreaterThanOrEqual(3);
      expect(refused.length).toBeGreaterThan(0);
      const told = refused.map(({ status, headers }) => [status, headers.get('retry-after'), headers.get('x-outcome')]);
      expect(new Set(told.map(String))).toEqual(new Set(['503,1,none']));
      expect(Number(await balanceOf(flooded, dollars.id))).toBe(before - taken.length);
    } finally {
      await small.terminate();
    }
  }, 60_000);
});

describe('a process that is asked to end', () => {
  const DATABASES: Partial<Record<ServiceName, keyof OwnStack['description']['databases']>> = {
    customer: 'customer',
    'wallet-ledger': 'ledger',
    'swap-pricing': 'swap',
    payout: 'payout',
  };

  /** An instance whose connections to broker and database can fall silent: they stay open, and nothing comes back. */
  async function behindProxies(service: ServiceName): Promise<{ instance: ServiceInstance; proxies: TcpProxy[] }> {
    const broker = await TcpProxy.inFrontOf(own.description.nats_url);
    const settings: NodeJS.ProcessEnv = { NATS_URL: broker.through };
    const proxies = [broker.proxy];
    const name = DATABASES[service];
    if (name) {
      const database = await TcpProxy.inFrontOf(own.description.databases[name]);
      settings[`${name.toUpperCase()}_DATABASE_URL`] = database.through;
      proxies.push(database.proxy);
    }
    return { instance: new ServiceInstance(service, own.description, settings), proxies };
  }

  /** An instance of each service, all at once to save time. */
  async function ofEach(work: (service: ServiceName) => Promise<unknown>): Promise<Record<string, unknown>> {
    return Object.fromEntries(await Promise.all(SERVICES.map(async (service) => [service, await work(service)])));
  }
  const expected = (of: unknown) => Object.fromEntries(SERVICES.map((service) => [service, of]));
  const inTime = (ended: Ended) => ended.ms < ENDS_WITHIN_MS;

  it('does so in time while it starts', async () => {
    const found = await ofEach(async (service) => {
      const instance = new ServiceInstance(service, own.description);
      instance.launch();
      await delay(700);
      return inTime(await instance.terminate());
    });
    expect(found).toEqual(expected(true));
  }, 60_000);

  it('does so in time and in order when it is asked again and again', async () => {
    const found = await ofEach(async (service) => {
      const instance = new ServiceInstance(service, own.description);
      await instance.start();
      const ended = await instance.terminate(3);
      return { code: ended.code, inTime: inTime(ended) };
    });
    expect(found).toEqual(expected({ code: 0, inTime: true }));
  }, 90_000);

  it('does so in time while broker and database do not answer', async () => {
    const found = await ofEach(async (service) => {
      const { instance, proxies } = await behindProxies(service);
      await instance.start();
      proxies.forEach((proxy) => proxy.freeze());
      const ended = await instance.terminate();
      await Promise.all(proxies.map((proxy) => proxy.close()));
      return inTime(ended);
    });
    expect(found).toEqual(expected(true));
  }, 120_000);
});
