// The services as processes of either version: one instance each, and two while one replaces the other. The new one is
// started first, and the old one is asked to end only when the new one is ready. An instance that ends unasked, or with
// another exit code than 0, is a finding.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, STOP_ORDER, type ServiceName, type StackServiceName } from '@stablecoin/local-stack/services';
import { Finding } from './finding';
import { ServiceInstance, type Version } from './service-instance';
import type { Site } from './site';

/** The time that a load balancer takes to notice if it looks every few seconds. */
const TAKEN_OUT_MS = 2_000;
const ERROR = /"level":\s*(?:[56]0|"(?:error|fatal)")/;
/** A log line without ids and numbers, which differ from one line to the next. */
const wordsOf = (line: string) => line.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '');

export interface LoggedError {
  log: string;
  line: string;
}

export class Fleet {
  /** The running instances, oldest first. */
  private instances: ServiceInstance[] = [];
  private readonly takenOut = new Set<ServiceInstance>();
  private started = 0;

  constructor(private readonly site: Pick<Site, 'environmentOf' | 'paths'>) {}

  /** Starts all at once, like npm start: there is no load yet. */
  async startAll(version: Version): Promise<void> {
    await allOf(SERVICES.map((service) => this.start(service, version)));
  }

  /** Replaces the services one after the other. */
  async replaceAll(version: Version): Promise<void> {
    for (const service of SERVICES) await this.replace(service, version);
  }

  async replace(service: ServiceName, version: Version): Promise<void> {
    const former = this.instancesOf(service);
    await this.start(service, version);
    await allOf(former.map((instance) => this.end(instance)));
  }

  /** The addresses of the gateways to which a load balancer may send requests. */
  origins(): string[] {
    return this.instancesOf('gateway').flatMap((gateway) => {
      const { url } = gateway.addresses;
      return url === undefined || this.takenOut.has(gateway) ? [] : [url.replace(/\/(api)?\/?$/, '')];
    });
  }

  /** Throws a finding if an instance that should be running is not. */
  requireRunning(): void {
    for (const instance of this.instances) instance.requireRunning();
  }

  async stopAll(): Promise<void> {
    for (const group of STOP_ORDER)
      await allOf(group.flatMap((service) => this.instancesOf(service)).map((instance) => this.end(instance)));
  }

  /** Kills all instances, in any state. */
  kill(): void {
    for (const instance of this.instances) instance.kill();
  }

  /** The errors that the instances logged, each kind once per instance. */
  errors(): LoggedError[] {
    const logs = readdirSync(this.site.paths.logs).filter((name) =>
      SERVICES.some((service) => name.startsWith(`${service}-`)),
    );
    return logs.flatMap((log) => {
      const lines = readFileSync(join(this.site.paths.logs, log), 'utf8')
        .split('\n')
        .filter((line) => ERROR.test(line));
      return [...new Map(lines.map((line) => [wordsOf(line), { log, line }])).values()];
    });
  }

  private instancesOf(service: StackServiceName): ServiceInstance[] {
    return this.instances.filter((instance) => instance.service === service);
  }

  private async start(service: ServiceName, version: Version): Promise<void> {
    this.started += 1;
    const { paths } = this.site;
    const log = join(paths.logs, `${service}-${this.started}-${version.name}.log`);
    const env = this.site.environmentOf(service, version.root);
    const instance = new ServiceInstance({ service, version, log, env, dataDir: paths.dataDir });
    this.instances.push(instance);
    await instance.untilReady();
  }

  private async end(instance: ServiceInstance): Promise<void> {
    if (instance.service === 'gateway' && !instance.version.drains) await this.takeOut(instance);
    await instance.end();
    this.instances = this.instances.filter((other) => other !== instance);
  }

  /** For a gateway that does not announce its end: its operator takes it out of the balancer first. */
  private async takeOut(gateway: ServiceInstance): Promise<void> {
    this.takenOut.add(gateway);
    await sleep(TAKEN_OUT_MS);
  }
}

/** Waits for all, also when one of them fails. */
async function allOf(works: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason instanceof Error ? failed.reason : new Finding('unknown');
}
