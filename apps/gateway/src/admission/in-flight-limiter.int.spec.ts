import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ResolvedApiKey, resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import {
  busKey,
  held,
  keyOf,
  MERCHANT,
  nats,
  OTHER_CUSTOMER,
  inputHashKey,
  standIns,
  useGateway,
  wallet,
  WALLET,
} from '../../testing/gateway-fixture';
import { RunningGateway, startGateway } from '../../testing/gateway-process';

const MOST = 2;
const AT_ONCE_MS = 500;
/** Bodies of 15 MiB, in 256 MiB. */
const MOST_LARGE = 17;
const BANK = { currency: 'USDT', account_number: '0123456789', bank_code: '058', amount: '1', recipient_name: 'Ada' };

useGateway();

let bounded: RunningGateway;
/** Each answers a payout that the stand-in for the ledger delays. */
let waiting: (() => void)[];

beforeEach(async () => {
  const settings = { busKey, inputHashKey, rateLimitPerSecond: 1_000, rateLimitBurst: 1_000 };
  bounded = await startGateway(nats.url, { ...settings, requestsInFlightMax: MOST });
  waiting = [];
  standIns.on(holdPayout, async (request: HoldPayout) => {
    await new Promise<void>((go) => waiting.push(go));
    return { result: held(request), replayed: false };
  });
});

afterEach(async () => {
  waiting.forEach((go) => go());
  await bounded.stop();
});

const ask = (path: string, request: RequestInit = {}) =>
  fetch(bounded.origin + path, {
    ...request,
    headers: {
      'x-api-key': 'good',
      'content-type': 'application/json',
      ...(request.headers as Record<string, string> | undefined),
    },
  });
const payOut = (request: RequestInit = {}) =>
  ask('/api/payouts/banks', { method: 'POST', body: JSON.stringify(BANK), ...request });

const head = (method: string, path: string, ...headers: string[]) =>
  [`${method} ${path} HTTP/1.1`, 'host: x', 'x-api-key: good', 'content-type: application/json', ...headers].join(
    '\r\n',
  );
