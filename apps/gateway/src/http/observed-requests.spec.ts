import { randomUUID } from 'node:crypto';
import { metricsText, registry } from '@stablecoin/telemetry/metrics/instruments';
import type { FastifyInstance } from 'fastify';
import { createAdapter } from './adapter';
import { observeRequests } from '@stablecoin/http-answers/observed-requests';

const CANARIES = ['ada.lovelace@example.com', 'sk_live_canary', '+2348012345678'];
const REQUESTS = 10_000;

describe('measuring requests', () => {
  let fastify: FastifyInstance;

  beforeEach(async () => {
    registry.resetMetrics();
    fastify = createAdapter().getInstance<FastifyInstance>();
    observeRequests(fastify);
    fastify.get('/api/wallets/:wallet_id', () => ({ ok: true }));
    fastify.post('/api/payouts/:id/cancel', (_request, reply) => reply.status(503).send({}));
    await fastify.ready();
  });
  afterEach(() => fastify.close());

  it('gives rate, errors and durations of each route', async () => {
    await fastify.inject({ method: 'GET', url: '/api/wallets/1' });
    await fastify.inject({ method: 'GET', url: '/api/wallets/2' });
    await fastify.inject({ method: 'POST', url: '/api/payouts/3/cancel' });
    const series = await countsOf();
    expect(series).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/api/wallets/:wallet_id",status="2xx"} 2',
      'http_request_duration_seconds_count{method="POST",route="/api/payouts/:id/cancel",status="5xx"} 1',
    ]);
  });

  it(`makes no series for ${REQUESTS} different paths, ids, keys and methods, and none names a caller`, async () => {
    await Promise.all(unusualRequests(0).map((request) => fastify.inject(request)));
    const before = (await countsOf()).map(withoutCount);
    for (let index = 1; index * 8 < REQUESTS; index += 1) {
      await Promise.all(unusualRequests(index).map((request) => fastify.inject(request)));
    }
    expect((await countsOf()).map(withoutCount)).toEqual(before);
    expect(before).toHaveLength(3);
    const text = await metricsText();
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  });
});

function unusualRequests(index: number) {
  const [email, key, phone] = CANARIES as [string, string, string];
  const headers = { 'x-api-key': `${key}${index}`, 'x-request-id': `${phone.slice(1)}-${index}` };
  const get = (url: string) => ({ method: 'GET' as const, url, headers });
  return [
    get(`/api/wallets/${randomUUID()}`),
    get(`/api/wallets/${email}${index}?email=${email}&n=${index}`),
    get(`/${email}/${index}`),
    get(`/api/wallets/${index}/${phone}`),
    get(`/api/%zz${index}`),
    { method: 'DELETE' as const, url: `/api/wallets/${index}`, headers },
    { method: 'POST' as const, url: `/api/payouts/${randomUUID()}/cancel`, headers },
    { method: 'OPTIONS' as const, url: `/api/${key}${index}`, headers },
  ];
}

async function countsOf(): Promise<string[]> {
  const lines = (await metricsText()).split('\n');
  return lines.filter((line) => line.startsWith('http_request_duration_seconds_count')).sort();
}

const withoutCount = (line: string): string => line.slice(0, line.lastIndexOf(' '));
