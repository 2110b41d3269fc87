/** Consumers whose facts the broker has thrown away before they came: its stream keeps them for a week. */
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { listPublishedPositions } from '@stablecoin/contracts/wallet/list-published-positions';
import { readFacts } from '@stablecoin/contracts/wallet/read-facts';
import { FactConsumer } from '@stablecoin/facts/fact-consumer';
import { FactProcessor } from '@stablecoin/facts/fact-processor';
import { MissedFacts } from '@stablecoin/facts/missed-facts';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { PayoutModule } from '../payout.module';
import { RunningPayout, startPayout } from '../testing/running-service';
import { LedgerFactsConsumer } from './ledger-facts.consumer';

const BANK = { kind: 'bank', account_number: '0123450009', recipient_name: 'Ada' } as const;
/** Of the log that the stand-in answers from. */
const PAGE = 3;

let nats: OwnNats;
let service: RunningPayout;
let server: BusServer;
let stream: LedgerStream;
let log: LedgerFact[];
let pagesRead: number;

beforeEach(async () => {
  nats = await startOwnNats();
  service = await startPayout({ imports: [PayoutModule] }, { NATS_URL: nats.url });
  stream = await LedgerStream.open(service.connection, service.codec);
  [log, pagesRead] = [[], 0];
  server = new BusServer(service.connection, service.codec, 'wallet-ledger');
  server.serve(listPublishedPositions, async () => {
    const last = log.at(-1);
    return last ? [{ shard: last.shard, position: last.position }] : [];
  });
  server.serve(readFacts, async ({ after }) => {
    pagesRead += 1;
    const facts = log.filter(({ position }) => position > after).slice(0, PAGE);
    return { facts, last: facts.at(-1)?.position ?? after };
  });
  await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await server.close();
  await service.stop();
  await nats.stop();
});

/** Facts of payouts, each followed by one that payout's consumers don't take. */
async function publish(count: number): Promise<number[]> {
  const published: number[] = [];
  for (let made = 0; made < count; made += 1) {
    const { id, fact } = service.ledger.accept(BANK);
    const facts = [fact, service.ledger.factOf('wallet-opened', id)];
    log.push(...facts);
    published.push(fact.position);
    await service.ledger.publish(...facts);
  }
  return published;
}

const running: { stop(): Promise<void> }[] = [];

interface Reader {
  seen: number[];
  /** Handling this position fails. */
  poison?: number;
  isAway: boolean;
  stop(): Promise<void>;
}

/** A consumer of its own name, with the service's tables. */
function reader(durable: string): Reader {
  const state: Reader = { seen: [], isAway: false, stop: () => Promise.resolve() };
  const handler = Object.assign(Object.create(service.app.get(LedgerFactsConsumer)) as LedgerFactsConsumer, {
    durable,
    handle: async (_sql: unknown, facts: LedgerFact[]) => {
      if (state.isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      if (facts.some(({ position }) => position === state.poison)) throw new TypeError('of itself');
      state.seen.push(...facts.map(({ position }) => position));
    },
  });
  const processor = new FactProcessor(handler, service.codec);
  const missed = new MissedFacts(stream, processor, new BusClient(service.connection, service.codec), 100);
  const consumer = new FactConsumer(stream, processor, () => missed.catchUp());
  missed.start();
  consumer.start();
  state.stop = async () => void (await Promise.all([consumer.stop(), missed.stop()]));
  running.push(state);
  return state;
}

const progressOf = (durable: string) =>
  new FactProcessor(
    Object.assign(Object.create(service.app.get(LedgerFactsConsumer)) as LedgerFactsConsumer, { durable }),
    service.codec,
  ).progress();

const seenAll = (state: Reader, positions: readonly number[]) =>
  eventually(`${positions.length} facts`, () => state.seen.length >= positions.length, { timeoutMs: 15_000 });

/** The progress says that everything published so far was handled. */
const upToDate = (durable: string) =>
  eventually(`the progress of ${durable}`, async () => {
    return (await progressOf(durable))?.positions[0]?.position === log.at(-1)?.position;
  });

const forget = async () => (await service.connection.jetstreamManager()).streams.purge('LEDGER');

it('reads what the stream lacks from the log, each once and in order, before it goes on with the stream', async () => {
  const before = await publish(4);
  const first = reader('away');
  await seenAll(first, before);
  await upToDate('away');
  await first.stop();
  const missed = await publish(8);
  await forget();
  const kept = await publish(2);
  const again = reader('away');
  await seenAll(again, [...missed, ...kept]);
  expect(again.seen).toEqual([...missed, ...kept]);
  await upToDate('away');
  await again.stop();
  const pages = pagesRead;
  const third = reader('away');
  await seenAll(third, await publish(1));
  expect(pagesRead).toBe(pages);
}, 60_000);

it('reads nothing from the log without a gap, nor as a new consumer', async () => {
  const before = await publish(2);
  await forget();
  const after = await publish(2);
  const fresh = reader('fresh');
  await seenAll(fresh, after);
  await upToDate('fresh');
  await fresh.stop();
  const more = await publish(3);
  const again = reader('fresh');
  await seenAll(again, more);
  expect(fresh.seen).toEqual(after);
  expect(fresh.seen).not.toEqual(expect.arrayContaining(before));
  expect(again.seen).toEqual(more);
  expect(pagesRead).toBe(0);
}, 60_000);

it('notices facts that expired while it was running and could not handle them', async () => {
  const state = reader('stuck');
  await seenAll(state, await publish(1));
  await upToDate('stuck');
  state.isAway = true;
  const missed = await publish(5);
  await delay(1_000);
  await forget();
  state.isAway = false;
  await eventually('the missed ones', () => missed.every((position) => state.seen.includes(position)), {
    timeoutMs: 20_000,
  });
}, 60_000);

it('parks a missed fact that fails by itself, and goes on with the others', async () => {
  const first = reader('poisoned');
  await seenAll(first, await publish(1));
  await upToDate('poisoned');
  await first.stop();
  const missed = await publish(4);
  await forget();
  const again = reader('poisoned');
  again.poison = missed[1];
  const others = missed.filter((position) => position !== again.poison);
  await seenAll(again, others);
  expect(again.seen).toEqual(others);
  expect(
    (await service.app.get(LedgerFactsConsumer).database.parkedFact.findMany()).map(({ position }) => position),
  ).toEqual([BigInt(again.poison as number)]);
}, 60_000);
