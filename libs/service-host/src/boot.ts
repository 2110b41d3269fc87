import { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { Announcements } from '@stablecoin/messaging/announcements';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { CallerCheck, CallerRules } from '@stablecoin/messaging/caller-check';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { Bus, MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { booting, configured, openOperations, ProgramDefinition, required } from './boot-program';
import { InstanceSigns } from './operations/instance-signs';
import { busCheck, Operations, OperationsModule } from './operations/operations.module';
import { Readiness, ReadinessCheck } from './operations/readiness';
import { ServiceConfiguration } from './service-configuration';
import { startTracing } from './start-tracing';

/** A process (boot-program.ts) in which, once its operations server listens, the bus is connected and Nest starts. */
export interface ServiceDefinition<Config extends ServiceConfiguration> extends ProgramDefinition<Config> {
  module: Type;
  /** What must hold, beside the bus, before the process is ready, for example that its database answers. */
  checks?: (app: INestApplicationContext) => ReadinessCheck[];
  /** Requests that run at the same time, not counting those of shards; unlimited by default. */
  atOnce?: (configuration: Config) => number;
  /** The secret by which the ledger knows this service's commands. */
  commandKey?: (configuration: Config) => Buffer;
  /** Who may ask for the operations that name their callers. */
  callers?: (configuration: Config) => CallerRules;
}

/** A service that other processes reach over the bus only. */
export async function bootService<Config extends ServiceConfiguration>(definition: ServiceDefinition<Config>) {
  await booting(definition, async (operations, stopping) => {
    const { root, bus, logger, operationsUrl, stopTracing } = await prepare(definition, operations);
    const app = await NestFactory.createMicroservice(root, { strategy: bus.server, logger, abortOnError: false });
    operations.readiness.add(...(definition.checks?.(app) ?? []));
    // No lead: no load balancer follows its readiness, and it unsubscribes at the broker when it takes no more
    // requests.
    stopping.closes({ close: () => app.close().then(stopTracing), leadMs: 0 });
    await app.listen();
    operations.readiness.serve();
    return { operations_url: operationsUrl };
  });
}

/** A service with an HTTP API; `serve` sets the application up, listens and returns its base URL. */
export async function bootHttpService<Config extends ServiceConfiguration & { drainLeadMs: number }>(
  definition: ServiceDefinition<Config> & {
    adapter: () => FastifyAdapter;
    serve: (app: NestFastifyApplication, configuration: Config) => Promise<string>;
  },
) {
  await booting(definition, async (operations, stopping) => {
    const { root, logger, configuration, operationsUrl, stopTracing } = await prepare(definition, operations);
    const app = await NestFactory.create<NestFastifyApplication>(root, definition.adapter(), {
      logger,
      abortOnError: false,
      bodyParser: false,
    });
    operations.readiness.add(...(definition.checks?.(app) ?? []));
    stopping.closes({ close: () => app.close().then(stopTracing), leadMs: configuration.drainLeadMs });
    const url = await definition.serve(app, configuration);
    operations.readiness.serve();
    return { url, operations_url: operationsUrl };
  });
}

async function prepare<Config extends ServiceConfiguration>(
  definition: ServiceDefinition<Config>,
  operations: Operations,
) {
  const { configuration, logger } = configured(definition);
  const stopTracing = await startTracing(definition.name, configuration);
  const operationsUrl = await openOperations(operations, configuration);
  await required(definition, configuration);
  const connection = await connectToBus(configuration.natsUrl, definition.name, true, configuration.natsCaFile);
  const codec = new SealedCodec(configuration.busKey, configuration.busAcceptedKey);
  const commandKey = definition.commandKey?.(configuration);
  const callers = definition.callers?.(configuration);
  const secret = commandKey && new CallerSecret(definition.name, commandKey);
  const bus: Bus = {
    connection,
    codec,
    secret,
    client: new BusClient(connection, codec, secret),
    server: new BusServer(connection, codec, definition.name, {
      atOnce: definition.atOnce?.(configuration) ?? Infinity,
      callers: callers && new CallerCheck(callers),
    }),
    inboxRetentionDays: configuration.inboxRetentionDays,
  };
  operations.readiness.add(busCheck(connection));
  const provided = { provide: definition.configuration, useValue: configuration };
  const signs = {
    provide: InstanceSigns,
    inject: [Readiness, Announcements],
    useFactory: (readiness: Readiness, announcements: Announcements) =>
      new InstanceSigns(definition.name, readiness, announcements),
  };
  const root: DynamicModule = {
    module: class Root {},
    global: true,
    imports: [OperationsModule.of(operations), MessagingModule.of(bus), definition.module],
    providers: [provided, signs],
    exports: [provided],
  };
  return { configuration, logger, bus, root, operationsUrl, stopTracing };
}
