import { createHash, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { API_KEY_CHANGED } from '@stablecoin/contracts/customer/api-key-changed';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Announcements } from '@stablecoin/messaging/announcements';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { RunningGateway, startGateway } from '../../testing/gateway-process';
import {
  Answer,
  OTHER_CUSTOMER,
  WALLET,
  busKey,
  call,
  gateway,
  keyOf,
  nats,
  outcome,
  inputHashKey,
  problems,
  standIns,
  useGateway,
  wallet,
} from '../../testing/gateway-fixture';
import { openApiText } from '../reference-page/openapi-text';

useGateway();

const changed = (key: string) => ({ key_hash: createHash('sha256').update(key).digest('hex') });

/** Every route of the interface, as `GET /wallets/{wallet_id}`. */
const { paths } = JSON.parse(openApiText()) as { paths: Record<string, object> };
const ROUTES = Object.entries(paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
);

describe('the key', () => {
  it('is required on every path under /api, and refused with the same bytes whatever is wrong with it', async () => {
    const id = { 'x-request-id': 'r1' };
    const answers = await Promise.all([
      call('GET', `/api/wallets/${WALLET}`, undefined, { ...id, 'x-api-key': '' }),
      call('GET', `/api/wallets/${WALLET}`, undefined, { ...id, 'x-api-key': 'unknown' }),
      call('GET', `/api/wallets/${WALLET}`, undefined, { ...id, 'x-api-key': 'x'.repeat(300) }),
      call('GET', '/api/nothing', undefined, { ...id, 'x-api-key': 'unknown' }),
      call('GET', '/api/%zz', undefined, { ...id, 'x-api-key': 'unknown' }),
      call('GET', `/%61pi/wallets/${WALLET}`, undefined, { ...id, 'x-api-key': 'unknown' }),
      call('PATCH', '/api/wallets', undefined, { ...id, 'x-api-key': 'unknown' }),
      call('POST', '/api/wallets', '{', { ...id, 'x-api-key': 'unknown', 'content-type': 'text/plain' }),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`401 ${answers[0].text}`]),
    );
    expect(answers[0].body).toEqual({
      status: 'error',
      code: 'invalid_api_key',
      message: expect.any(String) as string,
      request_id: 'r1',
    });
  });

  it('is resolved once, not with every request; so is an unknown one', async () => {
    const key = keyOf({});
    for (let times = 0; times < 3; times += 1)
      await call('GET', `/api/wallets/${WALLET}`, undefined, { 'x-api-key': key });
    const unknown = randomUUID();
    for (let times = 0; times < 3; times += 1) await call('GET', '/api/x', undefined, { 'x-api-key': unknown });
    expect(standIns.requestsTo(resolveApiKey)).toHaveLength(2);
  });

  it('is looked up anew as soon as the customer service tells that it was changed', async () => {
    const key = keyOf({});
    const read = () => call('GET', `/api/wallets/${WALLET}`, undefined, { 'x-api-key': key });
    expect((await read()).status).toBe(200);
    standIns.on(resolveApiKey, () => {
      throw new Refusal('invalid_api_key');
    });
    expect((await read()).status).toBe(200);
    const announcements = new Announcements(standIns.connection, new SealedCodec(busKey));
    // What is not of this bus, or no such message, changes nothing.
    new Announcements(standIns.connection, new SealedCodec(Buffer.alloc(32))).announce(API_KEY_CHANGED, changed(key));
    announcements.announce(API_KEY_CHANGED, { key_hash: 'x' });
    announcements.announce(API_KEY_CHANGED, changed('another'));
    await standIns.connection.flush();
    await gateway.busFlush();
    expect((await read()).status).toBe(200);
    announcements.announce(API_KEY_CHANGED, changed(key));
    await eventually('the key is refused', async () => (await read()).status === 401, { timeoutMs: 1_000 });
  });

  describe('that names addresses', () => {
    const from = (key: string, address?: string, at = gateway) =>
      fetch(`${at.origin}/api/wallets/${WALLET}`, {
        headers: {
          'x-api-key': key,
          'x-request-id': 'r1',
          ...(address !== undefined && { 'x-forwarded-for': address }),
        },
      });
    let behindProxy: RunningGateway;
    beforeAll(async () => {
      const settings = { busKey, inputHashKey, rateLimitPerSecond: 50, rateLimitBurst: 1_000 };
      behindProxy = await startGateway(nats.url, { ...settings, trustedProxies: ['127.0.0.1'] });
    });
    afterAll(() => behindProxy.stop());

    it.each([
      ['203.0.113.0/24', '203.0.113.77', '203.0.114.1'],
      ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
      ['203.0.113.0/24', '::ffff:203.0.113.77', '::ffff:203.0.114.1'],
      ['2001:db8:0:1::/64', '2001:db8:0:1:2::3', '2001:db8:0:2::3'],
      ['2001:db8::7', '2001:db8::7', '2001:db8::8'],
    ])('%s: is valid from %s, and as good as unknown from %s', async (range, inside, outside) => {
      const key = keyOf({ allowed_addresses: ['198.51.100.9', range] });
      expect((await from(key, inside, behindProxy)).status).toBe(200);
      const refused = await from(key, outside, behindProxy);
      const unknown = await from(randomUUID(), outside, behindProxy);
      expect([refused.status, await refused.text()]).toEqual([401, await unknown.text()]);
      const headersOf = ({ headers }: Response) => [...headers.keys()].sort();
      expect(headersOf(refused)).toEqual(headersOf(unknown));
      expect((await from(key, inside, behindProxy)).status).toBe(200);
    });

    it('believes no address that no trusted proxy wrote', async () => {
      const key = keyOf({ allowed_addresses: ['203.0.113.0/24'] });
      expect((await from(key, '203.0.113.7')).status).toBe(401);
      expect((await from(keyOf({ allowed_addresses: ['127.0.0.0/8'] }))).status).toBe(200);
    });

    it('is limited from elsewhere like attempts to guess one, and counted', async () => {
      const settings = {
        busKey,
        inputHashKey,
        unauthenticatedRateLimitPerSecond: 0.01,
        unauthenticatedRateLimitBurst: 2,
      };
      const limited = await startGateway(nats.url, { ...settings, rateLimitPerSecond: 50, rateLimitBurst: 1_000 });
      const counted = async () => Number(/^key_address_refusals_total (\d+)$/m.exec(await metricsText())?.[1] ?? NaN);
      const before = await counted();
      try {
        const key = keyOf({ allowed_addresses: ['203.0.113.0/24'] });
        const statuses = [];
        for (let times = 0; times < 4; times += 1) statuses.push((await from(key, undefined, limited)).status);
        expect(statuses).toEqual([401, 401, 429, 429]);
        expect(await counted()).toBe(before + 2);
      } finally {
        await limited.stop();
      }
    });
  });

  describe.each([
    ['read', ['write', 'payout'], /^GET /],
    ['payout', ['read', 'write'], /^POST \/payouts\//],
    ['write', ['read', 'payout'], /^(POST|PUT|DELETE) (?!\/payouts\/)/],
  ] as const)('without the scope %s', (_scope, scopes, needing) => {
    const routes = ROUTES.filter((route) => needing.test(route));
    it.each(routes)('%s is refused', async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const headers = { 'x-api-key': keyOf({ scopes: [...scopes] }) };
      const answer = await call(method, `/api${path.replace(/\{\w+\}/g, WALLET)}`, undefined, headers);
      expect(outcome(answer)).toEqual([403, 'insufficient_scope']);
    });
    it('has routes', () => expect(routes.length).toBeGreaterThan(1));
  });

  it('is limited by the rate, before the path is looked at', async () => {
    const limited = await startGateway(nats.url, { busKey, inputHashKey, rateLimitPerSecond: 1, rateLimitBurst: 2 });
    try {
      const key = keyOf({});
      const get = () => fetch(`${limited.origin}/api/nothing`, { headers: { 'x-api-key': key } });
      const answers = [await get(), await get(), await get()];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
      expect(answers[0]?.headers.get('ratelimit')).toBe('"default";r=1;t=0');
      expect(answers[2]?.headers.get('ratelimit')).toBe('"default";r=0;t=1');
      expect(answers[2]?.headers.get('ratelimit-policy')).toBe('"default";q=2;w=2');
      expect(answers[2]?.headers.get('retry-after')).toBe('1');
    } finally {
      await limited.stop();
    }
  });

  it('is limited by what a request costs', async () => {
    const limited = await startGateway(nats.url, { busKey, inputHashKey, rateLimitPerSecond: 1, rateLimitBurst: 3 });
    try {
      const headers = { 'x-api-key': keyOf({}), 'content-type': 'application/json' };
      const quote = () => fetch(`${limited.origin}/api/instant-swaps`, { method: 'POST', headers, body: '{}' });
      const first = await quote();
      expect([first.status, first.headers.get('ratelimit')]).toEqual([400, '"default";r=1;t=0']);
      expect((await quote()).status).toBe(429);
      expect((await fetch(`${limited.origin}/api/nothing`, { headers })).status).toBe(404);
    } finally {
      await limited.stop();
    }
  });

  it('is limited by what an answer turns out to cost as well', async () => {
    const limited = await startGateway(nats.url, { busKey, inputHashKey, rateLimitPerSecond: 1, rateLimitBurst: 9 });
    try {
      standIns.on(getWallet, () => ({ ...wallet, description: 'x'.repeat(128 * 1024 + 6 * 32 * 1024) }));
      const headers = { 'x-api-key': keyOf({}) };
      const read = () => fetch(`${limited.origin}/api/wallets/${WALLET}`, { headers });
      const [first, second] = [await read(), await read()];
      expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"default";r=8;t=0']);
      expect([second.status, second.headers.get('ratelimit')]).toEqual([200, '"default";r=0;t=1']);
      expect((await read()).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });

  it('is limited together with the other keys of its merchant, to twice as much', async () => {
    const limited = await startGateway(nats.url, { busKey, inputHashKey, rateLimitPerSecond: 1, rateLimitBurst: 2 });
    try {
      const [one, two, three] = [keyOf({}), keyOf({}), keyOf({})];
      const get = async (key: string) =>
        (await fetch(`${limited.origin}/api/nothing`, { headers: { 'x-api-key': key } })).status;
      const used = [await get(one), await get(one), await get(two), await get(two)];
      expect([...used, await get(three)]).toEqual([404, 404, 404, 404, 429]);
      expect(await get(keyOf({ merchant_id: randomUUID() }))).toBe(404);
    } finally {
      await limited.stop();
    }
  });
});

describe('order of checks', () => {
  const large = JSON.stringify({ description: 'x'.repeat(101 * 1024) });
  it.each([
    ['unknown route, too large', 'POST', '/api/nothing', large, {}, 404, 'not_found'],
    ['wrong method, too large', 'PUT', '/api/wallets', large, {}, 405, 'method_not_allowed'],
    [
      'too large, wrong media type',
      'POST',
      '/api/wallets',
      large,
      { 'content-type': 'text/plain' },
      413,
      'payload_too_large',
    ],
    [
      'wrong media type, broken JSON',
      'POST',
      '/api/wallets',
      '{',
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    [
      'form data',
      'POST',
      '/api/wallets',
      'a=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['broken JSON', 'POST', '/api/wallets', '{', {}, 400, 'malformed_json'],
    ['not UTF-8', 'POST', '/api/wallets', Buffer.from([0x7b, 0xff, 0x7d]), {}, 400, 'malformed_json'],
    ['too deep', 'POST', '/api/wallets', '['.repeat(50_000) + ']'.repeat(50_000), {}, 400, 'validation_failed'],
    ['fields before ids', 'POST', '/api/swaps/garbage/refresh', {}, {}, 400, 'validation_failed'],
    [
      'fields before owners',
      'POST',
      '/api/wallets',
      { currency: 'X', customer_id: OTHER_CUSTOMER },
      {},
      400,
      'validation_failed',
    ],
    [
      'owners before rules',
      'POST',
      '/api/wallets',
      { currency: 'NGN', customer_id: OTHER_CUSTOMER },
      {},
      404,
      'not_found',
    ],
  ])('%s', async (_name, method, path, body, headers, status, code) => {
    expect(outcome(await call(method, path, body, headers))).toEqual([status, code]);
  });

  it('names every refused field at once', async () => {
    const answer = await call(
      'POST',
      '/api/payouts/wallets',
      '{"currency":"x","amount":-1,"foo":1,"address":"x","network":"erc20"}',
    );
    expect(problems(answer).sort()).toEqual([
      'address: invalid_address',
      'amount: invalid_amount',
      'currency: unsupported_currency',
      'foo: unknown_field',
    ]);
  });

  it.each([['{"__proto__":{"a":1}}'], ['{"constructor":1}']])('refuses %s by name', async (body) => {
    expect(problems(await call('POST', '/api/wallets', body))).toContainEqual(expect.stringContaining('unknown_field'));
  });

  it.each(['[]', 'null', '1', '"x"'])('refuses %s as a body', async (body) => {
    expect(problems(await call('POST', '/api/wallets', body))).toEqual([': invalid_object']);
  });

  it('takes no body as an empty one', async () => {
    expect(problems(await call('POST', '/api/wallets'))).toEqual(['currency: required']);
    standIns.on(deletePayoutMethod, () => ({ result: { customer_id: null }, replayed: false }));
    expect((await call('DELETE', `/api/payout/methods/${WALLET}`)).body).toEqual({
      status: 'success',
      message: 'Merchant payout method deleted successfully',
    });
    expect(problems(await call('POST', `/api/customers/${WALLET}/close`, { reason: 'x' }))).toEqual([
      'reason: unknown_field',
    ]);
  });

  it('limits a body of unknown length as well', async () => {
    const chunks = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 3; index += 1) controller.enqueue(Buffer.alloc(64 * 1024, 0x20));
        controller.close();
      },
    });
    const response = await fetch(`${gateway.origin}/api/wallets`, {
      method: 'POST',
      headers: { 'x-api-key': 'good', 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    });
    expect(response.status).toBe(413);
  });
});

describe('paths, methods and queries', () => {
  it('gives the same bytes for everything that does not exist', async () => {
    standIns.on(getWallet, () => {
      throw new Refusal('not_found');
    });
    const id = { 'x-request-id': 'r1' };
    const paths = [
      '/api/nothing',
      '/api/wallets/garbage',
      `/api/wallets/${WALLET}`,
      `/api/wallets/${'x'.repeat(500)}`,
      '/api/%zz',
      '/nothing',
    ];
    const answers = await Promise.all(paths.map((path) => call('GET', path, undefined, id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(outcome(answers[0] as Answer)).toEqual([404, 'not_found']);
  });

  it.each([
    ['PUT', '/api/wallets', 'GET, HEAD, POST'],
    ['OPTIONS', `/api/wallets/${WALLET}`, 'GET, HEAD'],
    ['PATCH', '/api/individual-customers', 'POST'],
    ['GET', '/api/payouts/banks', 'POST'],
    ['DELETE', '/api/asset-codes', 'GET, HEAD'],
  ])('%s %s is answered with Allow: %s', async (method, path, allow) => {
    const answer = await call(method, path);
    expect([...outcome(answer), answer.headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  });

  it('answers HEAD as GET, without the body', async () => {
    const { status, text, headers } = await call('HEAD', `/api/wallets/${WALLET}`);
    expect([status, text, headers.get('content-type')]).toEqual([200, '', 'application/json; charset=utf-8']);
  });

  it.each([
    ['?page=0&limit=101', ['page: invalid_page', 'limit: invalid_limit']],
    ['?status=PENDING&status=FAILED', ['status: repeated_parameter']],
    ['?foo=1', ['foo: unknown_field']],
    ['?__proto__=1', ['__proto__: unknown_field']],
    ['?customer_id=x', ['customer_id: invalid_uuid']],
  ])('refuses the query %s', async (query, expected) => {
    expect(problems(await call('GET', `/api/transactions${query}`)).sort()).toEqual([...expected].sort());
  });

  it.each([
    ['GET', `/api/wallets/${WALLET}?foo=1`, undefined, ['foo: unknown_field']],
    ['GET', `/api/wallets/${WALLET}?a=1&a=2`, undefined, ['a: repeated_parameter', 'a: unknown_field']],
    ['DELETE', `/api/payout/methods/${WALLET}?foo=1`, undefined, ['foo: unknown_field']],
    ['POST', '/api/wallets?currency=USD', {}, ['currency: required', 'currency: unknown_field']],
  ])('refuses parameters where a route takes none: %s %s', async (method, path, body, expected) => {
    expect(problems(await call(method, path, body)).sort()).toEqual([...expected].sort());
  });

  it('distinguishes a URL that is too long from headers that are', async () => {
    expect(outcome(await call('GET', `/api/transactions?search=${'x'.repeat(9_000)}`))).toEqual([414, 'uri_too_long']);
    expect(outcome(await call('GET', `/api/transactions?search=${'x'.repeat(40_000)}`))).toEqual([414, 'uri_too_long']);
    expect(outcome(await call('GET', '/api/transactions', undefined, { 'x-y': 'x'.repeat(40_000) }))).toEqual([
      431,
      'headers_too_large',
    ]);
  });

  it('answers bytes that are no HTTP in the envelope', async () => {
    const { hostname, port } = new URL(gateway.origin);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end('NONSENSE\r\n\r\n'));
      let read = '';
      socket.on('data', (chunk) => (read += chunk.toString()));
      socket.on('close', () => resolve(read));
    });
    expect(text).toMatch(/^HTTP\/1.1 400 [^]*x-request-id: [^]*"status":"error"/);
  });

  it('carries the x-request-id of the caller, or a new one', async () => {
    expect(
      (await call('GET', '/api/nothing', undefined, { 'x-request-id': 'a.b-c_1' })).headers.get('x-request-id'),
    ).toBe('a.b-c_1');
    const answer = await call('GET', '/api/nothing', undefined, { 'x-request-id': 'a b' });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.body['request_id']).toBe(answer.headers.get('x-request-id'));
  });
});

describe('paths that need no key', () => {
  it.each([
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/service.json',
    '/docs/guides/errors',
  ])('%s', async (path) => {
    expect((await call('GET', path, undefined, { 'x-api-key': '' })).status).toBe(200);
  });

  it.each(['/docs/assets/package.json', '/docs/assets/../package.json', '/health'])('not found: %s', async (path) => {
    expect(outcome(await call('GET', path))).toEqual([404, 'not_found']);
  });

  it('are not sent without end to who asks for them again and again, while the API answers', async () => {
    const ask = () => call('GET', '/openapi.json', undefined, { 'x-api-key': '', 'accept-encoding': 'identity' });
    const answers = await Promise.all(Array.from({ length: 64 }, ask));
    const refused = answers.filter(({ status }) => status !== 200);
    // 16 MiB at once, of a document of 0.6, and 4 more a second.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(40);
    for (const answer of refused) expect(outcome(answer)).toEqual([429, 'rate_limited']);
    const [{ headers }] = refused as [(typeof refused)[0]];
    expect([Number(headers.get('retry-after')), headers.get('cache-control')]).toEqual([1, null]);
    expect((await call('GET', `/api/wallets/${WALLET}`)).status).toBe(200);
  });
});
