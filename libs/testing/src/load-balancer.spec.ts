import { createServer, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { eventually } from './eventually';
import { LoadBalancer } from './load-balancer';
import { MerchantClient } from './merchant-client';

/** A gateway that says whether it is ready and answers with its name. */
class Gateway {
  isReady = true;
  requests = 0;
  answer = (response: ServerResponse): void => void response.end(this.name);
  private readonly server: Server;

  constructor(readonly name: string) {
    this.server = createServer((request, response) => {
      if (request.url === '/health/ready') return void response.writeHead(this.isReady ? 200 : 503).end();
      this.requests += 1;
      this.answer(response);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const gateways = [new Gateway('one'), new Gateway('two')];
const [one, two] = gateways as [Gateway, Gateway];
const there = new Set<Gateway>(gateways);
const balancer = new LoadBalancer(() => [...there].map(({ origin }) => origin));
let client: MerchantClient;

beforeAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.start()));
  client = new MerchantClient({ baseUrl: `${await balancer.start()}/api` });
});

afterAll(async () => {
  await balancer.stop();
  gateways.forEach((gateway) => gateway.stop());
});

const names = async (count: number) => {
  const answers: string[] = [];
  for (let turn = 0; turn < count; turn += 1) answers.push((await client.get('/wallets')).text);
  return answers.sort();
};

describe('a load balancer', () => {
  it('sends to all that are ready, in turns', async () => expect(await names(4)).toEqual(['one', 'one', 'two', 'two']));

  it('leaves out what is not ready, and takes it back', async () => {
    one.isReady = false;
    await eventually('it is left out', () => !balancer.isReady(one.origin));
    expect(await names(2)).toEqual(['two', 'two']);
    one.isReady = true;
    await eventually('it is back', () => balancer.isReady(one.origin));
    expect(await names(2)).toEqual(['one', 'two']);
  });

  it('keeps its own connection open when a gateway closes one', async () => {
    two.answer = (response) => void response.writeHead(200, { connection: 'close' }).end('two');
    const answers = [await client.get('/a'), await client.get('/a')];
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'keep-alive']);
  });

  it('says 502 when a gateway breaks off before its answer, and asks no other', async () => {
    there.delete(one);
    await eventually('the other is gone', () => !balancer.isReady(one.origin));
    const before = [one.requests, two.requests];
    two.answer = (response) => void response.destroy();
    const answer = await client.post('/payouts/banks', {});
    expect([answer.status, answer.text]).toEqual([502, `${two.origin}: socket hang up`]);
    expect([one.requests, two.requests]).toEqual([before[0], (before[1] ?? 0) + 1]);
  });

  it('breaks off when a gateway does in the middle of its answer', async () => {
    two.answer = (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    };
    await expect(client.get('/a')).rejects.toMatchObject({ reason: 'ECONNRESET' });
  });

  it('says 502 when none is ready', async () => {
    there.clear();
    await eventually('none is there', () => !balancer.isReady(two.origin));
    const answer = await client.get('/a');
    expect([answer.status, answer.text]).toEqual([502, 'no gateway is ready']);
  });
});