/** The head of a customer's registration without a content-length: it reserves as much as the largest body. */
const UNMEASURED = `${head('POST', '/api/individual-customers', 'transfer-encoding: chunked')}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
/** A large body, refused while the reserved ones fill the memory for them. */
const sendLarge = () =>
  ask('/api/individual-customers', { method: 'POST', body: JSON.stringify({ unknown: 'x'.repeat(2 * 1024 * 1024) }) });

const open = (): Socket => connect(Number(new URL(bounded.origin).port), '127.0.0.1').on('error', () => undefined);
const connects = () =>
  new Promise<boolean>((resolve) => {
    const socket = open();
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
const nextAnswer = async (socket: Socket): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);

/** Fills every slot with a payout that the ledger does not answer yet. */
async function fill(): Promise<{ payouts: Promise<Response>[] }> {
  const payouts = Array.from({ length: MOST }, () => payOut());
  await eventually('the payouts to be under way', () => waiting.length === MOST);
  return { payouts };
}

/** The number of requests that were shed before their route was looked up, the most expensive part of a refusal. */
async function refusedAtTheDoor(): Promise<number> {
  const series = 'http_request_duration_seconds_count{method="other",route="none",status="5xx"} ';
  const line = (await metricsText()).split('\n').find((each) => each.startsWith(series));
  return Number(line?.slice(series.length) ?? 0);
}

describe('while every slot is taken', () => {
  it('a request is refused at once, told when to retry and that nothing was done', async () => {
    const { payouts } = await fill();
    const before = await refusedAtTheDoor();
    const startedAt = performance.now();
    const refused = await Promise.all([payOut(), ask(`/api/wallets/${WALLET}`), ask('/api/nothing')]);
    expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
    expect((await refusedAtTheDoor()) - before).toBe(refused.length);
    const body = expect.objectContaining({ status: 'error', code: 'unavailable' }) as unknown;
    for (const answer of refused) {
      expect([answer.status, await answer.json()]).toEqual([503, body]);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.headers.get('x-outcome')).toBe('none');
    }
    expect(standIns.requestsTo(holdPayout)).toHaveLength(MOST);
    expect(standIns.requestsTo(getWallet)).toEqual([]);
    waiting.forEach((go) => go());
    expect((await Promise.all(payouts)).map(({ status }) => status)).toEqual([200, 200]);
    standIns.on(getWallet, () => wallet);
    expect((await ask(`/api/wallets/${WALLET}`)).status).toBe(200);
  });

  it('health checks are answered as usual', async () => {
    await fill();
    expect((await ask('/health/ready')).status).toBe(200);
  });

  it('a request whose caller has disconnected keeps its slot until it is done, and then releases it', async () => {
    const caller = new AbortController();
    const gone = Array.from({ length: MOST }, () => payOut({ signal: caller.signal }).catch(() => 'gone'));
    await eventually('the payouts to be under way', () => waiting.length === MOST);
    caller.abort();
    expect(await Promise.all(gone)).toEqual(['gone', 'gone']);
    expect((await payOut()).status).toBe(503);
    waiting.splice(0).forEach((go) => go());
    await eventually('there is room', async () => (await ask(`/api/wallets/${WALLET}`)).status === 200);
  });

  it('a refusal releases the slot as well', async () => {
    for (let times = 0; times < 3 * MOST; times += 1) expect((await payOut({ body: '{}' })).status).toBe(400);
  });

  it('large bodies of senders who disconnect while their key is looked up reserve no memory', async () => {
    const { port } = new URL(bounded.origin);
    const found: ResolvedApiKey = {
      ...{ api_key_id: 'k', merchant_id: MERCHANT, shard: 1, payout_fee_schedule: null },
      ...{ mode: 'test', scopes: ['read', 'write', 'payout'] },
    };
    let lookedUp = Promise.resolve();
    let asked = 0;
    standIns.on(resolveApiKey, async () => {
      asked += 1;
      await lookedUp;
      return found;
    });
    const headers = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${15 * 1024 * 1024}\r\n\r\n`;
    for (let sender = 1; sender <= MOST_LARGE; sender += 1) {
      let goOn = (): void => undefined;
      lookedUp = new Promise((resolve) => (goOn = resolve));
      const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.write(`POST /api/individual-customers HTTP/1.1\r\nx-api-key: k${sender}\r\n${headers}`);
      await eventually('its key to be looked up', () => asked === sender);
      socket.resetAndDestroy();
      await ask('/health/live');
      goOn();
      await ask(`/api/wallets/${WALLET}`, { headers: { 'x-api-key': `k${sender}` } });
    }
    expect((await sendLarge()).status).toBe(400);
  });

  it('large bodies release their memory with their answer, though their connection goes on', async () => {
    const socket = open();
    for (let sent = 0; sent <= MOST_LARGE; sent += 1) {
      socket.write(UNMEASURED);
      expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 400 /);
    }
    socket.destroy();
  });

  it('a body that arrives slowly takes no slot', async () => {
    const never = () => new ReadableStream({ pull: () => new Promise(() => undefined) });
    const caller = new AbortController();
    const slow = Array.from({ length: 2 * MOST }, () =>
      payOut({ body: never(), duplex: 'half', signal: caller.signal }).catch(() => 'gone'),
    );
    expect((await ask(`/api/wallets/${WALLET}`)).status).toBe(200);
    caller.abort();
    await Promise.all(slow);
  });
});

