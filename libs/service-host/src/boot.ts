import { DynamicModule, INestApplicationContext, Logger, Type } from '@nestjs/common';
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
import { startLogging, withoutSecrets } from './logging/start-logging';
import { CONTENT_TYPE, metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { measureProcess } from '@stablecoin/telemetry/metrics/process-metrics';
import { InstanceSigns } from './operations/instance-signs';
import { busCheck, createOperations, Operations, OperationsModule } from './operations/operations.module';
import { Readiness, ReadinessCheck } from './operations/readiness';
import { ServiceConfiguration } from './service-configuration';
import { ConfigurationError, loadConfiguration } from './setting';
import { startTracing } from './start-tracing';
import { Stopping } from './stopping';

/**
 * How a process lives: configuration is checked → the operations server listens → the bus is connected → Nest starts →
 * the process sends `ready` to its launcher → signals end it in order (stopping.ts), the operations server last. A
 * process that can't start says why in one line and exits 1.
 */
export interface ServiceDefinition<Config extends ServiceConfiguration> {
  name: string;
  configuration: new () => Config;
  module: Type;
  /** Rejects, saying in one line what to change, where the process can never become ready as it is configured. */
  require?: (configuration: Config) => Promise<void>;
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
  const configuration = loadConfiguration(definition.configuration, process.env);
  const logger = startLogging(definition.name, definition.configuration, configuration);
  tellMetrics(operations);
  const stopTracing = await startTracing(definition.name, configuration);
  const operationsUrl = await listenForOperators(operations, configuration);
  await definition.require?.(configuration).catch((error: unknown) => {
    throw new ConfigurationError(error instanceof Error ? error.message : String(error));
  });
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

function tellMetrics({ server }: Operations): void {
  measureProcess();
  server.route('/metrics', async () => ({ status: 200, contentType: CONTENT_TYPE, body: await metricsText() }));
}

async function listenForOperators(
  { server }: Operations,
  { operationsHost, operationsPort }: ServiceConfiguration,
): Promise<string | undefined> {
  return operationsPort === null ? undefined : server.listen(operationsHost, operationsPort);
}

async function booting<Config extends ServiceConfiguration>(
  { name, configuration }: ServiceDefinition<Config>,
  start: (operations: Operations, stopping: Stopping) => Promise<{ url?: string; operations_url: string | undefined }>,
): Promise<void> {
  const operations = createOperations();
  const stopping = new Stopping(name, operations);
  stopping.listen();
  try {
    const facts = await start(operations, stopping);
    new Logger('Process').log({ msg: 'started', node: process.version, ...facts });
    process.send?.({ type: 'ready', ...facts });
  } catch (error) {
    process.stderr.write(`${name} could not start: ${withoutSecrets(error, configuration)}\n`);
    process.exit(1);
  }
}
