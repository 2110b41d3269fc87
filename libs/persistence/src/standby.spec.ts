import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { databaseFailure } from './database-error';
import { postgresAdapter } from './postgres';

/** What a server sends that accepts every login: no password wanted, its state, and that it is ready for a query. */
function greeting(inHotStandby: 'on' | 'off'): Buffer {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const isStandby = message('S', Buffer.from(`in_hot_standby\0${inHotStandby}\0`));
  return Buffer.concat([message('R', Buffer.alloc(4)), isStandby, message('Z', Buffer.from('I'))]);
}

const sockets = new Set<Socket>();
let server: Server;
let says: 'on' | 'off';

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(greeting(says)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterAll(async () => {
  sockets.forEach((socket) => socket.destroy());
  await new Promise((closed) => server.close(closed));
});

/** Resolves when the server has accepted a connection. */
async function connects(takesStandby?: boolean): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const options = { url: `postgresql://anybody@127.0.0.1:${port}/any`, applicationName: 'standby', poolSize: 1 };
  const adapter = await postgresAdapter({ ...options, takesStandby }).connect();
  try {
    const client = await adapter.underlyingDriver().connect();
    client.release(true);
  } finally {
    await adapter.dispose();
  }
}

describe('a server that only replays the log of another', () => {
  beforeEach(() => (says = 'on'));

  it('counts for a service as one that is away', async () => {
    const error = await connects().catch((refused: unknown) => refused);
    expect(error).toEqual(new Error('connection terminated: the server is a standby'));
    expect(databaseFailure(error)).toEqual({ kind: 'unknown' });
  });

  it('is accepted by a program that only reads', async () => {
    await expect(connects(true)).resolves.toBeUndefined();
  });

  it('is taken once it is the primary', async () => {
    says = 'off';
    await expect(connects()).resolves.toBeUndefined();
  });
});
