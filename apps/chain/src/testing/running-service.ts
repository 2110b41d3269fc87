import { createHash, randomUUID } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { ChainConfiguration } from '../chain.configuration';
import { SENDER, WATCHER } from '../chain.module';
import { CustomerStandIn } from './customer-stand-in';
import { LedgerStandIn } from './ledger-stand-in';

const COMMAND_KEY = Buffer.alloc(32, 7);
export const BUS_KEY = createHash('sha256').update('integration tests of chain').digest();

/** What every instance of a test's chain service shares: a database, a bus, and stand-ins for ledger and customer. */
export interface ChainSurroundings {
  database: TestDatabase;
  connection: NatsConnection;
  codec: SealedCodec;
  ledger: LedgerStandIn;
  customer: CustomerStandIn;
  close(): Promise<void>;
}

export interface RunningChain {
  app: INestApplicationContext;
  bus: BusClient;
  stop(): Promise<void>;
}

export async function chainSurroundings(natsUrl = testNatsUrl()): Promise<ChainSurroundings> {
  const database = await createTestDatabase('chain');
  const connection = await connectToBus(natsUrl, `chain-spec-${randomUUID()}`);
  const codec = new SealedCodec(BUS_KEY);
  const ledger = await LedgerStandIn.start(connection, codec);
  const customer = await CustomerStandIn.start(connection, codec);
  const close = async () => {
    await connection.close();
    await database.drop();
  };
  return { database, connection, codec, ledger, customer, close };
}

export const chainEnvironment = (
  { database }: ChainSurroundings,
  environment: NodeJS.ProcessEnv,
  natsUrl = testNatsUrl(),
): NodeJS.ProcessEnv => ({
  NATS_URL: natsUrl,
  BUS_KEY: BUS_KEY.toString('base64'),
  COMMAND_KEY: COMMAND_KEY.toString('base64'),
  CHAIN_DATABASE_URL: database.url,
  CHAIN_POLL_MS: '50',
  ...environment,
});

export async function startChain(
  surroundings: ChainSurroundings,
  environment: NodeJS.ProcessEnv,
  natsUrl = testNatsUrl(),
): Promise<RunningChain> {
  const { codec } = surroundings;
  const connection = await connectToBus(natsUrl, 'chain-spec');
  const configuration = loadConfiguration(ChainConfiguration, chainEnvironment(surroundings, environment, natsUrl));
  const provided = { provide: ChainConfiguration, useValue: configuration };
  const secret = new CallerSecret('chain', COMMAND_KEY);
  const client = new BusClient(connection, codec, secret);
  const server = new BusServer(connection, codec, 'chain');
  class Root {}
  const root = {
    module: Root,
    global: true,
    imports: [MessagingModule.of({ connection, codec, secret, client, server }), OperationHandlersModule, FactsModule],
    providers: [provided, ...WATCHER, ...SENDER],
    exports: [provided],
  };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
  return {
    app,
    bus: client,
    stop: async () => {
      await server.close();
      await app.close();
    },
  };
}
