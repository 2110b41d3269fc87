import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { CuttingProxy, Fate } from './cutting-proxy';
import { MerchantClient, UnansweredRequest } from './merchant-client';

const ANSWER = JSON.stringify({ status: 'success', data: 'x'.repeat(1_000) });

let server: Server;
let arrived: number;
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;

beforeEach(async () => {
  arrived = 0;
  server = createServer((request, response) => {
    arrived += 1;
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** How each of so many requests ended, with the fate that was drawn for it. */
async function ends(count: number, seed: number, cutsOfTen: number): Promise<[Fate | undefined, string][]> {
  const proxy = await CuttingProxy.inFrontOf(url(), { seed, cutsOfTen });
  const client = new MerchantClient({ baseUrl: proxy.url, connections: 1 });
  const found: [Fate | undefined, string][] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const before = new Map(proxy.fates);
    const end = await client.post('/payouts', {}).then(
      ({ text }) => (text === ANSWER ? 'whole' : 'other'),
      (error: unknown) => (error instanceof UnansweredRequest ? 'unanswered' : 'other'),
    );
    found.push([[...proxy.fates].find(([fate, times]) => before.get(fate) !== times)?.[0], end]);
  }
  client.close();
  await proxy.close();
  return found;
}

describe('A proxy that cuts', () => {
  it('lets everything through when it cuts nothing', async () => {
    expect(await ends(5, 1, 0)).toEqual(Array(5).fill(['pass', 'whole']));
    expect(arrived).toBe(5);
  });

  it('answers only what it lets through, and sends on all but what it cuts before', async () => {
    const found = await ends(60, 7, 5);
    for (const [fate, end] of found) expect([fate, end]).toEqual([fate, fate === 'pass' ? 'whole' : 'unanswered']);
    expect(new Set(found.map(([fate]) => fate)).size).toBe(5);
    expect(arrived).toBe(found.filter(([fate]) => fate !== 'before-it-is-sent').length);
  });

  it('cuts at the same places again with the same seed', async () => {
    expect(await ends(20, 3, 5)).toEqual(await ends(20, 3, 5));
  });
});
