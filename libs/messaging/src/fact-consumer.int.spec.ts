import { setTimeout as delay } from 'node:timers/promises';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { NatsConnection } from 'nats';
import { connectToBus } from './bus-connection';
import { FactConsumer } from './fact-consumer';
import { LedgerStream } from './ledger-stream';
import { SealedCodec } from './sealed-codec';

let broker: OwnNats;
let connection: NatsConnection;
let stream: LedgerStream;
let position = 0;

beforeAll(async () => {
  broker = await startOwnNats();
  connection = await connectToBus(broker.url, 'test');
  stream = await LedgerStream.open(connection, new SealedCodec(Buffer.alloc(32, 5)));
  await stream.ensure();
});

afterAll(async () => {
  await Promise.all(consumers.map((each) => each.stop()));
  await connection.close();
  await broker.stop();
});

/** A shard of its own per test, so that nobody minds the facts of another. */
async function publish(shard: number, count: number): Promise<void> {
  const facts = Array.from({ length: count }, () => {
    const place = { shard, position: (position += 1), movement: 'customer-closed' as const };
    return { ...place, recorded_at: '', merchant_id: '', customer_id: null, transactions: [] };
  });
  await stream.publish(facts);
}

const consumers: FactConsumer[] = [];

function consumer(durable: string, handle: (facts: LedgerFact[]) => Promise<void>): FactConsumer {
  const made = new FactConsumer(stream, {
    durable,
    movements: ['customer-closed'],
    concerns: ({ position }) => String(position),
    handle: (delivered) => handle(delivered.map(({ fact }) => fact)),
    park: async () => undefined,
  });
  consumers.push(made);
  return made;
}

describe('a consumer that stops', () => {
  it('leaves what it has taken and not handled to the next one, at once', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen: number[] = [];
    const remember = (facts: LedgerFact[]) =>
      seen.push(...facts.filter(({ shard }) => shard === 1).map((fact) => fact.position));
    await publish(1, 300);
    const first = consumer('handover', async (facts) => {
      await held;
      remember(facts);
    });
    first.start();
    const manager = await connection.jetstreamManager();
    await eventually('the broker to have sent all', async () => {
      return (await manager.consumers.info('LEDGER', 'handover')).num_ack_pending === 300;
    });
    // The broker answers in order: what it has sent before is here now.
    await connection.flush();
    const stopped = first.stop();
    release();
    await stopped;
    const second = consumer('handover', async (facts) => void remember(facts));
    second.start();
    // The broker may send one to the consumer that has just left, and finds out by the ack wait.
    await eventually('nearly all, before any ack wait is over', () => new Set(seen).size > 280, { timeoutMs: 3_000 });
    await eventually('the rest', () => new Set(seen).size === 300);
  });

  it('does not try every fact of a batch first when nothing works', async () => {
    await publish(2, 100);
    let tried = 0;
    const failing = consumer('outage', async () => {
      tried += 1;
      await delay(200);
      throw new Error('connection terminated');
    });
    failing.start();
    await eventually('it tries them one by one', () => tried > 4);
    const stopping = Date.now();
    await failing.stop();
    expect(Date.now() - stopping).toBeLessThan(1_500);
  });

  it('before it has begun takes nothing', async () => {
    let handled = 0;
    const late = consumer('never', async () => void (handled += 1));
    late.start();
    await late.stop();
    await publish(3, 1);
    await delay(500);
    expect(handled).toBe(0);
    expect((await (await connection.jetstreamManager()).consumers.info('LEDGER', 'never')).num_ack_pending).toBe(0);
  });
});

describe('a consumer that hangs', () => {
  it('is given the same facts again, and keeps only so many', async () => {
    await publish(4, 1_000);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen = new Set<number>();
    let handed = 0;
    const hanging = consumer('hanging', async (facts) => {
      await held;
      handed += facts.length;
      facts.forEach((fact) => seen.add(fact.position));
    });
    hanging.start();
    // Past the ack wait: the broker takes all of them for lost.
    await delay(7_000);
    release();
    await eventually('all of them', () => seen.size === position, { timeoutMs: 10_000 });
    await hanging.stop();
    expect(handed - position).toBeLessThan(500);
  }, 30_000);
});
