import { createHash } from 'node:crypto';
import { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { configuredWrapping } from '@stablecoin/key-wrapping/configured-wrapping';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { NatsConnection } from 'nats';
import { PayoutConfiguration } from '../payout.configuration';
import { CustomerStandIn, LedgerStandIn, MASTER_KEY, WrapDataKey } from './outside-services';

export const COMMAND_KEY = Buffer.alloc(32, 7);
const BUS_KEY = createHash('sha256').update('integration tests of payout').digest();

/** Parts of payout on a database and a bus, with stand-ins for customer and ledger, which are other processes. */
export interface RunningPayout {
  app: INestApplicationContext;
  database: TestDatabase;
  customer: CustomerStandIn;
  ledger: LedgerStandIn;
  connection: NatsConnection;
  codec: SealedCodec;
  stop(): Promise<void>;
}

export async function startPayout(
  parts: ModuleMetadata,
  environment: NodeJS.ProcessEnv = {},
  wrap?: WrapDataKey,
): Promise<RunningPayout> {
  const database = await createTestDatabase('payout');
  const connection = await connectToBus(environment['NATS_URL'] ?? testNatsUrl(), 'payout-spec');
  const codec = new SealedCodec(BUS_KEY);
  const customer = await CustomerStandIn.start(connection, codec, wrap);
  const ledger = await LedgerStandIn.start(connection, codec);
  const configuration = loadConfiguration(PayoutConfiguration, {
    NATS_URL: testNatsUrl(),
    BUS_KEY: BUS_KEY.toString('base64'),
    COMMAND_KEY: COMMAND_KEY.toString('base64'),
    PERSONAL_DATA_KEY: MASTER_KEY.toString('base64'),
    PAYOUT_DATABASE_URL: database.url,
    ...environment,
  });
  const provided = [
    { provide: PayoutConfiguration, useValue: configuration },
    { provide: KeyWrapping, useValue: configuredWrapping(configuration.dataKeys) },
  ];
  const server = new BusServer(connection, codec, 'spec');
  const secret = new CallerSecret('payout', COMMAND_KEY);
  const bus = { connection, codec, secret, client: new BusClient(connection, codec, secret), server };
  class Root {}
  const root = {
    module: Root,
    global: true,
    imports: [MessagingModule.of(bus), ...(parts.imports ?? [])],
    providers: [...provided, ...(parts.providers ?? [])],
    exports: provided,
  };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return {
    app,
    database,
    customer,
    ledger,
    connection,
    codec,
    stop: async () => {
      await app.close();
      await connection.close();
      await database.drop();
    },
  };
}
