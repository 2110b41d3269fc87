import { createHash, randomUUID } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { LedgerDatabases } from './databases/ledger-databases';
import { LedgerShards } from './shards/ledger-shards';
import { openedWallet } from './testing/written-shard';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';
import { WalletLedgerModule } from './wallet-ledger.module';

const POOL_SIZE = 6;
let files: TestDatabase;
let broker: OwnNats;
let connection: NatsConnection;
let stream: LedgerStream;
let app: INestApplicationContext;

beforeAll(async () => {
  [files, broker] = await Promise.all([createTestDatabase('ledger'), startOwnNats()]);
  connection = await connectToBus(broker.url, 'spec');
  const busKey = createHash('sha256').update('read connections').digest();
  const codec = new SealedCodec(busKey);
  stream = await LedgerStream.open(connection, codec);
  const configuration = loadConfiguration(WalletLedgerConfiguration, {
    NATS_URL: broker.url,
    BUS_KEY: busKey.toString('base64'),
    LEDGER_DATABASE_URL: files.url,
    LEDGER_SHARDS: '1',
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    DEPOSIT_SEED: Buffer.alloc(64, 1).toString('hex'),
    CHECKPOINT_SIGNING_KEY: Buffer.alloc(32, 2).toString('base64'),
  });
  const provided = { provide: WalletLedgerConfiguration, useValue: configuration };
  const server = new BusServer(connection, codec, 'spec');
  const bus = { connection, codec, client: new BusClient(connection, codec), server };
  class Root {}
  const root = {
    module: Root,
    global: true,
    imports: [MessagingModule.of(bus), WalletLedgerModule],
    providers: [provided],
    exports: [provided],
  };
  app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
});

afterAll(async () => {
  await app.close();
  await connection.close();
  await broker.stop();
  await files.drop();
});

it('commits and publishes while more reads wait than there are connections for them', async () => {
  const reads = app.get(LedgerDatabases).home.reads;
  let ended = 0;
  const slow = Array.from({ length: 2 * POOL_SIZE }, () =>
    reads.$queryRaw`SELECT pg_sleep(3)::text`.catch(() => undefined).finally(() => (ended += 1)),
  );
  const writer = app.get(LedgerShards).writer(0);
  for (let count = 0; count < 10; count += 1) await openedWallet(writer, randomUUID());
  await eventually('the facts are on the stream', async () => (await stream.lastPosition(0)) === 10);
  expect(ended).toBe(0);
  await Promise.all(slow);
});
