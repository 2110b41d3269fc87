import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import {
  isTransactionsChanged,
  TRANSACTIONS_CHANGED,
  TransactionsChanged,
} from '@stablecoin/contracts/wallet/transactions-changed';
import { FactConsumer } from '@stablecoin/facts/fact-consumer';
import { Announcements } from '@stablecoin/messaging/announcements';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { JetStreamManager, nanos } from 'nats';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { SHARD, WrittenShard } from '../testing/written-shard';
import { FactRelay } from './fact-relay';

const codec = new SealedCodec(Buffer.alloc(32, 3));
const SLOWLY = 5;
const IDS_KEPT_MS = 100;
let ledger: WrittenShard;
let relay: FactRelay;

beforeAll(async () => {
  ledger = await WrittenShard.start(() => relay.wake());
  relay = new FactRelay(ledger.database, ledger.connection, codec, SHARD);
});

afterAll(async () => {
  await relay.stop();
  await ledger.stop();
});

/** Opens a wallet and credits it, for a merchant of its own: three facts. */
async function threeFacts(): Promise<string> {
  const merchant_id = randomUUID();
  const wallet_id = await ledger.openWallet(merchant_id);
  const deposit = { id: timeOrderedId(), reference_id: timeOrderedId(), amount: '5', network: null, reference: null };
  await ledger.submit({ kind: 'RecordDeposit', merchant_id, wallet_id, confirmed: true, ...deposit });
  return merchant_id;
}

/** Consumes facts like a service, and returns everything that was delivered. */
async function consume(durable: string): Promise<{ facts: LedgerFact[]; stop: () => Promise<void> }> {
  const facts: LedgerFact[] = [];
  const stream = await LedgerStream.open(ledger.connection, codec);
  const consumer = new FactConsumer(stream, {
    durable,
    movements: ['wallet-opened', 'deposit-recorded', 'deposit-completed'],
    concerns: ({ position }) => String(position),
    handle: (delivered) => {
      facts.push(...delivered.map(({ fact }) => fact));
      return Promise.resolve();
    },
    park: () => Promise.resolve(),
  });
  consumer.start();
  return { facts, stop: () => consumer.stop() };
}

/** Whether everything in the log counts as published. */
async function atHead(): Promise<boolean> {
  const [row] = await ledger.database.$queryRaw<{ position: bigint }[]>`SELECT position FROM relay_checkpoints`;
  const [head] = await ledger.database.$queryRaw<{ head_position: bigint }[]>`SELECT head_position FROM ledger_shards`;
  return row?.position === head?.head_position;
}

const of = (facts: LedgerFact[], merchant: string) => facts.filter(({ merchant_id }) => merchant_id === merchant);

