import { setTimeout as delay } from 'node:timers/promises';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { NatsConnection } from 'nats';
import { FactConsumer, FactReceiver } from './fact-consumer';

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

/** Each test has a shard of its own, so that the facts of one test do not affect another. */
async function publish(shard: number, count: number): Promise<void> {
  const facts = Array.from({ length: count }, () => {
    const place = { shard, position: (position += 1), movement: 'customer-closed' as const };
    return { ...place, recorded_at: '', merchant_id: '', customer_id: null, transactions: [] };
  });
  await stream.publish(facts);
}

const consumers: FactConsumer[] = [];

function consumer(
  durable: string,
  handle: (facts: LedgerFact[]) => Promise<void>,
  park: FactReceiver['park'] = async () => undefined,
): FactConsumer {
  const made = new FactConsumer(stream, {
    durable,
    movements: ['customer-closed'],
    concerns: ({ position }) => String(position % 10),
    handle: (delivered) => handle(delivered.map(({ fact }) => fact)),
    park,
  });
  consumers.push(made);
  return made;
}

describe('a consumer that stops', () => {
  it('gives back at once what it has taken and not handled, for the next consumer', async () => {
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
    // The broker answers in order: everything that it sent before has arrived now.
    await connection.flush();
    const stopped = first.stop();
    release();
    await stopped;
    const second = consumer('handover', async (facts) => void remember(facts));
    second.start();
    // The broker may have sent a fact to the consumer that has just left; it sends that one again after the ack wait.
    await eventually('nearly all, before any ack wait is over', () => new Set(seen).size > 280, { timeoutMs: 3_000 });
    await eventually('the rest', () => new Set(seen).size === 300);
  });

  it('ends before it has tried every fact of a batch when nothing works', async () => {
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
  it('receives the same facts again, and keeps a bounded number of them', async () => {
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
    // Longer than the ack wait: the broker delivers all of them again.
    await delay(7_000);
    release();
    await eventually('all of them', () => seen.size === position, { timeoutMs: 10_000 });
    await hanging.stop();
    expect(handed - position).toBeLessThan(500);
  }, 30_000);
});

describe('a fact that fails by itself', () => {
  it('is parked after five attempts; until then facts that concern the same wait, and all others do not', async () => {
    const first = position + 1;
    await publish(5, 30);
    const seen: number[] = [];
    const tried: number[] = [];
    const parked: { position: number; attempts: number; at: number }[] = [];
    const handling = consumer(
      'by-itself',
      async (facts) => {
        const mine = facts.filter(({ shard }) => shard === 5);
        tried.push(...mine.map((fact) => fact.position));
        if (mine.some((fact) => fact.position === first)) throw new TypeError('of itself');
        seen.push(...mine.map((fact) => fact.position));
      },
      async ({ fact }, { attempts, reason }) => {
        expect(reason).toBe('TypeError: of itself');
        parked.push({ position: fact.position, attempts, at: seen.length });
      },
    );
    handling.start();
    await eventually('all but one', () => new Set(seen).size === 29, { timeoutMs: 20_000 });
    await handling.stop();
    // The two that concern the same, ten and twenty later, come after it was parked; the other 27 came before.
    expect(parked).toEqual([{ position: first, attempts: 5, at: 27 }]);
    expect(seen.slice(27).sort()).toEqual([first + 10, first + 20]);
    expect(tried.filter((each) => each === first).length).toBeGreaterThanOrEqual(5);
  }, 30_000);

  it.each([
    ['the database is away', 'ECONNREFUSED'],
    ['it only reads', '25006'],
    ['its disk cannot be read', '58030'],
  ])(
    'is tried for as long as it takes when it is not its own fault: %s',
    async (_why, code) => {
      const only = position + 1;
      await publish(6, 1);
      let attempts = 0;
      let done = false;
      const parked: number[] = [];
      const waiting = consumer(
        `outage-${code}`,
        async (facts) => {
          if (!facts.some((fact) => fact.position === only)) return;
          attempts += 1;
          if (attempts < 8) throw Object.assign(new Error('not now'), { code });
          done = true;
        },
        async ({ fact }) => void parked.push(fact.position),
      );
      waiting.start();
      await eventually('it is handled', () => done, { timeoutMs: 20_000 });
      await waiting.stop();
      expect(parked).toEqual([]);
    },
    30_000,
  );
});

it('a consumer that was deleted on the broker is made anew, and receives everything again', async () => {
  const first = position + 1;
  await publish(7, 50);
  const seen = new Map<number, number>();
  const counting = consumer('deleted', async (facts) => {
    for (const fact of facts) seen.set(fact.position, (seen.get(fact.position) ?? 0) + 1);
  });
  counting.start();
  await eventually('all', () => seen.has(first + 49));
  await (await connection.jetstreamManager()).consumers.delete('LEDGER', 'deleted');
  await eventually('all once more', () => [...seen.values()].every((times) => times >= 2), { timeoutMs: 20_000 });
  await counting.stop();
}, 30_000);
