import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { RunningGateway, startGateway } from '../../testing/gateway-process';
import {
  busKey,
  gateway,
  keyOf,
  nats,
  inputHashKey,
  standIns,
  useGateway,
  WALLET,
} from '../../testing/gateway-fixture';

const MIB = 1024 * 1024;
const DOCUMENTS = '/api/individual-customers';

useGateway();

function opened({ origin }: { origin: string } = gateway): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname);
}

const head = (method: string, path: string, headers: Record<string, string | number>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'x', 'content-type': 'application/json', ...headers }).map((pair) => pair.join(': ')),
    '\r\n',
  ].join('\r\n');

/** All that comes until the other side ends the connection. */
async function readToEnd(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const firstRead = async (socket: Socket): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);

describe('an answer that comes before the body', () => {
  it.each([
    ['too large', 413, { 'x-api-key': 'good', 'content-length': 20 * MIB }],
    ['too large, its length unknown', 413, { 'x-api-key': 'good', 'transfer-encoding': 'chunked' }],
    ['without a key', 401, { 'content-length': 20 * MIB }],
    ['without a key, on a connection that ends with it', 401, { 'content-length': 20 * MIB, connection: 'close' }],
  ])(
    'is read by a client that sends all 20 MB first, at a pace that spares others: %s',
    async (_what, status, headers) => {
      const socket = opened();
      const beganAt = performance.now();
      socket.write(head('POST', DOCUMENTS, headers));
      const chunk = Buffer.alloc(MIB, 0x20);
      const isChunked = 'transfer-encoding' in headers;
      for (let sent = 0; sent < 20; sent += 1) {
        if (isChunked) socket.write(`${MIB.toString(16)}\r\n`);
        const isFull = !socket.write(chunk);
        if (isChunked) socket.write('\r\n');
        if (isFull) await once(socket, 'drain');
      }
      const answer = await readToEnd(socket);
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
      // Discarded at 4 MiB a second, of which the kernel's buffers take some at once.
      const refusedAtOnce = !isChunked;
      expect(performance.now() - beganAt).toBeGreaterThan(refusedAtOnce ? 2_000 : 0);
    },
  );

  it('leaves the connection open where the body is small', async () => {
    const socket = opened();
    socket.write(head('POST', '/api/wallets', { 'content-length': 2 }));
    expect(await firstRead(socket)).toMatch(/^HTTP\/1.1 401 /);
    socket.write(`{}${head('GET', '/health/live', {})}`);
    expect(await firstRead(socket)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it('ends the connection of a client that goes on sending', async () => {
    const socket = opened();
    // It is reset while it writes.
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head('POST', DOCUMENTS, { 'content-length': 1_024 * MIB }));
    const chunk = Buffer.alloc(MIB, 0x20);
    const send = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send);
    send();
    await ended;
    expect(socket.bytesWritten).toBeLessThan(64 * MIB);
  });
});

describe('Expect: 100-continue', () => {
  const body = JSON.stringify({ currency: 'NGN' });
  const expecting = { expect: '100-continue', 'content-length': body.length, 'x-api-key': 'good' };

  it('is answered before the body is read, and the body then as usual', async () => {
    const socket = opened();
    socket.write(head('POST', '/api/wallets', expecting));
    expect(await firstRead(socket)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(await firstRead(socket)).toMatch(/^HTTP\/1.1 200 [^]*"currency":"NGN"/);
    socket.write(head('GET', '/health/live', {}));
    expect(await firstRead(socket)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  it.each([
    [401, '/api/wallets', { 'x-api-key': '' }],
    [404, '/api/nothing', {}],
    [413, '/api/wallets', { 'content-length': 20 * MIB }],
    [415, '/api/wallets', { 'content-type': 'text/plain' }],
    [417, '/api/wallets', { expect: 'something-else' }],
  ])('is answered %i at once, and the connection ends', async (status, path, headers) => {
    const socket = opened();
    socket.write(head('POST', path, { ...expecting, ...headers }));
    const answer = await readToEnd(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*"status":"error"`));
    expect(answer).not.toContain('100 Continue');
  });
});

describe('connections', () => {
  it('are closed when they send no request for seconds', async () => {
    const socket = opened();
    socket.write('GET /health/live HTTP/1.1\r\n');
    expect(await readToEnd(socket)).toBe('');
  });

  it('are bounded per address', async () => {
    const bounded = await started({ connectionsPerAddressMax: 2 });
    const sockets = [opened(bounded), opened(bounded)];
    try {
      for (const socket of sockets) await answered(socket);
      const refused = opened(bounded).on('error', () => undefined);
      await once(refused, 'close');
      sockets[0]?.destroy();
      await delay(100);
      const next = opened(bounded);
      sockets.push(next);
      await answered(next);
    } finally {
      for (const socket of sockets) socket.destroy();
      await bounded.stop();
    }
  });

  const answered = async (socket: Socket): Promise<void> => {
    socket.write(head('GET', '/health/live', {}));
    expect(await firstRead(socket)).toMatch(/^HTTP\/1.1 200 /);
  };
});

describe('requests without a valid key', () => {
  let limited: RunningGateway;
  const get = async (key: string, headers: Record<string, string> = {}, path = `/api/wallets/${WALLET}`) => {
    const response = await fetch(limited.origin + path, { headers: { 'x-api-key': key, ...headers } });
    await response.arrayBuffer();
    return response;
  };
  const from = (address: string) => ({ 'x-forwarded-for': address });

  beforeAll(async () => {
    limited = await started({
      unauthenticatedRateLimitPerSecond: 1,
      unauthenticatedRateLimitBurst: 2,
      trustedProxies: ['127.0.0.0/8'],
    });
  });
  afterAll(() => limited.stop());

  it('are limited by address, and look no key up beyond that', async () => {
    const answers = [];
    for (let times = 0; times < 5; times += 1) answers.push(await get(randomUUID(), from('192.0.2.1')));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429, 429, 429]);
    expect(answers[4]?.headers.get('retry-after')).toBe('1');
    expect(answers[4]?.headers.get('ratelimit-policy')).toBe('"unauthenticated";q=2;w=2');
    expect(standIns.requestsTo(resolveApiKey)).toHaveLength(2);
    expect((await get('', from('192.0.2.1'))).status).toBe(429);
    expect((await get('', from('192.0.2.2'))).status).toBe(401);
  });

  it('limit neither valid keys that are known nor what needs no key; a new one gets in after Retry-After', async () => {
    const address = from('192.0.2.3');
    const [known, fresh] = [keyOf({}), keyOf({})];
    expect((await get(known, address)).status).toBe(200);
    for (let times = 0; times < 3; times += 1) await get('', address);
    for (let times = 0; times < 5; times += 1) expect((await get(known, address)).status).toBe(200);
    expect((await get('', address, '/health/live')).status).toBe(200);
    const refused = await get(fresh, address);
    expect(refused.status).toBe(429);
    await delay(Number(refused.headers.get('retry-after')) * 1_000);
    expect((await get(fresh, address)).status).toBe(200);
  });

  it('do not count where a key turns out to be valid, however many requests ask for it at once', async () => {
    const address = from('192.0.2.4');
    const key = keyOf({});
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(key, address)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([(await get('', address)).status, (await get('', address)).status]).toEqual([401, 401]);
  });
});

const started = (settings: Parameters<typeof startGateway>[1]): Promise<RunningGateway> =>
  startGateway(nats.url, { busKey, inputHashKey, rateLimitPerSecond: 50, rateLimitBurst: 1_000, ...settings });