describe('a merchant with its share of requests in flight', () => {
  let shared: RunningGateway;

  beforeEach(async () => {
    const settings = { busKey, inputHashKey, rateLimitPerSecond: 1_000, rateLimitBurst: 1_000 };
    shared = await startGateway(nats.url, { ...settings, merchantRequestsInFlightMax: MOST });
  });

  afterEach(() => shared.stop());

  const payOutHere = (key: string) =>
    fetch(`${shared.origin}/api/payouts/banks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(BANK),
    });
  const read = (key: string) => fetch(`${shared.origin}/api/wallets/${WALLET}`, { headers: { 'x-api-key': key } });

  it('waits for its own, whichever of its keys it uses, and other merchants are served', async () => {
    standIns.on(getWallet, () => wallet);
    const payouts = Array.from({ length: 2 * MOST }, () => payOutHere('good'));
    await eventually('some payouts to be under way', () => waiting.length === MOST);
    const itsRead = read(keyOf({}));
    expect((await read(keyOf({ merchant_id: OTHER_CUSTOMER }))).status).toBe(200);
    expect(standIns.requestsTo(holdPayout)).toHaveLength(MOST);
    expect(standIns.requestsTo(getWallet)).toHaveLength(1);
    waiting.splice(0).forEach((go) => go());
    await eventually('the next payouts to be under way', () => waiting.length === MOST);
    waiting.splice(0).forEach((go) => go());
    expect((await Promise.all([...payouts, itsRead])).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  /** Once another merchant's request is answered, everything that was sent before it has been read. */
  const othersRead = () => read(keyOf({ merchant_id: OTHER_CUSTOMER }));

  it('has no more of them worked on after some have disconnected while they waited', async () => {
    standIns.on(getWallet, () => wallet);
    const payouts = Array.from({ length: MOST }, () => payOutHere('good'));
    await eventually('its payouts to be under way', () => waiting.length === MOST);
    const leaving = Array.from({ length: 2 * MOST }, () => connect(Number(new URL(shared.origin).port), '127.0.0.1'));
    const text = JSON.stringify(BANK);
    const sent = `${head('POST', '/api/payouts/banks', `content-length: ${text.length}`)}\r\n\r\n${text}`;
    for (const socket of leaving) socket.on('error', () => undefined).write(sent);
    await othersRead();
    for (const socket of leaving) socket.destroy();
    await othersRead();
    waiting.splice(0).forEach((go) => go());
    await Promise.all(payouts);
    const next = Array.from({ length: 3 * MOST }, () => payOutHere('good'));
    await eventually('the next payouts to be under way', () => waiting.length >= MOST);
    await othersRead();
    expect(waiting).toHaveLength(MOST);
    standIns.on(holdPayout, (request: HoldPayout) => ({ result: held(request), replayed: false }));
    waiting.splice(0).forEach((go) => go());
    expect(new Set((await Promise.all(next)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is told when to retry once too many of them wait', async () => {
    const payouts = Array.from({ length: 17 * MOST + 1 }, () => payOutHere('good'));
    const refused = await Promise.race(payouts);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    standIns.on(holdPayout, (request: HoldPayout) => ({ result: held(request), replayed: false }));
    waiting.splice(0).forEach((go) => go());
    const statuses = (await Promise.all(payouts)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200)).toEqual([429]);
  });
});

describe('a route whose requests in flight take longer than the next one has time', () => {
  it('refuses it at once; other routes are served', async () => {
    standIns.on(getWallet, () => wallet);
    const wide = await startGateway(nats.url, {
      busKey,
      inputHashKey,
      rateLimitPerSecond: 1_000,
      rateLimitBurst: 1_000,
    });
    const askIt = (path: string, body?: object) =>
      fetch(wide.origin + path, {
        headers: { 'x-api-key': 'good', 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
    try {
      const payouts = Array.from({ length: 60 }, () => askIt('/api/payouts/banks', BANK));
      await eventually('the payouts to be under way', () => waiting.length === payouts.length);
      // Ten a second at most: the next one would wait for more than four.
      for (let ended = 0; ended < 15; ended += 1) {
        waiting.shift()?.();
        await delay(100);
      }
      const refused = await askIt('/api/payouts/banks', BANK);
      expect([refused.status, refused.headers.get('x-outcome')]).toEqual([503, 'none']);
      expect(waiting).toHaveLength(45);
      expect((await askIt(`/api/wallets/${WALLET}`)).status).toBe(200);
      waiting.splice(0).forEach((go) => go());
      expect(new Set((await Promise.all(payouts)).map(({ status }) => status))).toEqual(new Set([200]));
    } finally {
      waiting.splice(0).forEach((go) => go());
      await wide.stop();
    }
  });
});

describe('a gateway that drains', () => {
  it('reports itself not ready, still answers, and ends each connection with its answer', async () => {
    const { payouts } = await fill();
    const [payout] = payouts;
    bounded.readiness.drain();
    const refused = await ask(`/api/wallets/${WALLET}`);
    expect([refused.status, refused.headers.get('connection')]).toEqual([503, 'close']);
    waiting.splice(0).forEach((go) => go());
    const answers = [
      await (payout as Promise<Response>),
      await ask(`/api/wallets/${WALLET}`),
      await ask('/api/nothing'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['close', 'close', 'close']);
    const ready = await ask('/health/ready');
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it('answers requests that are on their way when it ends, and then ends the connection', async () => {
    const request = head('GET', `/api/wallets/${WALLET}`);
    const sender = open();
    sender.write(`${request}\r\n\r\n`);
    expect(await nextAnswer(sender)).toMatch(/^HTTP\/1.1 200 /);
    sender.write(`${request}\r\n`);
    // Once this request is answered, everything that was sent before it has arrived too.
    await ask('/health/live');
    const stopped = bounded.stop();
    await eventually('no other connection to be accepted', async () => !(await connects()));
    sender.write('\r\n');
    const answer = await nextAnswer(sender);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    await stopped;
  });
});
