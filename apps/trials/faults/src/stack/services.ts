import { join } from 'node:path';
import { SERVICES, type ServiceName, type StackServiceName } from '@stablecoin/local-stack/environment';
import { bundledMain, nodeCommand } from '@stablecoin/local-stack/service-process';
import { STOP_ORDER } from '@stablecoin/local-stack/services';
import { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import getPort, { portNumbers } from 'get-port';
import type { FaultStack, ServerName } from './fault-stack';
import type { Servers } from './servers';

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
/** Below the ports that the system gives to outgoing connections: a restarted gateway must find its own free. */
const PORTS = { lowest: 20_000, highest: 29_999 };
/** As a container's runtime restarts what died: soon, and later each time unless it ran for a while. */
const RESTART = {
  pausesMs: [100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000],
  steadyAfterMs: 10_000,
  beforeFirstReady: true,
};

/** A way from one service to one server, through a proxy of its own. */
export interface Link {
  service: ServiceName;
  server: ServerName;
  proxy: TcpProxy;
}

/** A process that ended though neither a fault nor the trial ended it. */
export interface UnaskedEnd {
  service: ServiceName;
  reason: string;
  /** It had said that it serves. One that hadn't found no database, say, and is only tried again. */
  afterReady: boolean;
}

type AllServices = ReadonlyMap<StackServiceName, SupervisedService>;

/** The five services, each behind proxies of its own, and started again whenever it ended. */
export class Services {
  private constructor(
    readonly baseUrl: string,
    private readonly all: AllServices,
    readonly links: readonly Link[],
    readonly unaskedEnds: readonly UnaskedEnd[],
  ) {}

  static async start(stack: FaultStack, servers: Servers): Promise<Services> {
    const links: Link[] = [];
    const unaskedEnds: UnaskedEnd[] = [];
    const all = new Map<ServiceName, SupervisedService>();
    try {
      const port = await gatewayPort();
      for (const service of SERVICES) {
        const env = await throughProxies(service, stack.services[service], servers, links);
        if (service === 'gateway') env['PORT'] = String(port);
        all.set(service, superviseService(service, env, stack.logs, unaskedEnds));
      }
      await Promise.all([...all.values()].map((service) => service.untilFirstReady(READY_TIMEOUT_MS)));
      return new Services(`http://127.0.0.1:${port}/api`, all, links, unaskedEnds);
    } catch (error) {
      await stopAll(all, links);
      throw error;
    }
  }

  /** The process that runs now, or ran last. */
  processOf(service: ServiceName): SupervisedService['process'] {
    const supervised = this.all.get(service);
    if (!supervised) throw new Error(`${service} was never started`);
    return supervised.process;
  }

  stop(): Promise<void> {
    return stopAll(this.all, this.links);
  }
}

function superviseService(
  service: ServiceName,
  env: NodeJS.ProcessEnv,
  logs: string,
  unaskedEnds: UnaskedEnd[],
): SupervisedService {
  const log = join(logs, `${service}.log`);
  return new SupervisedService({
    // Of a process group of its own: Ctrl-C reaches the trial, which ends the services in order.
    launch: () => ({
      title: service,
      command: nodeCommand(bundledMain(service)),
      env,
      output: { log },
      detached: true,
    }),
    restart: RESTART,
    onUnexpectedExit: ({ reason, afterReady, killed }) => {
      if (!killed) unaskedEnds.push({ service, reason, afterReady });
    },
  });
}

async function stopAll(all: AllServices, links: readonly Link[]): Promise<void> {
  for (const group of STOP_ORDER) {
    const started = group.flatMap((service) => all.get(service) ?? []);
    await Promise.all(started.map((service) => service.stop({ timeoutMs: STOP_TIMEOUT_MS })));
  }
  await Promise.all(links.map(({ proxy }) => proxy.close()));
}

/** The service's environment with its servers' addresses replaced by those of proxies. */
async function throughProxies(
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
  servers: Servers,
  links: Link[],
): Promise<NodeJS.ProcessEnv> {
  const changed = { ...environment };
  for (const [variable, value = ''] of Object.entries(environment)) {
    const server = serverBehind(variable);
    if (!server) continue;
    const proxy = await TcpProxy.listen(() => servers.of(server).port);
    links.push({ service, server, proxy });
    const url = new URL(value);
    url.port = String(proxy.port);
    changed[variable] = url.href;
  }
  return changed;
}

function serverBehind(variable: string): ServerName | undefined {
  if (variable === 'NATS_URL') return 'nats';
  return variable.endsWith('_DATABASE_URL') ? 'postgres' : undefined;
}

/** Another one for trials side by side. */
function gatewayPort(): Promise<number> {
  const first = PORTS.lowest + (process.pid % (PORTS.highest - PORTS.lowest));
  return getPort({ host: '127.0.0.1', port: portNumbers(first, PORTS.highest) });
}
