import { setTimeout as delay } from 'node:timers/promises';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl, uniqueName } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { NatsConnection } from 'nats';
import { asRefusal } from './command-log';
import { DatabaseWatch } from './database-watch';
import { postgresAdapter } from './postgres';

/** How long after its loss an instance may go on taking requests. */
const LEFT_AFTER_MS = 2_000;
/** No one listens there. */
const NOWHERE = 1;
const service = uniqueName('watched');
const codec = new SealedCodec(Buffer.alloc(32, 1));

class Ask {}
class AskWithout {}
const ask = operation({
  subject: `${service}.ask`,
  request: Ask,
  reply: replies<{ by: string }>(),
  errors: [],
});
const askWithout = operation({ ...ask, subject: `${service}.ask-without`, request: AskWithout });

/** One instance of a service that answers each request out of a database, behind a proxy of its own. */
class Instance {
  private constructor(
    private readonly proxy: TcpProxy,
    private readonly end: () => Promise<void>,
    private readonly way: { target: number; delayMs: number },
    private readonly port: number,
  ) {}

  static async start(by: string, database: TestDatabase): Promise<Instance> {
    const url = new URL(database.url);
    const port = Number(url.port);
    const way = { target: port, delayMs: 0 };
    const slowDown = () => proxy.open().forEach((passage) => passage.slowDown(way.delayMs));
    const proxy = await TcpProxy.listen(() => {
      // Once the passage that is about to be opened is there.
      setImmediate(slowDown);
      return way.target;
    });
    url.port = String(proxy.port);
    const adapter = await postgresAdapter({ url: url.href, applicationName: by, poolSize: 2 }).connect();
    const connection = await connectToBus(testNatsUrl(), by);
    const server = new BusServer(connection, codec, service);
    server.serve(ask, () =>
      asRefusal(async () => {
        await adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
        return { by };
      }),
    );
    server.serve(askWithout, () => Promise.resolve({ by }));
    const watch = new DatabaseWatch({ url: url.href, applicationName: by, answeredWithout: [askWithout] }, server);
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    watch.onApplicationBootstrap();
    const end = async () => {
      await watch.beforeApplicationShutdown();
      await server.close();
      await proxy.close();
      await adapter.dispose();
      await connection.close();
    };
    return new Instance(proxy, end, way, port);
  }

  refuseConnections(): void {
    this.way.target = NOWHERE;
    this.proxy.open().forEach((passage) => passage.cut());
  }

  /** Also for connections that are opened later. */
  silence(): void {
    this.proxy.freeze();
  }

  /** Also connections that are opened later. */
  slowDown(delayMs: number): void {
    this.way.delayMs = delayMs;
    this.proxy.open().forEach((passage) => passage.slowDown(delayMs));
  }

  letConnectAgain(): void {
    this.way.target = this.port;
  }

  stop(): Promise<void> {
    return this.end();
  }
}

describe('an instance whose database is gone', () => {
  let database: TestDatabase;
  let connection: NatsConnection;
  let client: BusClient;
  let lone: Instance;
  let other: Instance;

  beforeEach(async () => {
    database = await createTestDatabase('payout');
    connection = await connectToBus(testNatsUrl(), 'watched-caller');
    client = new BusClient(connection, codec);
    [lone, other] = [await Instance.start('lone', database), await Instance.start('other', database)];
  });
  afterEach(async () => {
    await lone.stop();
    await other.stop();
    await connection.close();
    await database.drop();
  });

  const call = (of = ask) => withRequestContext(freshRequestContext(), () => client.call(of, {}));
  /** One request after the other for a while: by whom they were answered, and how many were refused. */
  async function answersDuring(milliseconds: number) {
    const [by, until] = [new Set<string>(), Date.now() + milliseconds];
    let refused = 0;
    while (Date.now() < until) {
      await call().then(
        (reply) => by.add(reply.by),
        () => (refused += 1),
      );
      await delay(5);
    }
    return { by: [...by].sort(), refused };
  }

  it.each([
    ['refuses connections', () => lone.refuseConnections()],
    ['is silent', () => lone.silence()],
  ])('takes no requests two seconds after it %s', async (_, lose) => {
    expect(await answersDuring(1_000)).toEqual({ by: ['lone', 'other'], refused: 0 });
    lose();
    await delay(LEFT_AFTER_MS);
    expect(await answersDuring(2_000)).toEqual({ by: ['other'], refused: 0 });
    // What needs no database it goes on answering.
    const without = await Promise.all(Array.from({ length: 50 }, () => call(askWithout)));
    expect(new Set(without.map(({ by }) => by))).toEqual(new Set(['lone', 'other']));
  });

  it('takes requests again once it is back', async () => {
    lone.refuseConnections();
    await delay(LEFT_AFTER_MS);
    lone.letConnectAgain();
    await eventually('it to answer again', async () => (await answersDuring(200)).by.includes('lone'));
    expect(await answersDuring(1_000)).toEqual({ by: ['lone', 'other'], refused: 0 });
  });

  it('goes on taking requests while the database is merely slow', async () => {
    const concurrently = (milliseconds: number) =>
      Promise.all(Array.from({ length: 6 }, () => answersDuring(milliseconds)));
    await concurrently(500);
    // Each answer takes longer than a look may: only the answers to its requests show that the database is there.
    lone.slowDown(350);
    const left = jest.spyOn(BusServer.prototype, 'pause');
    const answered = await concurrently(4_000);
    expect(answered.map(({ refused }) => refused)).toEqual(Array(6).fill(0));
    expect(left).not.toHaveBeenCalled();
    left.mockRestore();
  });
});
