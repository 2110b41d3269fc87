import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo, connect, Socket } from 'node:net';
import { eventually } from '@stablecoin/testing/eventually';
import { readConnectionsInTurns } from './connection-turns';

const MANY = 200;
const requestOf = (host: string) => `GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

describe('connections that are read in turns', () => {
  let server: Server;
  let sockets: Socket[];
  let hosts: string[];
  /** Of the next connection that is accepted. */
  let addressOf: (count: number) => string | undefined;
  let accepted: number;

  beforeEach(async () => {
    [sockets, hosts, accepted] = [[], [], 0];
    server = createServer(({ headers }, response) => {
      hosts.push(headers.host ?? '');
      response.end();
    });
    readConnectionsInTurns(server, {
      ofConnection: () => addressOf((accepted += 1)),
      isCaller: (address) => address === 'caller',
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
    await once(server, 'close');
  });

  const ask = (host: string, ...more: string[]): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    sockets.push(socket);
    socket.write([host, ...more].map(requestOf).join(''));
    return socket;
  };

  it('are accepted before those of an address that has many are read, and in the end all are', async () => {
    addressOf = (count) => (count <= MANY ? 'many' : 'few');
    for (let asked = 0; asked < MANY; asked += 1) ask('many', 'many');
    ask('few');
    await eventually('all to be answered', () => hosts.length === 2 * MANY + 1);
    expect(hosts.indexOf('few')).toBeLessThan(MANY);
  });

  it('are read at once behind a proxy that is trusted', async () => {
    addressOf = () => undefined;
    let acceptedAtFirst = 0;
    server.once('request', () => (acceptedAtFirst = accepted));
    for (let asked = 0; asked < 50; asked += 1) ask('proxied');
    await eventually('all to be answered', () => hosts.length === 50);
    expect(acceptedAtFirst).toBeLessThan(50);
  });

  it('are read at once of an address that a valid key came from, and not of others', async () => {
    const spread = (last: string) => (count: number) => (count <= MANY ? `unknown ${count}` : last);
    const answeredBefore = async (last: string): Promise<number> => {
      [hosts, accepted] = [[], 0];
      addressOf = spread(last);
      for (let asked = 0; asked < MANY; asked += 1) ask('unknown', 'unknown');
      ask('last');
      await eventually('all to be answered', () => hosts.length === 2 * MANY + 1);
      return hosts.indexOf('last');
    };
    expect(await answeredBefore('caller')).toBeLessThan(100);
    expect(await answeredBefore('unknown')).toBeGreaterThan(100);
  });

  it('go on as others do', async () => {
    addressOf = () => 'many';
    const asked = Array.from({ length: 40 }, () => ask('first'));
    await eventually('all to be answered', () => hosts.length === 40);
    asked.forEach((socket) => socket.write(requestOf('second')));
    await eventually('all to be answered again', () => hosts.length === 80);
  });

  it('are closed when the server stops before they are read', async () => {
    addressOf = () => 'many';
    const asked = Array.from({ length: 40 }, () => ask('x'));
    await eventually('some to be accepted', () => accepted > 20);
    server.close();
    server.closeAllConnections();
    await eventually('all to be closed', () => asked.every(({ closed }) => closed));
    server.listen(0, '127.0.0.1');
  });
});
