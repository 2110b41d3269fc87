import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { testStack } from '@stablecoin/testing/stack';
import { Answer, Client, dataOf, fieldErrorsOf, refusalOf } from './client';
import { covers } from './covers';
import { assertDocumented } from './documented-answers';
import { eventually } from '@stablecoin/testing/eventually';
import { createMerchant, merchantsCommand, newClient, operatorOf } from './merchants';
import { UUID } from './resources';

const ONE_KIB = 1024;
let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

describe('the API key', () => {
  covers('Rules: API keys and scopes');

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['unknown', 'sk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'],
    ['of no shape', 'x'],
  ])('%s: 401, always the same bytes', async (_what, key) => {
    const requestId = { 'x-request-id': 'same' };
    const otherMerchant = new Client(merchant.baseUrl, key);
    await refusalOf(otherMerchant.get('/customers', { headers: requestId }), 401, 'invalid_api_key');
    const expected = await new Client(merchant.baseUrl).get('/asset-codes', { headers: requestId });
    for (const path of ['/customers', `/wallets/${randomUUID()}`, '/asset-codes', '/nowhere']) {
      const answer = await otherMerchant.get(path, { headers: requestId });
      expect([path, answer.status, answer.text]).toEqual([path, 401, expected.text]);
    }
  });

  it('works beside its successor during the grace period, and not after it was revoked', async () => {
    const { merchant_id, api_key } = await createMerchant();
    const rotated = JSON.parse(await merchantsCommand(['merchants', 'rotate-key', '--merchant', merchant_id])) as {
      api_key: string;
    };
    const { base_url } = testStack();
    for (const key of [api_key, rotated.api_key]) await dataOf(new Client(base_url, key).get('/customers'));
  });

  it('is refused right after it was revoked, and no other key is', async () => {
    const { merchant_id, api_key } = await createMerchant();
    const of = ['--merchant', merchant_id];
    const added = JSON.parse(await merchantsCommand(['merchants', 'add-key', ...of, '--scopes', 'read'])) as {
      api_key: string;
    };
    const [revoked, kept] = [api_key, added.api_key].map((key) => new Client(testStack().base_url, key));
    if (!revoked || !kept) throw new Error('there are two clients');
    // In use: the gateway remembers both.
    for (const client of [revoked, kept]) await dataOf(client.get('/customers'));
    const operator = operatorOf();
    await operator.run(['merchants', 'revoke-key', ...of, '--key', api_key]);
    const endedAt = performance.now();
    await eventually('the key is refused', async () => (await revoked.get('/customers')).status === 401, { pollMs: 1 });
    const refusedAfterMs = performance.now() - endedAt;
    expect(refusedAfterMs).toBeLessThan(1_000);
    await dataOf(kept.get('/customers'));
  });

  it('may do what its scopes say', async () => {
    const reader = await newClient(['--scopes', 'read']);
    await dataOf(reader.get('/customers'));
    await refusalOf(reader.post('/wallets', { currency: 'USD' }), 403, 'insufficient_scope');
    const writer = await newClient(['--scopes', 'read,write']);
    await dataOf(writer.post('/wallets', { currency: 'USD' }));
    await refusalOf(writer.post('/payouts/banks', {}), 403, 'insufficient_scope');
  });
});

describe('the checks stand in one order', () => {
  covers('Rules: errors and the order of checks');

  const big = JSON.stringify({ description: 'x'.repeat(101 * ONE_KIB) });
  const text = { 'content-type': 'text/plain' };
  const unknownCustomer = { customer_id: randomUUID() };
  const otherMerchant = () => new Client(merchant.baseUrl);

  it.each<[string, () => Promise<Answer<unknown>>, number, string]>([
    ['key before route', () => otherMerchant().get('/nowhere'), 401, 'invalid_api_key'],
    ['key before method', () => otherMerchant().send('PATCH', '/wallets'), 401, 'invalid_api_key'],
    ['key before size', () => otherMerchant().post('/wallets', undefined, { raw: big }), 401, 'invalid_api_key'],
    ['route before size', () => merchant.post('/nowhere', undefined, { raw: big }), 404, 'not_found'],
    ['method before size', () => merchant.put('/wallets', undefined, { raw: big }), 405, 'method_not_allowed'],
    [
      'size before media type',
      () => merchant.post('/wallets', undefined, { raw: big, headers: text }),
      413,
      'payload_too_large',
    ],
    [
      'media type before JSON',
      () => merchant.post('/wallets', undefined, { raw: '{', headers: text }),
      415,
      'unsupported_media_type',
    ],
    ['JSON before fields', () => merchant.post('/wallets', undefined, { raw: '{"x":1' }), 400, 'malformed_json'],
    [
      'fields before ids',
      () => merchant.post('/wallets', { ...unknownCustomer, currency: 'BTC' }),
      400,
      'validation_failed',
    ],
    [
      'fields before ids of the path',
      () => merchant.put(`/individual-customers/${randomUUID()}`, { email: 'x' }),
      400,
      'validation_failed',
    ],
    [
      'ids before business rules',
      () =>
        merchant.post('/instant-swaps', { ...unknownCustomer, from_currency: 'USD', to_currency: 'USD', amount: '1' }),
      404,
      'not_found',
    ],
  ])('%s', async (_what, ask, status, code) => {
    await refusalOf(ask(), status, code);
  });

  it('and all fields are named at once', async () => {
    const errors = await fieldErrorsOf(merchant.post('/payouts/banks', { currency: 'BTC', amount: -1, extra: true }));
    expect(errors).toEqual({
      currency: 'unsupported_currency',
      amount: 'invalid_amount',
      extra: 'unknown_field',
      account_number: 'required',
      bank_code: 'required',
      recipient_name: 'required',
    });
  });
});

