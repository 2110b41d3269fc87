/** The services of a trial, each started again whenever it ended, as a container's runtime does. */
import { join } from 'node:path';
import type { ServiceName } from '@stablecoin/local-stack/environment';
import { bundledMain, nodeCommand, type ServiceProcess } from '@stablecoin/local-stack/service-process';
import { STOP_ORDER } from '@stablecoin/local-stack/services';
import { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import getPort, { portNumbers } from 'get-port';

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
/** Below the ports that the system gives to outgoing connections. */
const PORTS = { lowest: 20_000, highest: 29_999 };
/** Soon, and later each time unless it ran for a while. */
const RESTART = {
  pausesMs: [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000],
  steadyAfterMs: 10_000,
  beforeFirstReady: true,
};

/** One process of a service. */
export interface Instance {
  service: ServiceName;
  /** Its own, where there are several of the service. */
  name: string;
  env: NodeJS.ProcessEnv;
}

/** A process that ended though neither a fault nor the trial ended it. */
export interface UnaskedEnd {
  service: string;
  reason: string;
  /** It had said that it serves. One that hadn't found no database, say, and is only tried again. */
  afterReady: boolean;
}

export class KeptServices {
  private readonly ends: UnaskedEnd[] = [];
  private readonly all: ReadonlyMap<string, { service: ServiceName; supervised: SupervisedService }>;

  private constructor(instances: readonly Instance[], logs: string) {
    this.all = new Map(
      instances.map((instance) => [
        instance.name,
        { service: instance.service, supervised: supervise(instance, logs, this.ends) },
      ]),
    );
  }

  /** Resolves when all of them serve; where one does not, all are stopped again. */
  static async start(instances: readonly Instance[], logs: string): Promise<KeptServices> {
    const services = new KeptServices(instances, logs);
    try {
      await Promise.all(
        [...services.all.values()].map(({ supervised }) => supervised.untilFirstReady(READY_TIMEOUT_MS)),
      );
      return services;
    } catch (error) {
      await services.stop();
      throw error;
    }
  }

  get unaskedEnds(): readonly UnaskedEnd[] {
    return this.ends;
  }

  /** The process that runs now, or ran last. */
  processOf(name: string): ServiceProcess {
    const found = this.all.get(name);
    if (!found) throw new Error(`${name} was never started`);
    return found.supervised.process;
  }

  async stop(): Promise<void> {
    for (const group of STOP_ORDER) {
      const started = [...this.all.values()].filter(({ service }) => group.includes(service));
      await Promise.all(started.map(({ supervised }) => supervised.stop({ timeoutMs: STOP_TIMEOUT_MS })));
    }
  }
}

function supervise({ service, name, env }: Instance, logs: string, ends: UnaskedEnd[]): SupervisedService {
  const log = join(logs, `${name}.log`);
  return new SupervisedService({
    // Of a process group of its own: Ctrl-C reaches the trial, which ends the services in order.
    launch: () => ({
      title: name,
      command: nodeCommand(bundledMain(service)),
      env,
      output: { log },
      detached: true,
    }),
    restart: RESTART,
    onUnexpectedExit: ({ reason, afterReady, killed }) => {
      if (!killed) ends.push({ service: name, reason, afterReady });
    },
  });
}

/** One that what is started again finds free: no outgoing connection takes it meanwhile. Another one for trials side by side. */
export function steadyPort(): Promise<number> {
  const first = PORTS.lowest + (process.pid % (PORTS.highest - PORTS.lowest));
  return getPort({ host: '127.0.0.1', port: portNumbers(first, PORTS.highest) });
}
