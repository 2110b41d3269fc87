import { once } from 'node:events';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { eventually } from '@stablecoin/testing/eventually';
import { scheduleRequests } from './request-scheduler';

const OPEN = 30;
const NEW = 25;
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('requests begun over several turns of the event loop', () => {
  let server: Server;
  let sockets: Socket[];
  let connections: number;
  /** For each request that was begun: how many connections had been accepted. */
  let begun: number[];
  /** The addresses of those requests, which are their hosts here. */
  let hosts: string[];

  beforeEach(async () => {
    [sockets, connections, begun, hosts] = [[], 0, [], []];
    server = createServer(({ headers, url }, response) => {
      for (const end = performance.now() + (url === '/slow' ? 1 : 0); performance.now() < end;);
      begun.push(connections);
      hosts.push(headers.host ?? '');
      response.end();
    });
    const addresses = { ofRequest: ({ headers }: IncomingMessage) => headers.host ?? '' };
    const keys = { merchantOf: (key: unknown) => key as string | undefined };
    const shedder = {
      mustShed: ({ url }: { url?: string }) => url === '/shed',
      refuse: (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end(),
    };
    scheduleRequests(server, shedder, { addresses, keys });
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await once(server, 'close');
  });

  const open = (): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined).resume());
    return socket;
  };

  it('let new connections be accepted before the requests on open ones', async () => {
    const opened = Array.from({ length: OPEN }, open);
    await eventually('all to be taken', () => connections === OPEN);
    opened.forEach((socket) => socket.write(REQUEST));
    Array.from({ length: NEW }, open);
    await eventually('all to be begun', () => begun.length === OPEN);
    expect(begun.filter((taken) => taken === OPEN + NEW).length).toBeGreaterThanOrEqual(OPEN - 2);
  });

  it('stop for a connection that pipelines too many, which is closed', async () => {
    const [flooding, waitsForItsAnswers] = [open(), open()];
    await eventually('both to be taken', () => connections === 2);
    for (const sent of [50, 100]) {
      waitsForItsAnswers.write(REQUEST.repeat(50));
      await eventually('all to be begun', () => begun.length === sent);
    }
    flooding.write(REQUEST.repeat(10_000));
    await new Promise((ended) => flooding.once('close', ended));
    expect(begun).toHaveLength(100);
    expect(waitsForItsAnswers.destroyed).toBe(false);
  });

  it('take turns by address: one request does not wait for the many of another', async () => {
    const many = Array.from({ length: 4 }, open);
    const few = open();
    await eventually('all to be taken', () => connections === 5);
    many.forEach((socket) => socket.write(REQUEST.repeat(50)));
    few.write(REQUEST.replace('host: x', 'host: y'));
    await eventually('all to be begun', () => begun.length === 201);
    expect(hosts.indexOf('y')).toBeLessThan(60);
  });

  it('start those with a valid key first, and leave every fourth place to the others', async () => {
    const sockets = Array.from({ length: 60 }, open);
    await eventually('all to be taken', () => connections === 60);
    sockets.forEach((socket, number) =>
      socket.write(number < 30 ? REQUEST : REQUEST.replace('host: x', 'host: y\r\nx-api-key: m')),
    );
    await eventually('all to be begun', () => begun.length === 60);
    const first = hosts.slice(0, 36);
    expect(first.filter((host) => host === 'x').length).toBeLessThanOrEqual(10);
    expect(first.filter((host) => host === 'x').length).toBeGreaterThanOrEqual(8);
  });

  it('without a known key are answered at a rate, refusals in turns with the others, and do not delay a merchant', async () => {
    const many = Array.from({ length: 24 }, open);
    const merchant = open();
    await eventually('all to be taken', () => connections === 25);
    let refused = 0;
    many.forEach((socket) =>
      socket.on('data', (data: Buffer) => (refused += data.toString().split(' 503 ').length - 1)),
    );
    const beganAt = performance.now();
    // Each from an address of its own; 1,000 of the 1,440 are answered at once.
    many.forEach((socket, number) => {
      const request = REQUEST.replace('host: x', `host: ${number}`);
      socket.write((number % 2 === 0 ? request : request.replace('GET /', 'GET /shed')).repeat(60));
    });
    await eventually('those that are answered at once', () => begun.length + refused >= 1_000);
    merchant.write(REQUEST.replace('host: x', 'host: y\r\nx-api-key: m'));
    await once(merchant, 'data');
    expect(begun.length + refused).toBeLessThan(1_300);
    expect(Math.abs(begun.length - refused)).toBeLessThan(150);
    await eventually('all to be answered', () => begun.length + refused === 1_441);
    expect(performance.now() - beganAt).toBeGreaterThan(400);
  });

  it('take turns between merchants, however many addresses one sends from', async () => {
    const many = Array.from({ length: 20 }, open);
    const merchant = open();
    await eventually('all to be taken', () => connections === 21);
    many.forEach((socket, number) => socket.write(REQUEST.replace('host: x', `host: ${number}\r\nx-api-key: many`)));
    merchant.write(REQUEST.replace('host: x', 'host: y\r\nx-api-key: m').repeat(10));
    await eventually('all to be begun', () => begun.length === 30);
    expect(hosts.lastIndexOf('y')).toBeLessThan(25);
  });

  it('refuse one without capacity before those are started that came before it', async () => {
    const [slow, shed] = [Array.from({ length: 50 }, open), open()];
    await eventually('all to be taken', () => connections === 51);
    let begunBefore = 50;
    shed.once('data', () => (begunBefore = begun.length));
    slow.forEach((socket) => socket.write(REQUEST.replace('GET /', 'GET /slow')));
    shed.write(REQUEST.replace('GET /', 'GET /shed'));
    await eventually('all to be begun', () => begun.length === 50);
    expect(begunBefore).toBeLessThan(25);
  });

  it('close the connections of an address that pipelines too many over all of them, and no other', async () => {
    const flooding = Array.from({ length: 40 }, open);
    const other = open();
    await eventually('all to be taken', () => connections === 41);
    flooding.forEach((socket) => socket.write(REQUEST.repeat(60)));
    other.write(REQUEST.replace('host: x', 'host: y').repeat(60));
    await eventually('some to be closed', () => flooding.some(({ destroyed }) => destroyed));
    await eventually('the other to be served', () => hosts.filter((host) => host === 'y').length === 60);
    expect(other.destroyed).toBe(false);
  });

  it.each([
    [100, /^HTTP\/1.1 200/],
    [101, /^HTTP\/1.1 431/],
    [5_000, /^HTTP\/1.1 431/],
  ])('are refused unheard with more than a hundred headers: %i', async (count, answer) => {
    const socket = open();
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(count - 1)}\r\n`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(answer);
    expect(begun).toHaveLength(count > 100 ? 0 : 1);
  });

  it('leave out requests whose callers have disconnected meanwhile', async () => {
    const [leaving, staying] = [open(), open()];
    await eventually('both to be taken', () => connections === 2);
    server.once('request', (request) => request.destroy());
    leaving.write(REQUEST);
    await once(leaving, 'close');
    staying.write(REQUEST);
    await once(staying, 'data');
    expect(begun).toHaveLength(1);
  });
});