describe('what is not a good request', () => {
  covers('Rules: errors and the order of checks', 'Rules: null, absent and unknown fields');

  it.each([
    ['nothing', 'PATCH', '/wallets', 'GET, HEAD, POST'],
    ['a delete', 'DELETE', '/customers', 'GET, HEAD'],
    ['a get', 'GET', '/payouts/banks', 'POST'],
    ['a post', 'POST', `/payout/methods/${randomUUID()}`, 'DELETE'],
  ])('405 for %s, with what is allowed', async (_what, method, path, allow) => {
    const answer = await merchant.send(method, path);
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  });

  it.each(['{', '{"a":1}}', "{'a':1}", '\u0000', '{"a":NaN}'])('400 malformed_json for %j', async (raw) => {
    await refusalOf(merchant.post('/wallets', undefined, { raw }), 400, 'malformed_json');
  });

  it.each(['[]', 'null', '1', '"text"'])('400 validation_failed for %s, which is JSON but no object', async (raw) => {
    expect(await fieldErrorsOf(merchant.post('/wallets', undefined, { raw }))).toEqual({ '': 'invalid_object' });
  });

  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data', 415],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset=latin1', 415],
    ['application/json; charset=utf-16', 415],
  ])('the media type %s: %d', async (type, status) => {
    const raw = JSON.stringify({ from_currency: 'USD', to_currency: 'NGN', amount: '1' });
    expect((await merchant.post('/instant-swaps', undefined, { raw, headers: { 'content-type': type } })).status).toBe(
      status,
    );
  });

  it('413 above 100 KiB, on customer routes above 15 MiB', async () => {
    const raw = JSON.stringify({ nickname: 'x'.repeat(200 * ONE_KIB) });
    await refusalOf(merchant.post('/wallets', undefined, { raw }), 413, 'payload_too_large');
    const { nickname } = await fieldErrorsOf(merchant.post('/individual-customers', undefined, { raw }));
    expect(nickname).toBe('unknown_field');
    expect(await announced('/individual-customers', 15 * ONE_KIB * ONE_KIB + 1)).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
  });

  it('414 for a URL above 8192 characters', async () => {
    await refusalOf(merchant.get(`/transactions?search=${'x'.repeat(8_200)}`), 414, 'uri_too_long');
  });

  it('431 for headers above 32 KiB', async () => {
    const headers = { 'x-padding': 'x'.repeat(40 * ONE_KIB) };
    await refusalOf(merchant.get('/customers', { headers }), 431, 'headers_too_large');
  });

  it.each([
    ['{"__proto__":{"a":1},"currency":"USD"}', /^__proto__$/],
    ['{"constructor":{},"currency":"USD"}', /^constructor$/],
    ['{"\\u00fcn\\u00efc\\u00f6":1,"currency":"USD"}', /^\?n\?c\?$/],
    [`{"${'x'.repeat(100)}":1,"currency":"USD"}`, /^x{64}$/],
  ])('an unknown field is named, in at most 64 printable characters: %s', async (raw, name) => {
    const errors = await fieldErrorsOf(merchant.post('/wallets', undefined, { raw }));
    expect(Object.entries(errors)).toEqual([[expect.stringMatching(name), 'unknown_field']]);
  });

  it('JSON deeper than 20 is refused, not followed', async () => {
    const raw = `{"currency":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(Object.values(await fieldErrorsOf(merchant.post('/wallets', undefined, { raw })))).toEqual(['too_deep']);
  });

  const canary = 'canary-4711';
  const json = (value: unknown) => ({ raw: JSON.stringify(value) });

  it.each<[string, number, () => Promise<Answer<unknown>>]>([
    ['in an unknown path', 404, () => merchant.get(`/${canary}`)],
    ['in a path that can not be decoded', 404, () => merchant.get(`/${canary}%zz`)],
    ['outside of the interface', 404, () => new Client(new URL(merchant.baseUrl).origin).get(`/${canary}`)],
    ['in an id', 404, () => merchant.get(`/wallets/${canary}`)],
    ['as the method of a path', 405, () => merchant.send('PATCH', `/wallets/${canary}`)],
    ['as a method', 400, () => raw(`CANARY-4711 /api/wallets HTTP/1.1\r\nhost: x\r\n\r\n`)],
    ['as no HTTP at all', 400, () => raw(`${canary}\r\n\r\n`)],
    ['as the key', 401, () => new Client(merchant.baseUrl, canary).get('/wallets')],
    ['in a query', 400, () => merchant.get(`/transactions?status=${canary}&page=${canary}`)],
    ['in a query twice', 400, () => merchant.get(`/transactions?search=${canary}&search=${canary}`)],
    ['in too long a URL', 414, () => merchant.get(`/transactions?search=${canary}${'x'.repeat(9_000)}`)],
    ['in a URL longer than the parser takes', 414, () => merchant.get(`/wallets?x=${canary}${'x'.repeat(40_000)}`)],
    ['in too large a header', 431, () => merchant.get('/wallets', { headers: { 'x-y': canary + 'x'.repeat(40_000) } })],
    ['as Idempotency-Key', 400, () => merchant.post('/wallets', {}, { idempotencyKey: `${canary}\u00e4` })],
    ['as media type', 415, () => merchant.post('/wallets', {}, { headers: { 'content-type': `text/${canary}` } })],
    ['in malformed JSON', 400, () => merchant.post('/wallets', undefined, { raw: `{"currency": ${canary}` })],
    ['in bytes that are not UTF-8', 400, () => raw(posted('/wallets', `"${canary}\xff"`))],
    ['in too large a body', 413, () => merchant.post('/wallets', undefined, json(canary + 'x'.repeat(101 * ONE_KIB)))],
    ['as the whole body', 400, () => merchant.post('/wallets', undefined, json(canary))],
    [
      'in fields',
      400,
      () =>
        merchant.post('/individual-customers', {
          first_name: `${canary}\u200b`,
          email: canary,
          phone: canary,
          birth_date: canary,
          expected_monthly_income: canary,
          registered_address: { country: canary },
          documents: [{ doc_type: canary, doc_image: canary }],
        }),
    ],
  ])('what was sent %s does not come back: %d', async (_where, status, ask) => {
    const answer = await ask();
    const headers = JSON.stringify([...answer.headers]);
    expect([answer.status, answer.text.includes(canary), headers.includes(canary)]).toEqual([status, false, false]);
    expect(answer.body).toMatchObject({ status: 'error', request_id: answer.headers.get('x-request-id') });
  });
});

describe('x-request-id', () => {
  covers('Rules: request ids');

  it.each(['a', 'A-b_c.9', 'x'.repeat(128)])('comes back: %s', async (given) => {
    const answer = await merchant.get('/nowhere', { headers: { 'x-request-id': given } });
    expect([answer.headers.get('x-request-id'), answer.body.request_id]).toEqual([given, given]);
  });

  it.each(['x'.repeat(129), 'with space', 'ä'])('is replaced by a UUID: %j', async (given) => {
    const { headers } = await merchant.get('/asset-codes', {
      headers: { 'x-request-id': Buffer.from(given).toString('latin1') },
    });
    expect(headers.get('x-request-id')).toEqual(UUID);
  });
});

/** The bytes of a POST, one for each character. */
function posted(path: string, body: string): string {
  const head = [
    `POST /api${path} HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${merchant.apiKey}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** What comes back for bytes that no HTTP client would send. */
async function raw(bytes: string): Promise<Answer<unknown>> {
  const { hostname, port } = new URL(merchant.baseUrl);
  const received = await new Promise<string>((done, fail) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')));
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', fail).on('close', () => done(text));
  });
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.flatMap((line) => line.split(': '));
  return new Answer(bytes.split('\r\n', 1).join(), Number(statusLine.split(' ')[1]), text, headers);
}

/** What the gateway answers to a body that is announced as this long, without sending any of it. */
function announced(path: string, bytes: number): Promise<{ status: number | undefined; code: unknown }> {
  return new Promise((done, fail) => {
    const headers = {
      'x-api-key': merchant.apiKey ?? '',
      'content-type': 'application/json',
      'content-length': String(bytes),
    };
    const sent = httpRequest(`${merchant.baseUrl}${path}`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        sent.destroy();
        const status = response.statusCode ?? 0;
        assertDocumented('POST', path, {
          status,
          headers: new Headers(response.headers as Record<string, string>),
          text,
        });
        done({ status: response.statusCode, code: (JSON.parse(text) as { code: unknown }).code });
      });
    });
    sent.on('error', fail);
    sent.flushHeaders();
  });
}
