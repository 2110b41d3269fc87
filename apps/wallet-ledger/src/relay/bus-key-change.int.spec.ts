/**
 * What becomes of facts that are on the stream while the bus's key is changed: for as long as the key that sealed them is
 * accepted everybody reads them; afterwards nobody does, until the stream is filled again from the log.
 */
import { randomUUID } from 'node:crypto';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { FactConsumer } from '@stablecoin/facts/fact-consumer';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { acquireLease, ensureShards } from '../event-log/lease';
import { ShardWriter } from '../event-log/shard-writer';
import { timeOrderedId } from '../event-log/time-ordered-id';
import { FactRelay } from './fact-relay';

const SHARD = 0;
const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const STEPS = {
  accepted: new SealedCodec(before, next),
  used: new SealedCodec(next, before),
  dropped: new SealedCodec(next),
};

let files: TestDatabase;
let database: LedgerDatabase;
let broker: OwnNats;
let connection: NatsConnection;
let writer: ShardWriter;
let relay: FactRelay | undefined;
const consumers: FactConsumer[] = [];

beforeAll(async () => {
  [files, broker] = await Promise.all([createTestDatabase('ledger'), startOwnNats()]);
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  connection = await connectToBus(broker.url, 'test');
  await ensureShards(database, 1);
  const lease = await acquireLease(database, SHARD, randomUUID());
  if (!lease) throw new Error('the shard is held');
  const callbacks = { onCommit: () => relay?.wake(), onLeaseLost: () => undefined };
  const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date() };
  writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
});

afterAll(async () => {
  await Promise.all([relay?.stop(), ...consumers.map((each) => each.stop())]);
  await connection.close();
  await broker.stop();
  await database.$disconnect();
  await files.drop();
});

/** The ledger restarted with the keys of a step. */
async function relayWith(codec: SealedCodec): Promise<void> {
  await relay?.stop();
  relay = new FactRelay(database, connection, codec, SHARD);
  relay.start();
}

/** One fact; resolves to its position when the relay has published it. */
async function newFact(): Promise<number> {
  const merchant_id = randomUUID();
  const wallet = { wallet_id: timeOrderedId(), address_id: timeOrderedId(), address_index: 1 };
  await writer.submit({
    request: { merchant_id, command_id: randomUUID(), input_hash: '' },
    command: {
      kind: 'OpenWallet',
      merchant_id,
      customer_id: null,
      currency: 'USD',
      description: null,
      network: null,
      ...wallet,
    },
    result: () => ({}),
  });
  return eventually('the fact to be published', async () => {
    const [row] = await database.$queryRaw<{ position: bigint; head_position: bigint }[]>`
      SELECT position, head_position FROM relay_checkpoints JOIN ledger_shards USING (shard)`;
    return row !== undefined && row.position === row.head_position && Number(row.position);
  });
}

/** Consumes as a service with the keys of a step does, remembering the positions that it got. */
async function consume(durable: string, codec: SealedCodec): Promise<number[]> {
  const positions: number[] = [];
  const consumer = new FactConsumer(await LedgerStream.open(connection, codec), {
    durable,
    movements: ['wallet-opened'],
    concerns: ({ position }: LedgerFact) => String(position),
    handle: async (delivered) => void positions.push(...delivered.map(({ fact }) => fact.position)),
    park: async () => undefined,
  });
  consumers.push(consumer);
  consumer.start();
  return positions;
}

const nothingPending = (durable: string) =>
  eventually('nothing to be left for it', async () => {
    const { num_pending, num_ack_pending } = await (
      await connection.jetstreamManager()
    ).consumers.info('LEDGER', durable);
    return num_pending + num_ack_pending === 0;
  });

const published: number[] = [];

it('while both keys are accepted, facts sealed with either reach everybody, and whoever comes late', async () => {
  await relayWith(STEPS.accepted);
  published.push(await newFact());
  const all = await consume('through-all-steps', STEPS.accepted);
  await relayWith(STEPS.used);
  published.push(await newFact());
  const late = await consume('late', STEPS.used);
  await eventually(
    'both facts, to both',
    () => String(all) === String(published) && String(late) === String(published),
  );
});

it('once the key before is dropped, what it sealed reaches no new consumer; what is sealed since does', async () => {
  await relayWith(STEPS.dropped);
  published.push(await newFact());
  const late = await consume('too-late', STEPS.dropped);
  await nothingPending('too-late');
  expect(late).toEqual(published.slice(1));
});

it('the relay goes on where it was, though it can not read the last fact that the key before sealed', async () => {
  await relayWith(STEPS.accepted);
  published.push(await newFact());
  await relayWith(STEPS.dropped);
  published.push(await newFact());
  const { state } = await (await connection.jetstreamManager()).streams.info('LEDGER');
  expect(state.messages).toBe(published.length);
});

it('a stream that is removed is filled again, sealed with the key in use: nothing is lost', async () => {
  await (await connection.jetstreamManager()).streams.delete('LEDGER');
  published.push(await newFact());
  const late = await consume('after-refilling', STEPS.dropped);
  await eventually('all facts', () => String(late) === String(published), { timeoutMs: 20_000 });
}, 30_000);
