import { LEDGER_STREAM } from '@stablecoin/contracts/wallet/facts';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { GaugeName } from '@stablecoin/telemetry/metrics/catalogue';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { NatsConnection } from 'nats';
import { Client } from 'pg';
import { RunningShards } from '../testing/running-shards';
import { openedWallet } from '../testing/written-shard';
import { LedgerShards } from './ledger-shards';

const SLOW = { timeoutMs: 20_000 };
let ledger: RunningShards;
let owner: Client;
let connection: NatsConnection;
let shards: LedgerShards;

beforeEach(async () => {
  ledger = await RunningShards.start();
  connection = await ledger.servers.connect();
  owner = new Client({ connectionString: ledger.servers.files.ownerUrl });
  await owner.connect();
  shards = await startShards();
});

async function startShards(): Promise<LedgerShards> {
  const { shards: started } = await ledger.newInstance({ shards: 1, checkpointIntervalMs: 100 });
  await started.onApplicationBootstrap();
  return started;
}

afterEach(async () => {
  jest.restoreAllMocks();
  // Releases what a failed test has locked.
  await owner.query('ROLLBACK');
  await owner.end();
  await ledger.stop();
});

const openWallet = () => openedWallet(shards.writer(0));

/** The value of a gauge of the shard; undefined when it has none. */
async function gauge(name: GaugeName): Promise<number | undefined> {
  const line = (await metricsText()).split('\n').find((each) => each.startsWith(`${name}{shard="0"} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

async function lag() {
  return { positions: await gauge('ledger_relay_lag_positions'), seconds: await gauge('ledger_relay_lag_seconds') };
}

const isUpToDate = async () => (await gauge('ledger_relay_lag_positions')) === 0 && (await lag()).seconds === 0;

/** Where the log ends, and up to where the stream has it, by the database and the broker. */
async function actual(): Promise<{ head: number; published: number }> {
  const { rows } = await owner.query<{ head: number }>('SELECT max(position)::int AS head FROM ledger_events');
  const stream = await LedgerStream.open(connection, ledger.codec);
  return { head: rows[0]?.head ?? 0, published: (await stream.lastPosition(0)) ?? 0 };
}

function nothingIsPublished(): jest.SpyInstance {
  return jest.spyOn(LedgerStream.prototype, 'publish').mockRejectedValue(new Error('the stream is full'));
}

describe('the gauges of the relay', () => {
  it('show how far the stream is behind the log, and for how long, until it has caught up', async () => {
    await openWallet();
    await eventually('the relay has caught up', isUpToDate, SLOW);
    expect(await actual()).toEqual({ head: 1, published: 1 });

    const blocked = nothingIsPublished();
    for (let count = 0; count < 3; count += 1) await openWallet();
    const { head, published } = await actual();
    expect(await gauge('ledger_head_position')).toBe(head);
    expect((await lag()).positions).toBe(head - published);
    expect(head - published).toBe(3);
    const { seconds = 0 } = await lag();
    expect(seconds).toBeGreaterThan(0);
    await eventually('it has been behind for longer', async () => ((await lag()).seconds ?? 0) > seconds + 0.1);

    blocked.mockRestore();
    await eventually('the relay has caught up', isUpToDate, SLOW);
    expect(await actual()).toEqual({ head, published: head });
  }, 60_000);

  it('show that a stream which lost everything is being filled, without a new event in the log', async () => {
    await openWallet();
    await eventually('the relay has caught up', isUpToDate, SLOW);
    nothingIsPublished();
    await (await connection.jetstreamManager()).streams.delete(LEDGER_STREAM);
    const found = await eventually('it is missed', async () => ((await lag()).seconds ?? 0) > 0 && lag(), SLOW);
    expect(found.positions).toBe(1);
  }, 60_000);

  it('show the lag of events that were committed while the stream was already away', async () => {
    await openWallet();
    await eventually('the relay has caught up', isUpToDate, SLOW);
    const away = jest.spyOn(LedgerStream.prototype, 'ensure').mockRejectedValue(new Error('JetStream is away'));
    await eventually('the relay waits for it', () => away.mock.calls.length > 1, SLOW);
    expect(await lag()).toEqual({ positions: 0, seconds: 0 });
    await openWallet();
    const found = await eventually('it is behind', async () => ((await lag()).seconds ?? 0) > 0 && lag());
    expect(found.positions).toBe(1);
  }, 60_000);

  it('show for how long, but not how far, while the stream was never read', async () => {
    await eventually('the relay has caught up', isUpToDate, SLOW);
    await shards.beforeApplicationShutdown();
    jest.spyOn(LedgerStream.prototype, 'ensure').mockRejectedValue(new Error('JetStream is away'));
    shards = await startShards();
    await eventually('it is behind', async () => ((await lag()).seconds ?? 0) > 0);
    expect((await lag()).positions).toBeUndefined();
  }, 60_000);
});

describe("the gauges of the writer's queue", () => {
  it('show how many commands wait for a commit that hangs, and for how long', async () => {
    await openWallet();
    expect([await gauge('ledger_queue_depth'), await gauge('ledger_queue_oldest_wait_seconds')]).toEqual([0, 0]);
    await owner.query('BEGIN');
    await owner.query('SELECT 1 FROM ledger_shards FOR UPDATE');
    const waiting = [openWallet()];
    await eventually('the first is taken from the queue', async () => (await gauge('ledger_queue_depth')) === 0);
    waiting.push(openWallet(), openWallet(), openWallet());
    expect(await gauge('ledger_queue_depth')).toBe(3);
    const waited = (await gauge('ledger_queue_oldest_wait_seconds')) ?? 0;
    await eventually(
      'they wait for longer',
      async () => ((await gauge('ledger_queue_oldest_wait_seconds')) ?? 0) > waited,
    );
    await owner.query('ROLLBACK');
    await Promise.all(waiting);
    expect([await gauge('ledger_queue_depth'), await gauge('ledger_queue_oldest_wait_seconds')]).toEqual([0, 0]);
  }, 60_000);
});

describe('the gauge of a broken log', () => {
  const looks = async (outcome: string) => {
    const series = `ledger_checkpoints_total{outcome="${outcome}"} `;
    const line = (await metricsText()).split('\n').find((each) => each.startsWith(series));
    return Number(line?.slice(series.length));
  };

  it('is 1 while the log contradicts its checkpoint, and each check counts', async () => {
    const [signed, broken] = [await looks('signed'), await looks('log_broken')];
    await openWallet();
    await eventually('it is signed', async () => (await looks('signed')) > signed, SLOW);
    expect(await gauge('ledger_log_broken')).toBe(0);
    expect(await looks('log_broken')).toBe(broken);

    const { rows } = await owner.query<{ hash: Buffer }>('SELECT hash FROM ledger_events WHERE position = 1');
    const change = (hash: Buffer) => owner.query('UPDATE ledger_events SET hash = $1 WHERE position = 1', [hash]);
    await owner.query('ALTER TABLE ledger_events DISABLE TRIGGER ledger_events_are_append_only');
    await change(Buffer.alloc(32, 7));
    await eventually('it is found', async () => (await gauge('ledger_log_broken')) === 1, SLOW);
    expect(await looks('log_broken')).toBeGreaterThan(broken);

    await change(rows[0]?.hash as Buffer);
    await eventually('it is whole again', async () => (await gauge('ledger_log_broken')) === 0, SLOW);
  }, 60_000);
});
