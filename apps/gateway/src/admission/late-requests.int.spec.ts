import { once } from 'node:events';
import { connect, Socket } from 'node:net';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { gateway, standIns, useGateway, wallet, WALLET } from '../../testing/gateway-fixture';

/** After this, less than one of the 4.5 s is left that a request may take. */
const TOO_LONG_MS = 3_700;
const NOT_TOO_LONG_MS = 1_500;
const DEADLINE_MS = 5_000;
const REQUEST = `GET /api/wallets/${WALLET} HTTP/1.1\r\nhost: x\r\nx-api-key: good\r\n\r\n`;

useGateway();

const nextAnswer = async (socket: Socket): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);

function halt(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

let socket: Socket;

beforeEach(async () => {
  const { hostname, port } = new URL(gateway.origin);
  socket = connect(Number(port), hostname);
  socket.write(REQUEST);
  expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 200 /);
  standIns.asked.length = 0;
});

afterEach(() => socket.destroy());

it('a request that waited while the process was halted has that much less time, in every service', async () => {
  let deadline = Infinity;
  standIns.on(getWallet, () => {
    deadline = currentRequest()?.deadline ?? Infinity;
    return wallet;
  });
  const sentAt = Date.now();
  socket.write(REQUEST);
  halt(NOT_TOO_LONG_MS);
  expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 200 /);
  expect(deadline).toBeLessThanOrEqual(sentAt + DEADLINE_MS);
});

it('a request that waited too long to be answered in time is refused before any work', async () => {
  socket.write(REQUEST);
  halt(TOO_LONG_MS);
  const answer = await nextAnswer(socket);
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toMatch(/\r\nretry-after: 1\r\n/);
  expect(answer).toMatch(/\r\nx-outcome: none\r\n/);
  expect(standIns.requestsTo(getWallet)).toEqual([]);
});
