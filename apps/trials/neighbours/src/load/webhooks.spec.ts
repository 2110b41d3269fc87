import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { type RECEIVERS, serving } from './webhooks';

const ENOUGH = 50_000;

describe('receivers of webhooks', () => {
  let server: Server;

  afterEach(() => server.close());

  /** What the connection of this number reads until it has enough, or the receiver ends it. */
  async function read(receiver: keyof typeof RECEIVERS, number: number): Promise<string> {
    server = await serving(receiver);
    const texts: string[] = [];
    while (texts.length < number) texts.push(await readOne());
    return texts.at(-1) ?? '';
  }

  async function readOne(): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\n\r\n');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (text.length >= ENOUGH) socket.destroy();
    });
    await once(socket, 'close');
    return text;
  }

  it.each([
    ['accepts', 1, /^HTTP\/1\.1 204 /],
    ['fails', 1, /^HTTP\/1\.1 500 /],
    ['answersOddly', 1, /^HTTP\/1\.1 200 [^]*x{10000}/],
    ['answersOddly', 2, /^HTTP\/1\.1 302 Found\r\nlocation: \/\r\nx-filler: a{15000}\r\n/],
  ] as const)('that %s: what its connection %i reads', async (receiver, number, expected) => {
    expect(await read(receiver, number)).toMatch(expected);
  });
});
