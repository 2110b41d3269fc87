import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
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

const codec = new SealedCodec(Buffer.alloc(32, 6));
const merchant_id = randomUUID();
let files: TestDatabase;
let database: LedgerDatabase;
let broker: OwnNats;
let connection: NatsConnection;

beforeAll(async () => {
  [files, broker] = await Promise.all([createTestDatabase('ledger'), startOwnNats()]);
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  connection = await connectToBus(broker.url, 'test');
  await ensureShards(database, 1);
  const lease = await acquireLease(database, 0, randomUUID());
  if (!lease) throw new Error('the shard is held');
  const callbacks = { onCommit: () => undefined, onLeaseLost: () => undefined };
  const start = { head: { position: 0, hash: GENESIS_HASH }, lastRecordedAt: '', now: () => new Date() };
  const writer = new ShardWriter({ database, lease, ...start, deriveAddress: () => 'address', ...callbacks });
  const wallet = {
    wallet_id: timeOrderedId(),
    address_id: timeOrderedId(),
    address_index: 1,
    description: null,
    network: null,
  };
  await writer.submit({
    request: { merchant_id, command_id: randomUUID(), input_hash: '' },
    command: { kind: 'OpenWallet', merchant_id, customer_id: null, currency: 'USD', ...wallet },
    result: () => ({}),
  });
});

afterAll(async () => {
  jest.restoreAllMocks();
  await connection.close();
  await broker.stop();
  await database.$disconnect();
  await files.drop();
});

const checkpoint = async () =>
  (await database.$queryRaw<{ position: bigint }[]>`SELECT position FROM relay_checkpoints WHERE shard = 0`)[0]
    ?.position;

describe('a relay that was overtaken while it published', () => {
  it('does not mark as published what a rebuilt stream has never had', async () => {
    const releases: (() => void)[] = [];
    const publish = LedgerStream.prototype.publish;
    jest.spyOn(LedgerStream.prototype, 'publish').mockImplementation(async function (this: LedgerStream, facts) {
      await publish.call(this, facts);
      await new Promise<void>((release) => releases.push(release));
    });
    const late = new FactRelay(database, connection, codec, 0);
    late.start();
    await eventually('the late one has published', () => releases.length === 1);
    await (await connection.jetstreamManager()).streams.delete('LEDGER');
    const next = new FactRelay(database, connection, codec, 0);
    next.start();
    await eventually('the next one is at it', () => releases.length === 2);
    releases[0]?.();
    await delay(500);
    expect(await checkpoint()).toBe(0n);
    releases[1]?.();
    await eventually('the next one is done', async () => (await checkpoint()) === 1n);
    jest.restoreAllMocks();
    await Promise.all([late.stop(), next.stop()]);
  }, 20_000);
});
