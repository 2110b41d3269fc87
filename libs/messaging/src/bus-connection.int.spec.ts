import { AddressInfo, createServer, Server } from 'node:net';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { NatsConnection } from 'nats';
import { connectToBus } from './bus-connection';

const NOWHERE = 1;
/** Beyond the attempts after which the client gives up by itself. */
const MANY_ATTEMPTS = 12;
const INFO = { server_id: 'refusing', version: '2.12.0', proto: 1, max_payload: 1_048_576, auth_required: true };

let broker: number;
/** Refuses every login, as a broker does whose users are just being changed. */
let refusing: Server;
let proxy: TcpProxy;
/** Where the proxy leads to. */
let target: number;
let attempts: number;
const connections: NatsConnection[] = [];

beforeEach(async () => {
  broker = Number(new URL(testNatsUrl()).port);
  refusing = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end("-ERR 'Authorization Violation'\r\n"));
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
  });
  await new Promise<void>((listening) => refusing.listen(0, '127.0.0.1', listening));
  [target, attempts] = [broker, 0];
  proxy = await TcpProxy.listen(() => ((attempts += 1), target));
});

afterEach(async () => {
  await Promise.all(connections.splice(0).map((connection) => connection.close()));
  await proxy.close();
  await new Promise((closed) => refusing.close(closed));
});

function at(port: number): string {
  const url = new URL(testNatsUrl());
  url.port = String(port);
  return url.href;
}

async function connected(servers: string, patient?: boolean): Promise<NatsConnection> {
  const connection = await connectToBus(servers, 'spec', patient);
  connections.push(connection);
  return connection;
}

describe('a broker that is away', () => {
  it('at the start makes the client wait', async () => {
    target = NOWHERE;
    const connecting = connected(at(proxy.port));
    await eventually('it to be looked for', () => attempts > 1);
    target = broker;
    await (await connecting).flush();
  });

  it('makes a command line fail instead', async () => {
    await expect(connected(at(NOWHERE), false)).rejects.toThrow('CONNECTION_REFUSED');
  });

  it.each([
    ['does not answer', () => NOWHERE],
    ['refuses the login', () => (refusing.address() as AddressInfo).port],
  ])('is tried until it is back, however often it %s', async (_what, away) => {
    const connection = await connected(at(proxy.port));
    target = away();
    proxy.open().forEach((passage) => passage.cut());
    await eventually('many attempts', () => attempts > MANY_ATTEMPTS);
    target = broker;
    await eventually('it to be connected', () => connection.rtt());
  });

  it('is replaced by another of the given servers', async () => {
    for (const servers of [
      [NOWHERE, broker],
      [broker, NOWHERE],
    ])
      await (await connected(servers.map(at).join(), false)).flush();
  });
});
