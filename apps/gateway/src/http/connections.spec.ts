import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { boundConnections } from './connections';

const BOUNDS = { connectionsMax: 5, perAddressMax: 100 };
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A server that holds requests until they are answered here, and the connections that this test opened to it. */
async function served(addressOf: (count: number) => string | undefined, bounds = BOUNDS) {
  const held: ServerResponse[] = [];
  let count = 0;
  const server = createServer((_request, response) => void held.push(response));
  const { keepOut } = boundConnections(server, { ofConnection: () => addressOf((count += 1)) }, bounds);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await accepted;
    return socket;
  };
  const request = async (socket: Socket): Promise<void> => {
    const arrived = once(server, 'request');
    socket.write(REQUEST);
    await arrived;
  };
  const answer = async (socket: Socket): Promise<void> => {
    const answered = once(socket, 'data');
    held.shift()?.end('x');
    await answered;
  };
  /** One that the server does not take at all. */
  const closedAtOnce = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket.resume(), 'close');
  };
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { keepOut, open, request, answer, closedAtOnce, stop };
}

async function closedFor(): Promise<Record<string, number>> {
  const lines = [...(await metricsText()).matchAll(/^http_connections_closed_total\{reason="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, reason, count]) => [reason, Number(count)]));
}

let before: Record<string, number>;
beforeEach(async () => {
  before = await closedFor();
});

/** The connections that this test has had closed, by the reason, of those reasons that there were. */
async function counted(): Promise<Record<string, number>> {
  const more = Object.entries(await closedFor()).map(
    ([reason, count]) => [reason, count - (before[reason] ?? 0)] as const,
  );
  return Object.fromEntries(more.filter(([, count]) => count > 0));
}

const isClosed = async (socket: Socket): Promise<void> => {
  if (!socket.destroyed) await once(socket.resume(), 'close');
};

it('has a series for each reason to close a connection from the start', async () => {
  const { stop } = await served(() => undefined);
  await stop();
  expect(Object.keys(await closedFor()).sort()).toEqual(
    ['address_full', 'address_kept_out', 'evicted_silent', 'evicted_waiting', 'flooded', 'full'].sort(),
  );
});

it('closes connections near the bound in all: silent ones first, then waiting ones, the oldest first, none that is in use', async () => {
  const { open, request, answer, stop } = await served(() => undefined);
  try {
    const used = await open();
    await request(used);
    const waiting = await open();
    await request(waiting);
    const [first, second] = [await open(), await open()];
    await answer(used);
    await request(used);
    // Of two held requests, the first is the one of `waiting`.
    await answer(waiting);

    const third = await open();
    await isClosed(first);
    const fourth = await open();
    await isClosed(second);
    await request(third);
    await request(fourth);
    const fifth = await open();
    await isClosed(waiting);
    await request(fifth);
    expect([used, third, fourth, fifth].map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
    expect(await counted()).toEqual({ evicted_silent: 2, evicted_waiting: 1 });
  } finally {
    await stop();
  }
});

it('near the bound in all closes none for an address that has more, but its newcomer', async () => {
  const many = ['a', 'a', 'a', 'a', 'a'];
  const addresses = ['one', ...many, 'other'];
  const { open, request, answer, stop } = await served((count) => addresses[count - 1], {
    ...BOUNDS,
    connectionsMax: 6,
  });
  try {
    const [waiting, ...used] = [await open(), await open(), await open(), await open(), await open()];
    await request(waiting);
    await answer(waiting);
    for (const socket of used) await request(socket);
    await isClosed(await open());
    expect([waiting, ...used].map((socket) => socket?.destroyed)).toEqual([false, false, false, false, false]);
    const newcomer = await open();
    await isClosed(waiting);
    await request(newcomer);
    expect(used.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
    expect(await counted()).toEqual({ full: 1, evicted_waiting: 1 });
  } finally {
    await stop();
  }
});

it('closes the next connection of an address that has its number, and counts those that are closed no more', async () => {
  const { open, stop } = await served((count) => `192.0.2.${count % 2}`, { connectionsMax: 100, perAddressMax: 1 });
  try {
    const [odd, even, secondOdd] = [await open(), await open(), await open()];
    await isClosed(secondOdd);
    const secondEven = await open();
    await isClosed(secondEven);
    expect([odd.destroyed, even.destroyed]).toEqual([false, false]);
    expect(await counted()).toEqual({ address_full: 2 });
  } finally {
    await stop();
  }
});

it('keeps out the address of a flood, and no other', async () => {
  let address = '10.0.0.1';
  const { keepOut, open, request, stop } = await served(() => address);
  try {
    const flooding = await open();
    keepOut(flooding);
    await isClosed(await open());
    address = '10.0.0.2';
    const other = await open();
    await request(other);
    expect(other.destroyed).toBe(false);
    expect(await counted()).toEqual({ flooded: 1, address_kept_out: 1 });
  } finally {
    await stop();
  }
});

it('closes the other connections that pipeline from the address of a flood, and leaves those that do not', async () => {
  const { keepOut, open, request, stop } = await served(() => '10.0.0.1');
  try {
    const [flooding, pipelining, honest] = [await open(), await open(), await open()];
    await request(pipelining);
    await request(pipelining);
    await request(honest);
    keepOut(flooding);
    await isClosed(pipelining);
    expect(honest.destroyed).toBe(false);
    expect(await counted()).toEqual({ flooded: 2 });
  } finally {
    await stop();
  }
});

it('closes the next connection, unanswered, when all that may be open are in use', async () => {
  const { open, request, closedAtOnce, stop } = await served(() => undefined);
  try {
    for (let used = 0; used < BOUNDS.connectionsMax; used += 1) await request(await open());
    await closedAtOnce();
    expect(await counted()).toEqual({ full: 1 });
  } finally {
    await stop();
  }
});
