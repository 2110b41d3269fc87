import { connect, Socket } from 'node:net';
import { once } from 'node:events';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { gateway, standIns, useGateway, WALLET } from '../../testing/gateway-fixture';

/** Of the 4.5 s that a request may take, less than one is left after this. */
const TOO_LONG_MS = 3_700;
const REQUEST = `GET /api/wallets/${WALLET} HTTP/1.1\r\nhost: x\r\nx-api-key: good\r\n\r\n`;

useGateway();

const nextAnswer = async (socket: Socket): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);

function halt(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('what lay there while the process was halted, for longer than it could still be answered in, is refused untouched', async () => {
  const { hostname, port } = new URL(gateway.origin);
  const socket = connect(Number(port), hostname);
  try {
    socket.write(REQUEST);
    expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 200 /);
    standIns.asked.length = 0;
    socket.write(REQUEST);
    halt(TOO_LONG_MS);
    const answer = await nextAnswer(socket);
    expect(answer).toMatch(/^HTTP\/1.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/);
    expect(answer).toMatch(/\r\nx-outcome: none\r\n/);
    expect(standIns.requestsTo(getWallet)).toEqual([]);
  } finally {
    socket.destroy();
  }
});
