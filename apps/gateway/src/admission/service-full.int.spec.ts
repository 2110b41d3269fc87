import { Plain } from '@stablecoin/contracts/wire/operation';
import { connect } from 'node:net';
import { findOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { simulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { HoldPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { eventually } from '@stablecoin/testing/eventually';
import {
  busKey,
  held,
  nats,
  owners,
  inputHashKey,
  quoted,
  standIns,
  useGateway,
  WALLET,
} from '../../testing/gateway-fixture';
import { RunningGateway, startGateway } from '../../testing/gateway-process';

/** The requests in flight, at most; three quarters of them may wait for one service. */
const MOST = 8;
const MOST_OF_A_SERVICE = 6;
const AT_ONCE_MS = 250;
const QUOTE = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };

useGateway();

let bounded: RunningGateway;
/** Makes the services answer the delayed requests. */
let release: () => void;
let released: Promise<void>;

beforeEach(async () => {
  const settings = { busKey, inputHashKey, rateLimitPerSecond: 1_000, rateLimitBurst: 1_000 };
  bounded = await startGateway(nats.url, { ...settings, requestsInFlightMax: MOST });
  released = new Promise((go) => (release = go));
});

afterEach(async () => {
  release();
  await bounded.stop();
});

const ask = (method: string, path: string, body?: object, key = 'good') =>
  fetch(bounded.origin + path, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);
const statuses = async (answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status);

async function expectRefusedAtOnce(request: () => Promise<Response>): Promise<void> {
  const startedAt = performance.now();
  const answer = await request();
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
  const { headers } = answer;
  expect([answer.status, headers.get('retry-after'), headers.get('x-outcome')]).toEqual([503, '1', 'none']);
  expect(headers.get('connection')).toBe('keep-alive');
  expect(await answer.json()).toMatchObject({ status: 'error', code: 'unavailable' });
}

const expectWalletsServed = async () => {
  expect(await statuses(times(MOST - MOST_OF_A_SERVICE, () => ask('GET', `/api/wallets/${WALLET}`)))).toEqual([
    200, 200,
  ]);
};

describe('while a service hangs', () => {
  it('and its bulkhead is full, the next request is refused at once; requests to other services are served', async () => {
    standIns.on(createQuote, () => released.then(() => ({ result: quoted, replayed: false })));
    const quote = () => ask('POST', '/api/instant-swaps', QUOTE);
    const waiting = times(MOST_OF_A_SERVICE, quote);
    await eventually('the quotes to wait', () => standIns.requestsTo(createQuote).length === MOST_OF_A_SERVICE);
    await expectRefusedAtOnce(quote);
    await expectWalletsServed();
    expect(standIns.requestsTo(createQuote)).toHaveLength(MOST_OF_A_SERVICE);
    release();
    expect(new Set(await statuses(waiting))).toEqual(new Set([200]));
    expect((await quote()).status).toBe(200);
  });

  it('a request is refused before its body is read when its route has found the service full', async () => {
    standIns.on(createQuote, () => released.then(() => ({ result: quoted, replayed: false })));
    const quote = () => ask('POST', '/api/instant-swaps', QUOTE);
    const waiting = times(MOST_OF_A_SERVICE, quote);
    await eventually('the quotes to wait', () => standIns.requestsTo(createQuote).length === MOST_OF_A_SERVICE);
    await expectRefusedAtOnce(quote);
    const { port } = new URL(bounded.origin);
    const socket = connect(Number(port), '127.0.0.1');
    const headers = ['host: x', 'x-api-key: good', 'content-type: application/json', 'content-length: 1000'];
    socket.write(`POST /api/instant-swaps HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    expect(await new Promise((told) => socket.once('data', (bytes) => told(bytes.toString())))).toMatch(
      /^HTTP\/1.1 503 /,
    );
    socket.destroy();
    release();
    await Promise.all(waiting);
  });

  it('requests that share one call to it count as well', async () => {
    await ask('GET', `/api/wallets/${WALLET}`); // The key is in the cache from here on.
    standIns.on(findOwner, ({ merchant_id }) => released.then(() => owners.get(merchant_id) as Owner));
    const quote = () => ask('POST', '/api/instant-swaps', QUOTE);
    standIns.on(createQuote, () => ({ result: quoted, replayed: false }));
    const asked = times(MOST_OF_A_SERVICE + 1, quote);
    expect((await Promise.race(asked)).status).toBe(503);
    await expectRefusedAtOnce(quote);
    await expectWalletsServed();
    expect(standIns.requestsTo(findOwner)).toHaveLength(1);
    release();
    expect((await statuses(asked)).sort()).toEqual([...times(MOST_OF_A_SERVICE, () => 200), 503]);
  });

  it('a command that took effect before a later call found it full is not reported as not executed', async () => {
    await ask('GET', `/api/wallets/${WALLET}`);
    standIns.on(findOwner, ({ merchant_id }) => released.then(() => owners.get(merchant_id) as Owner));
    standIns.on(createQuote, () => ({ result: quoted, replayed: false }));
    standIns.on(simulatePayoutOutcome, ({ merchant_id }) => ({
      result: held({ merchant_id, currency: 'USD', sealed_destination: 'v1.sealed' } as Plain<HoldPayout>),
      replayed: false,
    }));
    const waiting = times(MOST_OF_A_SERVICE + 1, () => ask('POST', '/api/instant-swaps', QUOTE));
    expect((await Promise.race(waiting)).status).toBe(503);
    const { status, headers } = await ask('POST', '/api/sandbox/payouts/ABCDEF1234/complete', {});
    expect(standIns.requestsTo(simulatePayoutOutcome)).toHaveLength(1);
    expect([status, headers.get('retry-after'), headers.get('x-outcome')]).toEqual([503, '1', null]);
    release();
    await Promise.all(waiting);
  });

  it('requests whose key is being looked up count too, and others with a known key are served', async () => {
    await ask('GET', `/api/wallets/${WALLET}`);
    standIns.on(resolveApiKey, () =>
      released.then(() => {
        throw new Refusal('invalid_api_key');
      }),
    );
    const withNewKey = () => ask('GET', `/api/wallets/${WALLET}`, undefined, 'nobodys');
    const asked = times(MOST_OF_A_SERVICE + 1, withNewKey);
    expect((await Promise.race(asked)).status).toBe(503);
    await expectRefusedAtOnce(withNewKey);
    await expectWalletsServed();
    release();
    expect((await statuses(asked)).sort()).toEqual([...times(MOST_OF_A_SERVICE, () => 401), 503]);
  });
});
