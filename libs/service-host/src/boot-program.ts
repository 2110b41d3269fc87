import { Logger } from '@nestjs/common';
import { CONTENT_TYPE, metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { measureProcess } from '@stablecoin/telemetry/metrics/process-metrics';
import { LogFormat, LogLevel } from './repeated-settings';
import { startLogging, withoutSecrets } from './logging/start-logging';
import { createOperations, Operations } from './operations/operations.module';
import { ReadinessCheck } from './operations/readiness';
import { ConfigurationError, loadConfiguration } from './setting';
import { Closing, Stopping } from './stopping';

/**
 * How a process lives: configuration is checked → the operations server listens → what it does begins → the process
 * sends `ready` to its launcher → signals end it in order (stopping.ts), the operations server last. A process that
 * can't start says why in one line and exits 1. boot.ts does this for a service, which has the bus as well.
 */
export interface ProgramDefinition<Config extends ProcessSettings> {
  name: string;
  configuration: new () => Config;
  /** Rejects, saying in one line what to change, where the process can never become ready as it is configured. */
  require?: (configuration: Config) => Promise<void>;
}

/** The settings that every process has. */
export interface ProcessSettings {
  logLevel: LogLevel;
  logFormat: LogFormat;
  operationsPort: number | null;
  operationsHost: string;
}

export interface Work {
  /** Finishes or puts back what is under way. */
  close: Closing['close'];
  checks: ReadinessCheck[];
}

/** A process without the bus: nothing reaches it but what it looks for itself. */
export async function bootProgram<Config extends ProcessSettings>(
  definition: ProgramDefinition<Config> & { begin: (configuration: Config) => Work },
): Promise<void> {
  await booting(definition, async (operations, stopping) => {
    const { configuration } = configured(definition);
    const operationsUrl = await openOperations(operations, configuration);
    await required(definition, configuration);
    const { close, checks } = definition.begin(configuration);
    operations.readiness.add(...checks);
    stopping.closes({ close, leadMs: 0 });
    operations.readiness.serve();
    return { operations_url: operationsUrl };
  });
}

/** From its return on all that the process logs is without the secrets of its settings. */
export function configured<Config extends ProcessSettings>({ name, configuration: type }: ProgramDefinition<Config>) {
  const configuration = loadConfiguration(type, process.env);
  return { configuration, logger: startLogging(name, type, configuration) };
}

/** @returns the base URL, where a port is set */
export async function openOperations(
  { server }: Operations,
  { operationsHost, operationsPort }: ProcessSettings,
): Promise<string | undefined> {
  measureProcess();
  server.route('/metrics', async () => ({ status: 200, contentType: CONTENT_TYPE, body: await metricsText() }));
  return operationsPort === null ? undefined : server.listen(operationsHost, operationsPort);
}

export async function required<Config extends ProcessSettings>(
  definition: ProgramDefinition<Config>,
  configuration: Config,
): Promise<void> {
  await definition.require?.(configuration).catch((error: unknown) => {
    throw new ConfigurationError(error instanceof Error ? error.message : String(error));
  });
}

/** @param start what lies between a checked environment and a process that is ready */
export async function booting(
  { name, configuration }: Pick<ProgramDefinition<ProcessSettings>, 'name' | 'configuration'>,
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
