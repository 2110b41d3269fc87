// What a node's HTTP server may do with a question, besides answering it.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { JsonPoster, NoAnswer } from './json-post';

const ASKED = { text: '{"question":1}', timeoutMs: 2_000 };
const MEBIBYTE = 1024 * 1024;

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
/** Of each request, in turn. */
let connections: Socket[];
let poster: JsonPoster;

beforeEach(async () => {
  connections = [];
  server = createServer((request, response) => {
    connections.push(request.socket);
    answer(request, response);
  });
  answer = (_, response) => response.end('"answered"');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  poster = new JsonPoster(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v3/key?more=1`);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const reasonOf = async (asked: Promise<unknown>): Promise<string> => {
  const failure: unknown = await asked.catch((error: unknown) => error);
  return failure instanceof NoAnswer ? `${failure.reason}: ${failure.message}` : 'answered';
};

it('an answer is passed on with its status, whatever that is', async () => {
  answer = (request, response) => {
    const { method, url, headers } = request;
    const asked = [method, url, headers['content-type'], headers['content-length']];
    response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify(asked));
  };
  expect(await poster.post(ASKED)).toEqual({
    status: 429,
    text: '["POST","/v3/key?more=1","application/json","14"]',
    retryAfter: '7',
  });
});

it('questions share a connection', async () => {
  await poster.post(ASKED);
  await poster.post(ASKED);
  expect(connections[1]).toBe(connections[0]);
});

it('a question on a connection that was closed meanwhile goes once more on a new one', async () => {
  await poster.post(ASKED);
  connections[0]?.destroy();
  expect((await poster.post(ASKED)).text).toBe('"answered"');
  expect(connections).toHaveLength(2);
});

it('a question whose own connection breaks fails: it may have been answered', async () => {
  answer = (request) => request.socket.destroy();
  expect(await reasonOf(poster.post(ASKED))).toBe('unreachable: ECONNRESET');
  expect(connections).toHaveLength(1);
});

it('an answer that breaks off is none', async () => {
  await poster.post(ASKED);
  answer = (request, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('half');
    setImmediate(() => request.socket.destroy());
  };
  expect(await reasonOf(poster.post(ASKED))).toMatch(/^unreachable: /);
  expect(connections).toHaveLength(2);
});

it('an answer that does not end is waited for no longer than it may take', async () => {
  answer = (_, response) => response.writeHead(200).write('half');
  expect(await reasonOf(poster.post({ ...ASKED, timeoutMs: 100 }))).toBe('timeout: no answer within 100 ms');
});

it('a caller that no longer waits ends the question', async () => {
  const caller = new AbortController();
  answer = () => caller.abort();
  expect(await reasonOf(poster.post({ ...ASKED, signal: caller.signal }))).toMatch(/^aborted: /);
  expect(await reasonOf(poster.post({ ...ASKED, signal: caller.signal }))).toMatch(/^aborted: /);
  expect(connections).toHaveLength(1);
});

it('an answer may be compressed', async () => {
  answer = (request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('"small"'));
  };
  expect((await poster.post(ASKED)).text).toBe('"small"');
  answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
  expect(await reasonOf(poster.post(ASKED))).toMatch(/^unreachable: /);
});

it.each([
  ['as it is', {}, () => Buffer.alloc(11 * MEBIBYTE)],
  ['compressed', { 'content-encoding': 'gzip' }, () => gzipSync(Buffer.alloc(200 * MEBIBYTE))],
])('an answer that is too large is not kept, %s', async (_, headers, body) => {
  answer = (__, response) => response.writeHead(200, headers).end(body());
  expect(await reasonOf(poster.post({ ...ASKED, timeoutMs: 10_000 }))).toBe(
    'too-large: it is larger than 10485760 bytes',
  );
});

it('a user and a password become a header, and a redirection is not followed', async () => {
  const { port } = server.address() as AddressInfo;
  answer = (request, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(String(request.headers.authorization));
  expect(await new JsonPoster(`http://us%C3%A9r:pa%3Ass@127.0.0.1:${port}/`).post(ASKED)).toMatchObject({
    status: 307,
    text: `Basic ${Buffer.from('usér:pa:ss').toString('base64')}`,
  });
});
