import { setTimeout as delay } from 'node:timers/promises';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { SHARD, WrittenShard } from '../testing/written-shard';
import { FactRelay } from './fact-relay';

const codec = new SealedCodec(Buffer.alloc(32, 6));
let ledger: WrittenShard;

beforeAll(async () => {
  ledger = await WrittenShard.start();
  await ledger.openWallet();
});

afterAll(async () => {
  jest.restoreAllMocks();
  await ledger.stop();
});

const checkpoint = async () =>
  (await ledger.database.$queryRaw<{ position: bigint }[]>`SELECT position FROM relay_checkpoints WHERE shard = 0`)[0]
    ?.position;

describe('a relay that was overtaken while it published', () => {
  it('does not mark facts as published that a rebuilt stream never had', async () => {
    const releases: (() => void)[] = [];
    const publish = Reflect.get(LedgerStream.prototype, 'publish');
    jest.spyOn(LedgerStream.prototype, 'publish').mockImplementation(async function (this: LedgerStream, facts) {
      await publish.call(this, facts);
      await new Promise<void>((release) => releases.push(release));
    });
    const late = new FactRelay(ledger.database, ledger.connection, codec, SHARD);
    late.start();
    await eventually('the late one has published', () => releases.length === 1);
    await (await ledger.connection.jetstreamManager()).streams.delete('LEDGER');
    const next = new FactRelay(ledger.database, ledger.connection, codec, SHARD);
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