describe('facts', () => {
  it('are published in the order of the log, one per group, soon after the commit', async () => {
    relay.start();
    const { facts, stop } = await consume('first');
    const merchant = await threeFacts();
    const mine = await eventually('three facts', () => of(facts, merchant).length === 3 && of(facts, merchant));
    expect(mine.map(({ movement }) => movement)).toEqual(['wallet-opened', 'deposit-recorded', 'deposit-completed']);
    expect(mine[2]?.transactions).toEqual([expect.objectContaining({ status: 'COMPLETED', amount: '5.00000000' })]);
    await stop();
  });

  it('are said to have changed something, by merchant, to who listens', async () => {
    const heard: TransactionsChanged[] = [];
    const announcements = new Announcements(ledger.connection, codec);
    const stop = announcements.hear(TRANSACTIONS_CHANGED, isTransactionsChanged, (changes) => heard.push(changes));
    const { facts, stop: stopConsuming } = await consume('announced');
    const merchant = await threeFacts();
    const mine = await eventually('three facts', () => of(facts, merchant).length === 3 && of(facts, merchant));
    const [{ transaction_id } = { transaction_id: '' }] = mine.flatMap(({ transactions }) => transactions);
    await eventually('its announcement', () =>
      heard.some(({ merchants }) =>
        merchants.some(
          ({ merchant_id, transaction_ids }) => merchant_id === merchant && transaction_ids.includes(transaction_id),
        ),
      ),
    );
    stop();
    await stopConsuming();
  });

  it('reach a consumer that starts later, or starts again', async () => {
    const merchant = await threeFacts();
    const { facts, stop } = await consume('late');
    await eventually('three facts', () => of(facts, merchant).length === 3);
    await stop();
  });

  it('that were lost with the stream are published again from the log', async () => {
    const before = await threeFacts();
    const manager = await ledger.connection.jetstreamManager();
    await eventually('the relay to be done', atHead);
    await manager.streams.delete('LEDGER');
    const after = await threeFacts();
    const { facts, stop } = await consume('afterwards');
    await eventually(
      'the facts of before and after',
      () => of(facts, before).length === 3 && of(facts, after).length === 3,
      {
        timeoutMs: 20_000,
      },
    );
    await stop();
  }, 30_000);

  it('a consumer whose stream was deleted reads the new one, also when nothing is published', async () => {
    const { facts, stop } = await consume('survivor');
    const before = await threeFacts();
    await eventually('the facts of before', () => of(facts, before).length === 3);
    await (await ledger.connection.jetstreamManager()).streams.delete('LEDGER');
    // No event is appended meanwhile: the relay has to notice by itself, and publishes the earlier facts again.
    await eventually('the facts of before, again', () => of(facts, before).length === 6, { timeoutMs: 30_000 });
    const after = await threeFacts();
    await eventually('the facts of after', () => of(facts, after).length === 3, { timeoutMs: 30_000 });
    await stop();
  }, 45_000);

  it('are published again after a crash before the checkpoint moved, and the broker drops the duplicates', async () => {
    const manager = await ledger.connection.jetstreamManager();
    const { facts, stop } = await consume('after-crash');
    let crashes = 0;
    const publish = Reflect.get(LedgerStream.prototype, 'publish');
    const crashing = jest.spyOn(LedgerStream.prototype, 'publish').mockImplementation(async function (
      this: LedgerStream,
      published,
    ) {
      await publish.call(this, published);
      if (published.length === 0 || crashes === 2) return;
      crashes += 1;
      throw new Error('the process died here');
    });
    const before = (await manager.streams.info('LEDGER')).state.messages;
    const merchant = await threeFacts();
    await eventually('three facts', () => of(facts, merchant).length === 3, { timeoutMs: 20_000 });
    await eventually('the checkpoint to have moved', atHead, { timeoutMs: 20_000 });
    expect({ crashes, stored: (await manager.streams.info('LEDGER')).state.messages - before }).toEqual({
      crashes: 2,
      stored: 3,
    });
    crashing.mockRestore();
    await stop();
  }, 45_000);

  it('that were not stored when the broker died are published once it is back', async () => {
    const { facts, stop } = await consume('after-death');
    let died = false;
    const publish = Reflect.get(LedgerStream.prototype, 'publish');
    const dying = jest.spyOn(LedgerStream.prototype, 'publish').mockImplementation(async function (
      this: LedgerStream,
      published,
    ) {
      const publishing = publish.call(this, published);
      if (!died) {
        died = true;
        await Promise.all([ledger.broker.kill(), publishing.catch(() => undefined)]);
        throw new Error('nobody answered');
      }
      await publishing;
    });
    const merchant = await threeFacts();
    await eventually('the broker to be dead', () => died);
    const further = await threeFacts();
    await ledger.broker.revive();
    for (const each of [merchant, further])
      await eventually('its three facts', () => new Set(of(facts, each).map(({ position }) => position)).size === 3, {
        timeoutMs: 30_000,
      });
    await eventually('the checkpoint to have moved', atHead, { timeoutMs: 20_000 });
    dying.mockRestore();
    await stop();
  }, 60_000);

  /** A broker that lost facts has lost their ids as well. */
  async function forgetIds(manager: JetStreamManager): Promise<void> {
    const { config } = await manager.streams.info('LEDGER');
    await manager.streams.update('LEDGER', { ...config, duplicate_window: nanos(IDS_KEPT_MS) });
  }

  /** Three facts that count as published, all of them on the stream. */
  async function threePublished(facts: LedgerFact[]): Promise<string> {
    const merchant = await threeFacts();
    await eventually('three facts', () => of(facts, merchant).length === 3);
    await eventually('the checkpoint to have moved', atHead);
    return merchant;
  }

  /** Deletes the last messages once the broker has forgotten their ids, which it does by the clock alone. */
  async function loseFromTheEnd(manager: JetStreamManager, count: number): Promise<void> {
    await delay(3 * IDS_KEPT_MS);
    const { last_seq } = (await manager.streams.info('LEDGER')).state;
    for (let lost = 0; lost < count; lost += 1) await manager.streams.deleteMessage('LEDGER', last_seq - lost);
  }

  async function connectAgain(): Promise<void> {
    const before = ledger.connection.info?.client_id;
    await ledger.connection.reconnect();
    await eventually('it to be back', () => ledger.connection.info?.client_id !== before);
  }

  it.each([
    ['by a relay that starts afterwards', true],
    ['by the running relay, without a new event', false],
  ])(
    'that were lost from the end of the stream are published again %s',
    async (_whom, begins) => {
      const manager = await ledger.connection.jetstreamManager();
      await forgetIds(manager);
      const { facts, stop } = await consume(`after-power-failure-${begins}`);
      const merchant = await threePublished(facts);
      if (begins) await relay.stop();
      await loseFromTheEnd(manager, 2);
      if (begins) relay = new FactRelay(ledger.database, ledger.connection, codec, SHARD);
      if (begins) relay.start();
      await eventually('the two of them again', () => of(facts, merchant).length === 5, { timeoutMs: 20_000 });
      const again = of(facts, merchant).slice(3);
      expect(again).toEqual(of(facts, merchant).slice(1, 3));
      await stop();
    },
    45_000,
  );

  it('that the broker lost while it was away are published again, also when new facts follow at once', async () => {
    const manager = await ledger.connection.jetstreamManager();
    await forgetIds(manager);
    const { facts, stop } = await consume('after-restart');
    const merchant = await threePublished(facts);
    // The relay checks the stream every STREAM_CHECK_MS: the slowed clock keeps it from doing so during this test.
    const [now, from] = [Date.now, Date.now()];
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => from + (now() - from) / SLOWLY);
    await loseFromTheEnd(manager, 1);
    await connectAgain();
    const others = await threeFacts();
    await eventually('the others', () => of(facts, others).length === 3);
    clock.mockRestore();
    await eventually('what was lost', () => of(facts, merchant).length === 4, { timeoutMs: 20_000 });
    await stop();
  }, 45_000);

  it('that the broker lost while the relay was reading the next ones are published again', async () => {
    const manager = await ledger.connection.jetstreamManager();
    await forgetIds(manager);
    const { facts, stop } = await consume('after-reading');
    const merchant = await threePublished(facts);
    const reader = FactRelay.prototype as unknown as { factsAfter: (position: number) => Promise<unknown> };
    const read = reader.factsAfter;
    let others: string | undefined;
    jest.spyOn(reader, 'factsAfter').mockImplementationOnce(async function (this: FactRelay, position) {
      await loseFromTheEnd(manager, 1);
      await connectAgain();
      others = await threeFacts();
      return read.call(this as never, position);
    });
    await eventually('the others', () => others !== undefined && of(facts, others).length === 3, { timeoutMs: 20_000 });
    await eventually('what was lost', () => of(facts, merchant).length === 4, { timeoutMs: 20_000 });
    await stop();
  }, 45_000);
});
