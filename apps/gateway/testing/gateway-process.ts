import { join } from 'node:path';
import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { busCheck, createOperations, OperationsModule } from '@stablecoin/service-host/operations/operations.module';
import { Readiness } from '@stablecoin/service-host/operations/readiness';
import { LargeJsonBodies } from '../src/documents/large-json-bodies';
import { GatewayConfiguration } from '../src/gateway.configuration';
import { GatewayModule } from '../src/gateway.module';
import { createAdapter } from '../src/http/adapter';
import { serve } from '../src/serve';

export interface RunningGateway {
  origin: string;
  configuration: GatewayConfiguration;
  readiness: Readiness;
  /** Resolves when the gateway has taken what was published before. */
  busFlush(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole gateway on a free port, put together as its process does it. */
export async function startGateway(natsUrl: string, settings: Partial<GatewayConfiguration>): Promise<RunningGateway> {
  const defaults = {
    host: '127.0.0.1',
    port: 0,
    natsUrl,
    requestsInFlightMax: 512,
    merchantRequestsInFlightMax: 512,
    unauthenticatedRateLimitPerSecond: 1_000,
    unauthenticatedRateLimitBurst: 1_000,
    connectionsPerAddressMax: 10_000,
    trustedProxies: [],
  };
  const configuration = Object.assign(new GatewayConfiguration(), defaults, settings);
  const connection = await connectToBus(natsUrl, 'gateway');
  const codec = new SealedCodec(configuration.busKey, configuration.busAcceptedKey);
  const client = new BusClient(connection, codec);
  const server = new BusServer(connection, codec, 'gateway');
  const operations = createOperations();
  operations.readiness.add(busCheck(connection));
  const provided = { provide: GatewayConfiguration, useValue: configuration };
  const root = {
    module: class Root {},
    global: true,
    imports: [
      OperationsModule.of(operations),
      MessagingModule.of({ connection, codec, client, server }),
      GatewayModule,
    ],
    providers: [provided],
    exports: [provided],
  };
  const options: NestApplicationOptions = { logger: false, abortOnError: false, bodyParser: false };
  const app = await NestFactory.create<NestFastifyApplication>(root, createAdapter(), options);
  app.get(LargeJsonBodies).program = join(__dirname, '../../../dist/apps/gateway/src/documents/large-json.worker.js');
  const origin = await serve(app, configuration);
  operations.readiness.serve();
  const { readiness } = operations;
  const stop = () => {
    readiness.drain();
    return app.close();
  };
  return { origin, configuration, readiness, busFlush: () => connection.flush(), stop };
}
