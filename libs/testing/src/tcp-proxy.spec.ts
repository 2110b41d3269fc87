import { once } from 'node:events';
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from './eventually';
import { TcpProxy } from './tcp-proxy';

const QUIET_MS = 200;

let server: Server;
let accepted: Socket[];
let proxy: TcpProxy;
let client: Socket;
let heard: string;

beforeEach(async () => {
  accepted = [];
  heard = '';
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => socket.write(`<${bytes.toString()}>`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy = await TcpProxy.listen(() => (server.address() as AddressInfo).port);
  client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => undefined);
  client.on('data', (bytes) => (heard += bytes.toString()));
  client.write('hello');
  await eventually('an echo', () => heard === '<hello>');
});

afterEach(async () => {
  client.destroy();
  await proxy.close();
  accepted.forEach((socket) => socket.destroy());
  server.close();
});

const passage = () => proxy.open()[0] ?? fail('nothing is open');
const fail = (why: string): never => {
  throw new Error(why);
};

it('cuts both sides at once', async () => {
  passage().cut();
  await eventually('both ends', () => client.destroyed && accepted[0]?.destroyed);
  expect(proxy.open()).toEqual([]);
});

it('freezes: both sides stay open, and nothing passes', async () => {
  passage().freeze();
  client.write('anybody?');
  await delay(QUIET_MS);
  expect({ heard, client: client.destroyed, server: accepted[0]?.destroyed }).toEqual({
    heard: '<hello>',
    client: false,
    server: false,
  });
});

it('halves: the server knows, the client does not', async () => {
  passage().halve();
  await eventually('the server to know', () => accepted[0]?.destroyed);
  await delay(QUIET_MS);
  expect(client.destroyed).toBe(false);
});

it('slows down, and keeps the order when it is fast again', async () => {
  passage().slowDown(QUIET_MS);
  const writtenAt = performance.now();
  client.write('one');
  await delay(QUIET_MS / 4);
  passage().slowDown(0);
  client.write('two');
  await eventually('both', () => heard.includes('one') && heard.includes('two'));
  expect(performance.now() - writtenAt).toBeGreaterThanOrEqual(QUIET_MS * 0.9);
  expect(heard.indexOf('one')).toBeLessThan(heard.indexOf('two'));
});

it('connects to where the server is now', async () => {
  passage().cut();
  await eventually('the client to know', () => client.destroyed);
  client = connect(proxy.port, '127.0.0.1');
  await eventually('another connection', () => accepted.length === 2);
});

it('freezes what is open, and what is opened later', async () => {
  proxy.freeze();
  const later = connect(proxy.port, '127.0.0.1');
  later.on('error', () => undefined);
  later.on('data', (bytes) => (heard += bytes.toString()));
  later.write('late');
  client.write('again');
  await delay(QUIET_MS);
  expect([heard, client.destroyed, later.destroyed]).toEqual(['<hello>', false, false]);
  later.destroy();
});
