import {
  ConsoleLogger,
  DynamicModule,
  INestApplication,
  INestApplicationContext,
  INestMicroservice,
  Logger,
  LogLevel,
  Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { Bus, KeepRefusals, MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { misspeltVariables } from './misspelt-variables';
import { busCheck, createOperations, Operations, OperationsModule } from './operations/operations.module';
import { ReadinessCheck } from './operations/readiness';
import { ServiceConfiguration } from './service-configuration';
import { ConfigurationError, loadConfiguration } from './setting';

/**
 * How a process lives: configuration is checked → the operations server listens → the bus is connected → Nest starts →
 * `ready` is told to whoever started it → signals end it in order: not ready, then drained, the operations server last.
 * A process that can't start says why in one line and exits 1.
 */
export interface ServiceDefinition<Config extends ServiceConfiguration> {
  name: string;
  configuration: new () => Config;
  module: Type;
  /** What must hold, beside the bus, before the process is ready: its database, for one. */
  checks?: (app: INestApplicationContext) => ReadinessCheck[];
}

const STOP_MS = 15_000;
const LEVELS: LogLevel[] = ['error', 'warn', 'log', 'debug', 'verbose'];

/** A service that is spoken to over the bus only. */
export async function bootService<Config extends ServiceConfiguration>(definition: ServiceDefinition<Config>) {
  await booting(definition.name, async () => {
    const { root, bus, logger, operations, operationsUrl } = await prepare(definition);
    const app = await NestFactory.createMicroservice(root, { strategy: bus.server, logger, abortOnError: false });
    app.useGlobalFilters(new KeepRefusals());
    operations.readiness.add(...(definition.checks?.(app) ?? []));
    stopOnSignals(definition.name, app, operations);
    await app.listen();
    operations.readiness.serve();
    return { operations_url: operationsUrl };
  });
}

/** A service that is spoken to over HTTP; `serve` sets the application up and listens, giving its base URL. */
export async function bootHttpService<Config extends ServiceConfiguration>(
  definition: ServiceDefinition<Config> & {
    adapter: () => FastifyAdapter;
    serve: (app: NestFastifyApplication, configuration: Config) => Promise<string>;
  },
) {
  await booting(definition.name, async () => {
    const { root, logger, configuration, operations, operationsUrl } = await prepare(definition);
    const app = await NestFactory.create<NestFastifyApplication>(root, definition.adapter(), {
      logger,
      abortOnError: false,
      bodyParser: false,
    });
    operations.readiness.add(...(definition.checks?.(app) ?? []));
    stopOnSignals(definition.name, app, operations);
    const url = await definition.serve(app, configuration);
    operations.readiness.serve();
    return { url, operations_url: operationsUrl };
  });
}

async function prepare<Config extends ServiceConfiguration>(definition: ServiceDefinition<Config>) {
  const configuration = loadConfiguration(definition.configuration, process.env);
  const logger = new ConsoleLogger({
    json: configuration.logFormat === 'json',
    colors: false,
    prefix: definition.name,
    logLevels: LEVELS.slice(0, LEVELS.indexOf(configuration.logLevel) + 1),
  });
  Logger.overrideLogger(logger);
  for (const { name, meant } of misspeltVariables(definition.configuration, process.env)) {
    logger.warn(`${name} is no setting of this service: was ${meant} meant?`);
  }
  const operations = createOperations();
  const operationsUrl = await listenForOperators(operations, configuration);
  const connection = await connectToBus(configuration.natsUrl, definition.name);
  const codec = new SealedCodec(configuration.busKey);
  const bus: Bus = {
    connection,
    codec,
    client: new BusClient(connection, codec),
    server: new BusServer(connection, codec, definition.name),
  };
  operations.readiness.add(busCheck(connection));
  const provided = { provide: definition.configuration, useValue: configuration };
  const root: DynamicModule = {
    module: class Root {},
    global: true,
    imports: [OperationsModule.of(operations), MessagingModule.of(bus), definition.module],
    providers: [provided],
    exports: [provided],
  };
  return { configuration, logger, bus, root, operations, operationsUrl };
}

async function listenForOperators(
  { server }: Operations,
  { operationsHost, operationsPort }: ServiceConfiguration,
): Promise<string | undefined> {
  return operationsPort === null ? undefined : server.listen(operationsHost, operationsPort);
}

async function booting(
  name: string,
  start: () => Promise<{ url?: string; operations_url: string | undefined }>,
): Promise<void> {
  try {
    const facts = await start();
    process.send?.({ type: 'ready', ...facts });
  } catch (error) {
    const why = error instanceof ConfigurationError ? error.message : (error as Error).stack;
    process.stderr.write(`${name} could not start: ${why}\n`);
    process.exit(1);
  }
}

/**
 * SIGTERM, and a launcher that is gone, end the process after what is under way; so does Ctrl-C, unless a launcher
 * will stop the services in its own order.
 */
function stopOnSignals(name: string, app: INestApplication | INestMicroservice, operations: Operations): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    operations.readiness.drain();
    setTimeout(() => {
      process.stderr.write(`${name} did not stop within ${STOP_MS / 1000} s: ending it\n`);
      process.exit(1);
    }, STOP_MS).unref();
    await app.close();
    await operations.server.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void (process.send ? undefined : stop()));
  process.on('disconnect', () => void stop());
}
