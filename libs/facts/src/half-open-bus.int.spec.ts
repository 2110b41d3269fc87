import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { uniqueName } from '@stablecoin/testing/nats';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { NatsConnection } from 'nats';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { FactConsumer } from './fact-consumer';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';

/** Well within the time after which everything must work again after a fault. */
const NOTICED_WITHIN_MS = 6_000;
/** The same for the relay, which publishes again what was not confirmed. */
const TOLD_WITHIN_MS = 3_000;
const CODEC = new SealedCodec(Buffer.alloc(32, 5));

let broker: OwnNats;
let proxy: TcpProxy;
let direct: NatsConnection;
/** Through the proxy. */
let connection: NatsConnection;
let position = 0;

beforeAll(async () => {
  broker = await startOwnNats();
  direct = await connectToBus(broker.url, 'direct');
});

afterAll(async () => {
  await direct.close();
  await broker.stop();
});

beforeEach(async () => {
  const before = await TcpProxy.inFrontOf(broker.url);
  proxy = before.proxy;
  connection = await connectToBus(before.through, 'half-open');
});

afterEach(async () => {
  await connection.close();
  await proxy.close();
});

const fact = (): LedgerFact => ({
  ...{ shard: 1, position: (position += 1), movement: 'customer-closed' },
  ...{ recorded_at: '', merchant_id: '', customer_id: null, transactions: [] },
});

async function consumerOn(through: NatsConnection): Promise<{ consumer: FactConsumer; handled: number[] }> {
  const handled: number[] = [];
  const consumer = new FactConsumer(await LedgerStream.open(through, CODEC), {
    durable: uniqueName('half_open'),
    movements: ['customer-closed'],
    concerns: ({ position: place }) => String(place),
    handle: async (delivered) => void handled.push(...delivered.map(({ fact: { position: place } }) => place)),
    park: async () => undefined,
  });
  return { consumer, handled };
}

describe.each(['freeze', 'halve'] as const)(
  'a connection to the broker on which nothing comes any more (%s)',
  (fault) => {
    const strike = () => proxy.open().forEach((passage) => passage[fault]());

    it('is replaced, and requests are answered again', async () => {
      const subject = uniqueName('half_open');
      connection.subscribe(subject, { callback: (_, message) => message.respond('here') });
      await connection.request(subject, 'there?');
      strike();
      const ask = () => connection.request(subject, 'there?', { timeout: 500 });
      const answer = await eventually('an answer', ask, { timeoutMs: NOTICED_WITHIN_MS });
      expect(answer.string()).toBe('here');
    });

    it('is replaced, and facts are handled again', async () => {
      const writing = await LedgerStream.open(direct, CODEC);
      await writing.ensure();
      const { consumer, handled } = await consumerOn(connection);
      consumer.start();
      const before = fact();
      await writing.publish([before]);
      await eventually('the first fact', () => handled.includes(before.position));
      strike();
      const after = fact();
      await writing.publish([after]);
      await eventually('the fact that came after', () => handled.includes(after.position), {
        timeoutMs: NOTICED_WITHIN_MS,
      });
      await consumer.stop();
    });

    it('soon fails a publication on it as not confirmed', async () => {
      const stream = await LedgerStream.open(connection, CODEC);
      await stream.ensure();
      strike();
      const publishedAt = performance.now();
      await expect(stream.publish([fact()])).rejects.toThrow();
      expect(performance.now() - publishedAt).toBeLessThan(TOLD_WITHIN_MS);
    });
  },
);

it('a consumer whose request the broker has lost sends it again', async () => {
  const writing = await LedgerStream.open(direct, CODEC);
  await writing.ensure();
  const { consumer, handled } = await consumerOn(connection);
  const publish = connection.publish.bind(connection);
  let asked = 0;
  jest.spyOn(connection, 'publish').mockImplementation((subject, ...what) => {
    const isLost = subject.includes('.MSG.NEXT.') && (asked += 1) === 1;
    if (!isLost) publish(subject, ...what);
  });
  consumer.start();
  await eventually('it to ask', () => asked === 1);
  const one = fact();
  await writing.publish([one]);
  await eventually('the fact', () => handled.includes(one.position), { timeoutMs: NOTICED_WITHIN_MS });
  await consumer.stop();
});
