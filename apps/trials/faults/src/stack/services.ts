import { SERVICES, type ServiceName } from '@stablecoin/local-stack/environment';
import type { ServiceProcess } from '@stablecoin/local-stack/service-process';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import { steadyPort, type Instance, KeptServices, type UnaskedEnd } from '@stablecoin/testing/trial/kept-services';
import type { FaultStack, ServerName } from './fault-stack';
import type { Servers } from './servers';

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
    private readonly all: KeptServices,
    readonly links: readonly Link[],
  ) {}

  static async start(stack: FaultStack, servers: Servers): Promise<Services> {
    const links: Link[] = [];
    try {
      const port = await steadyPort();
      const instances: Instance[] = [];
      for (const service of SERVICES) {
        const env = await throughProxies(service, stack.services[service], servers, links);
        if (service === 'gateway') env['PORT'] = String(port);
        instances.push({ service, name: service, env });
      }
      const all = await KeptServices.start(instances, stack.logs);
      return new Services(`http://127.0.0.1:${port}/api`, all, links);
    } catch (error) {
      await closeAll(links);
      throw error;
    }
  }

  get unaskedEnds(): readonly UnaskedEnd[] {
    return this.all.unaskedEnds;
  }

  /** The process that runs now, or ran last. */
  processOf(service: ServiceName): ServiceProcess {
    return this.all.processOf(service);
  }

  async stop(): Promise<void> {
    await this.all.stop();
    await closeAll(this.links);
  }
}

async function closeAll(links: readonly Link[]): Promise<void> {
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
