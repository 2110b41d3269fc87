import { createServer } from 'node:net';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { FaultStack, ServerName, ServiceName, SERVICES } from './fault-stack';
import { Servers } from './servers';
import { SupervisedService } from './supervised-service';

const READY_TIMEOUT_MS = 90_000;
/** Below the ports that the system gives to outgoing connections: a restarted gateway must find its own free. */
const LOWEST_PORT = 20_000;
const PORTS = 10_000;
const STOP_ORDER: readonly (readonly ServiceName[])[] = [
  ['gateway'],
  ['payout', 'swap-pricing', 'customer'],
  ['wallet-ledger'],
];

/** A way from one service to one server, through a proxy of its own. */
export interface Link {
  service: ServiceName;
  server: ServerName;
  proxy: TcpProxy;
}

/** The five services, each behind proxies of its own. */
export class Services {
  private constructor(
    readonly baseUrl: string,
    readonly all: ReadonlyMap<ServiceName, SupervisedService>,
    readonly links: readonly Link[],
  ) {}

  static async start(stack: FaultStack, servers: Servers): Promise<Services> {
    const links: Link[] = [];
    const services = new Map<ServiceName, SupervisedService>();
    try {
      const port = await freePort();
      for (const name of SERVICES) {
        const environment = await throughProxies(name, stack.services[name], servers, links);
        if (name === 'gateway') environment['PORT'] = String(port);
        services.set(name, new SupervisedService(name, environment, stack.logs));
      }
      const ready = Promise.all([...services.values()].map(({ firstReady }) => firstReady));
      await within(READY_TIMEOUT_MS, 'the services to be ready', ready);
      return new Services(`http://127.0.0.1:${port}/api`, services, links);
    } catch (error) {
      await stopAll(services, links);
      throw error;
    }
  }

  get(name: ServiceName): SupervisedService {
    return this.all.get(name) as SupervisedService;
  }

  stop(): Promise<void> {
    return stopAll(this.all, this.links);
  }
}

async function stopAll(services: ReadonlyMap<ServiceName, SupervisedService>, links: readonly Link[]): Promise<void> {
  for (const group of STOP_ORDER) await Promise.all(group.map((name) => services.get(name)?.stop()));
  await Promise.all(links.map(({ proxy }) => proxy.close()));
}

/** The service's environment with its servers' addresses replaced by those of proxies. */
async function throughProxies(
  service: ServiceName,
  environment: Record<string, string>,
  servers: Servers,
  links: Link[],
): Promise<Record<string, string>> {
  const changed = { ...environment };
  for (const [variable, value] of Object.entries(environment)) {
    const server = variable === 'NATS_URL' ? 'nats' : variable.endsWith('_DATABASE_URL') ? 'postgres' : undefined;
    if (!server) continue;
    const proxy = await TcpProxy.listen(() => servers.of(server).port);
    links.push({ service, server, proxy });
    const url = new URL(value);
    url.port = String(proxy.port);
    changed[variable] = url.href;
  }
  return changed;
}

async function freePort(): Promise<number> {
  for (let offset = process.pid % PORTS; ; offset = (offset + 1) % PORTS) {
    if (await isFree(LOWEST_PORT + offset)) return LOWEST_PORT + offset;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((known) => {
    const server = createServer();
    server.once('error', () => known(false));
    server.listen(port, '127.0.0.1', () => server.close(() => known(true)));
  });
}

async function within<Result>(timeoutMs: number, awaited: string, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`Not within ${timeoutMs / 1_000} s: ${awaited}.`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
