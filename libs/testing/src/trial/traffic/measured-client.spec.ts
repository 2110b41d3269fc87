import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { Asked, Attempt, MeasuredClient } from './measured-client';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

let server: Server;
let client: MeasuredClient;
const attempts: Attempt[] = [];
const asked = (path: string): Asked => ({ method: 'GET', path, apiKey: 'key' });

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/api/broken') return void request.socket.destroy();
    if (request.url === '/api/text') return void response.end('not JSON');
    if (request.url === '/api/half') return void response.writeHead(200, JSON_TYPE).end('{"data":');
    const headers = { ...JSON_TYPE, 'retry-after': '2' };
    if (request.url === '/api/full') return void response.writeHead(503, headers).end('{"code":"unavailable"}');
    response.writeHead(200, JSON_TYPE).end('{"data":{"id":"w"}}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  client = new MeasuredClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, (attempt) =>
    attempts.push(attempt),
  );
});

afterAll(() => {
  client.close();
  server.close();
});

describe('a caller', () => {
  it.each([
    ['/wallets', { status: 200, data: { id: 'w' }, retryAfterMs: 0 }],
    ['/full', { status: 503, code: 'unavailable', retryAfterMs: 2_000 }],
    ['/text', { status: 200, code: 'not_json', data: undefined, retryAfterMs: 0 }],
    ['/half', { status: 200, code: 'not_json', data: undefined, retryAfterMs: 0 }],
    ['/broken', { status: undefined, code: 'ECONNRESET', retryAfterMs: 0 }],
  ])('reads the outcome of %s, and when to ask again', async (path, outcome) => {
    const attempt = await client.send(asked(path));
    expect(attempt).toMatchObject(outcome);
    expect(attempts.at(-1)).toBe(attempt);
  });
});
