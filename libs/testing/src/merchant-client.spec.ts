import { createServer, IncomingHttpHeaders, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { dataOf, MerchantClient, RefusedRequest, TIMED_OUT, UnansweredRequest } from './merchant-client';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

let server: Server;
let baseUrl: string;
const received: { request: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      received.push({ request: `${request.method} ${request.url}`, headers: request.headers, body });
      if (request.url === '/api/broken') return void request.socket.destroy();
      if (request.url === '/api/cut')
        return void response.writeHead(200, JSON_TYPE).write('{', () => response.destroy());
      if (request.url === '/api/silent') return;
      if (request.url === '/api/text') return void response.end('not JSON');
      if (request.url === '/api/full')
        return void response.writeHead(503, { ...JSON_TYPE, 'retry-after': '2' }).end('{"code":"unavailable"}');
      response.writeHead(200, JSON_TYPE).end('{"status":"success","data":{"id":"w"}}');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => received.splice(0));

const client = (changes = {}) => new MerchantClient({ baseUrl, apiKey: 'key', ...changes });

describe("a merchant's client", () => {
  it('sends its key and a JSON body, and gives what was answered', async () => {
    const answer = await client().post<{ id: string }>('/wallets?x=1', { currency: 'USD' }, { idempotencyKey: 'once' });
    expect(received).toMatchObject([{ request: 'POST /api/wallets?x=1', body: '{"currency":"USD"}' }]);
    expect(received[0]?.headers).toMatchObject({
      'x-api-key': 'key',
      'content-type': 'application/json',
      'content-length': '18',
      'idempotency-key': 'once',
    });
    expect([answer.status, answer.body.data.id, answer.request]).toEqual([200, 'w', 'POST /wallets?x=1']);
    expect(answer.connection.openAt).toBeGreaterThanOrEqual(answer.connection.givenAt);
  });

  it('lets a request replace its body, its key and its headers', async () => {
    const headers = { 'content-type': 'text/plain' };
    await client().send('PUT', '/wallets', undefined, { raw: '{', apiKey: 'other', headers });
    expect(received[0]).toMatchObject({ body: '{', headers: { 'x-api-key': 'other', 'content-type': 'text/plain' } });
    await new MerchantClient({ baseUrl }).delete('/wallets');
    expect(received[1]?.headers).not.toHaveProperty('x-api-key');
    expect(received[1]?.headers).not.toHaveProperty('content-type');
  });

  it('draws a new Idempotency-Key for each POST that has none, where it is asked to', async () => {
    const drawing = client({ drawsIdempotencyKeys: true });
    await drawing.post('/a');
    await drawing.post('/a');
    await drawing.post('/a', {}, { idempotencyKey: 'given' });
    await drawing.get('/a');
    await client().post('/a');
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[1], 'given', undefined, undefined]);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('asks for its base URL before each request', async () => {
    const bases = [`${baseUrl}/one`, `${baseUrl}/two`];
    const moving = client({ baseUrl: () => bases.shift() ?? '' });
    await moving.get('/a');
    await moving.get('/a');
    expect(received.map(({ request }) => request)).toEqual(['GET /api/one/a', 'GET /api/two/a']);
  });

  it('gives a refusal with its headers, and what is no JSON with an empty body', async () => {
    const refused = await client().get('/full');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
    expect([refused.header('retry-after'), refused.header('x-outcome')]).toEqual(['2', undefined]);
    const text = await client().get('/text');
    expect([text.isJson, text.text, text.body]).toEqual([false, 'not JSON', {}]);
  });

  it.each([
    ['/broken', 'ECONNRESET'],
    ['/cut', 'ECONNRESET'],
    ['/silent', TIMED_OUT],
  ])('says of %s that it was not answered, and why', async (path, reason) => {
    const failure = await client({ timeoutMs: 100 })
      .get(path)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnansweredRequest);
    expect(failure).toMatchObject({ reason, message: `GET ${path}: ${reason}` });
  });

  it('opens no more connections than it may, and keeps them', async () => {
    const single = client({ connections: 1 });
    const answers = await Promise.all([1, 2, 3].map(() => single.get('/a')));
    expect(answers.map(({ connection }) => connection.isNew)).toEqual([true, false, false]);
    single.close();
  });
});

it('the data of a success is given, and anything else thrown', async () => {
  await expect(dataOf(client().get('/wallets'))).resolves.toEqual({ id: 'w' });
  const refused = dataOf(client().get('/full'));
  await expect(refused).rejects.toThrow(RefusedRequest);
  await expect(refused).rejects.toThrow('GET /full was answered 503: {"code":"unavailable"}');
});
