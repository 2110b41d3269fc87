// The service processes of a local stack: five, two more where a chain's node is named, and two for people where the
// console's port is. Each writes its output to DATA_DIR/logs/<service>.log; the launcher only reads that file for
// the lines that it shows, so logging costs no copy. It reports and restarts a service that dies.

import { join } from 'node:path';
import { say } from '@stablecoin/command-line/terminal';
import {
  type PerService,
  SERVICES,
  type ServiceEnvironments,
  type ServiceName,
  type StackServiceName,
} from './environment';
import { followLog, rotateLog, type TextOfLine } from './log-files';
import type { DataPaths } from './paths';
import { stackArgument } from './processes';
import { bundledMain, nodeCommand, type ServiceAddresses } from './service-process';
import { SupervisedService } from './supervised-service';

export { SERVICES, type ServiceName, type StackServiceName };
/** The services of one step are stopped at once. */
export const STOP_ORDER: readonly (readonly StackServiceName[])[] = [
  ['gateway', 'backoffice', 'audit-runner'],
  ['payout', 'swap-pricing', 'customer', 'chain'],
  ['wallet-ledger', 'signer'],
];
const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const RESTART = { pausesMs: [500, 1_000, 2_000, 5_000, 10_000], steadyAfterMs: 60_000, beforeFirstReady: false };

export interface RunningServices {
  stop(): Promise<void>;
  /**
   * Ends these in order and starts them again on the same ports; resolves when all of them serve.
   *
   * @param meanwhile is done while none of them runs
   */
  restart(services: readonly StackServiceName[], meanwhile?: () => Promise<unknown>): Promise<void>;
  pids(): Partial<Record<StackServiceName, number>>;
  gatewayUrl(): string | undefined;
  consoleUrl(): string | undefined;
  /** By service, if it has an operations server; with OPERATIONS_PORT=0 each has one. */
  operationsUrls(): PerService<string | undefined>;
}

export interface ServicesRequest {
  paths: DataPaths;
  environments: ServiceEnvironments;
  /** Shows all their log lines, not only warnings and errors. */
  verbose: boolean;
  /** Shows none of their lines: warnings are what is expected of them. */
  isQuiet?: boolean;
  /** Formats a line of their logs; shown unchanged by default. */
  textOf?: TextOfLine;
  /** Flags of Node itself: `--inspect` opens a service for a debugger. */
  nodeFlags?: Partial<Record<StackServiceName, readonly string[]>>;
  /** Its rejection ends the start. */
  interrupted?: Promise<never>;
  /** A service's entry file; the built one by default. */
  mainOf?: (service: StackServiceName) => string;
}

/** Starts all of them at once and waits until each is ready. When one fails, or `interrupted` rejects, all are stopped again. */
export async function startServices(request: ServicesRequest): Promise<RunningServices> {
  const { environments, interrupted, mainOf = bundledMain, nodeFlags = {} } = request;
  const names = Object.keys(environments) as StackServiceName[];
  const services = new Map(
    names.map((service) => {
      const own = { service, env: environments[service] ?? {}, main: mainOf(service), flags: nodeFlags[service] ?? [] };
      return [service, superviseService({ ...request, ...own })];
    }),
  );
  const among = (wanted: readonly StackServiceName[]) =>
    wanted.flatMap((service) => {
      const found = services.get(service);
      return found === undefined ? [] : [found];
    });
  const stop = async () => {
    for (const group of STOP_ORDER) await Promise.all(among(group).map((service) => service.stop()));
  };
  const restart = async (wanted: readonly StackServiceName[], meanwhile?: () => Promise<unknown>) => {
    for (const group of STOP_ORDER)
      await Promise.all(among(group.filter((service) => wanted.includes(service))).map((service) => service.end()));
    await meanwhile?.();
    await Promise.all(among(wanted).map((service) => service.startAgain()));
  };
  const allReady = Promise.all(among(names).map((service) => service.untilReady()));
  try {
    await Promise.race(interrupted === undefined ? [allReady] : [interrupted, allReady]);
  } catch (error) {
    await stop();
    throw error;
  }
  const byService = <Value>(value: (service: SupervisedLocalService) => Value) =>
    Object.fromEntries([...services].map(([name, service]) => [name, value(service)])) as PerService<Value>;
  return {
    stop,
    restart,
    pids: () => byService((service) => service.pid()),
    gatewayUrl: () => services.get('gateway')?.addresses().url,
    consoleUrl: () => services.get('backoffice')?.addresses().url,
    operationsUrls: () => byService((service) => service.addresses().operationsUrl),
  };
}

interface SupervisedLocalService {
  untilReady(): Promise<unknown>;
  end(): Promise<void>;
  /** Starts it again, after `end`. */
  startAgain(): Promise<unknown>;
  /** Ends it for good. */
  stop(): Promise<void>;
  pid(): number | undefined;
  addresses(): ServiceAddresses;
}

interface LocalService extends Pick<ServicesRequest, 'paths' | 'verbose' | 'isQuiet' | 'textOf'> {
  service: StackServiceName;
  env: NodeJS.ProcessEnv;
  main: string;
  flags: readonly string[];
}

function superviseService(request: LocalService): SupervisedLocalService {
  const { service, paths, env, verbose, isQuiet = false, textOf, main, flags } = request;
  const log = join(paths.logs, `${service}.log`);
  rotateLog(log);
  const follower = isQuiet ? undefined : followLog({ title: service, file: log, verbose, textOf });
  const supervised = new SupervisedService({
    launch: (former) => ({
      title: service,
      command: withNodeFlags(flags, nodeCommand(main, stackArgument(paths.dataDir))),
      env: { ...env, ...samePort('PORT', former.url), ...samePort('OPERATIONS_PORT', former.operationsUrl) },
      output: { log },
      detached: true,
    }),
    restart: RESTART,
    onRestarted: ({ pid }) => say(`  ${service} is back (process ${pid ?? 'unknown'})`),
    onUnexpectedExit: ({ reason }, pauseMs) =>
      say(
        `  ${service} ended unexpectedly (${reason}); starting it again in ${pauseMs / 1000} s. Its last words are in ${log}`,
      ),
  });
  const end = async () => {
    const { willingly } = await supervised.stop({ timeoutMs: STOP_TIMEOUT_MS });
    if (!willingly) say(`  ${service} did not end within ${STOP_TIMEOUT_MS / 1000} s of being asked and was killed`);
  };
  return {
    untilReady: () => supervised.untilFirstReady(READY_TIMEOUT_MS),
    end,
    startAgain: () => supervised.startAgain(READY_TIMEOUT_MS),
    stop: async () => {
      await end();
      follower?.stop();
    },
    pid: () => supervised.process.pid,
    addresses: () => supervised.servedAt,
  };
}

const withNodeFlags = (flags: readonly string[], [node = process.execPath, ...rest]: readonly string[]) => [
  node,
  ...flags,
  ...rest,
];

/** A service that is started again keeps its port. */
const samePort = (variable: string, url: string | undefined) =>
  url === undefined ? {} : { [variable]: new URL(url).port };
