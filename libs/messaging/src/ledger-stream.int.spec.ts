import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { JetStreamManager, nanos, NatsConnection } from 'nats';
import { connectToBus } from './bus-connection';
import { LedgerStream } from './ledger-stream';
import { SealedCodec } from './sealed-codec';

let broker: OwnNats;
let connection: NatsConnection;
let manager: JetStreamManager;
let stream: LedgerStream;

beforeAll(async () => {
  broker = await startOwnNats();
  connection = await connectToBus(broker.url, 'test');
  manager = await connection.jetstreamManager();
  stream = await LedgerStream.open(connection, new SealedCodec(Buffer.alloc(32, 5)));
});

afterAll(async () => {
  await connection.close();
  await broker.stop();
});

describe('the stream of facts', () => {
  it('is made with the number of replicas that is given; a single server refuses more than one', async () => {
    await expect(stream.ensure(3)).rejects.toThrow('replicas > 1 not supported in non-clustered mode');
  });

  it('has one unless said otherwise', async () => {
    await stream.ensure();
    expect((await manager.streams.info('LEDGER')).config.num_replicas).toBe(1);
  });

  it('keeps what an operator has changed, whatever is given', async () => {
    const { createdAt } = await stream.ensure();
    const { config } = await manager.streams.info('LEDGER');
    await manager.streams.update('LEDGER', { ...config, max_age: nanos(86_400_000) });
    expect(await stream.ensure(3)).toEqual({ createdAt });
    expect((await manager.streams.info('LEDGER')).config).toMatchObject({
      num_replicas: 1,
      max_age: nanos(86_400_000),
    });
  });
});
