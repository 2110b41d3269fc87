/**
 * Facts that are on the stream while the bus's key is changed: consumers read them for as long as they accept the key
 * that sealed them. Afterwards no consumer can read them, until the stream is filled again from the log.
 */
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FactConsumer } from '@stablecoin/facts/fact-consumer';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { SHARD, WrittenShard } from '../testing/written-shard';
import { FactRelay } from './fact-relay';

const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const STEPS = {
  accepted: new SealedCodec(before, next),
  used: new SealedCodec(next, before),
  dropped: new SealedCodec(next),
};

let ledger: WrittenShard;
let relay: FactRelay | undefined;
const consumers: FactConsumer[] = [];

beforeAll(async () => {
  ledger = await WrittenShard.start(() => relay?.wake());
});

afterAll(async () => {
  await Promise.all([relay?.stop(), ...consumers.map((each) => each.stop())]);
  await ledger.stop();
});

/** Restarts the relay with the keys of a step. */
async function relayWith(codec: SealedCodec): Promise<void> {
  await relay?.stop();
  relay = new FactRelay(ledger.database, ledger.connection, codec, SHARD);
  relay.start();
}

/** Appends one fact; resolves to its position when the relay has published it. */
async function newFact(): Promise<number> {
  await ledger.openWallet();
  return eventually('the fact to be published', async () => {
    const [row] = await ledger.database.$queryRaw<{ position: bigint; head_position: bigint }[]>`
      SELECT position, head_position FROM relay_checkpoints JOIN ledger_shards USING (shard)`;
    return row !== undefined && row.position === row.head_position && Number(row.position);
  });
}

/** Consumes facts with the keys of a step, like a service, and returns their positions. */
async function consume(durable: string, codec: SealedCodec): Promise<number[]> {
  const positions: number[] = [];
  const consumer = new FactConsumer(await LedgerStream.open(ledger.connection, codec), {
    durable,
    movements: ['wallet-opened'],
    concerns: ({ position }: LedgerFact) => String(position),
    handle: (delivered) => {
      positions.push(...delivered.map(({ fact }) => fact.position));
      return Promise.resolve();
    },
    park: () => Promise.resolve(),
  });
  consumers.push(consumer);
  consumer.start();
  return positions;
}

const nothingPending = (durable: string) =>
  eventually('nothing to be left for it', async () => {
    const { num_pending, num_ack_pending } = await (
      await ledger.connection.jetstreamManager()
    ).consumers.info('LEDGER', durable);
    return num_pending + num_ack_pending === 0;
  });

const published: number[] = [];

it('while both keys are accepted, facts sealed with either reach every consumer, also one that starts late', async () => {
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

it('once the previous key is dropped, a new consumer gets only facts that the new key sealed', async () => {
  await relayWith(STEPS.dropped);
  published.push(await newFact());
  const late = await consume('too-late', STEPS.dropped);
  await nothingPending('too-late');
  expect(late).toEqual(published.slice(1));
});

it('the relay goes on where it was, though it cannot read the last fact, which the previous key sealed', async () => {
  await relayWith(STEPS.accepted);
  published.push(await newFact());
  await relayWith(STEPS.dropped);
  published.push(await newFact());
  const { state } = await (await ledger.connection.jetstreamManager()).streams.info('LEDGER');
  expect(state.messages).toBe(published.length);
});

it('a stream that was deleted is filled again, with facts sealed with the key in use: nothing is lost', async () => {
  await (await ledger.connection.jetstreamManager()).streams.delete('LEDGER');
  published.push(await newFact());
  const late = await consume('after-refilling', STEPS.dropped);
  await eventually('all facts', () => String(late) === String(published), { timeoutMs: 20_000 });
}, 30_000);
