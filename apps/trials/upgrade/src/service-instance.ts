import { existsSync } from 'node:fs';
import { lastLines } from '@stablecoin/local-stack/log-files';
import { stackArgument, waitUntil } from '@stablecoin/local-stack/processes';
import {
  bundledMain,
  compiledMain,
  nodeCommand,
  ServiceProcess,
  type ServiceAddresses,
} from '@stablecoin/local-stack/service-process';
import type { ServiceName } from '@stablecoin/local-stack/services';
import { asFinding, Finding } from './finding';

const READY_TIMEOUT_MS = 60_000;
const READY_REQUEST_TIMEOUT_MS = 2_000;
const STOP_TIMEOUT_MS = 30_000;

/** A version of the project, built. */
export interface Version {
  name: string;
  root: string;
  /** Whether its gateways announce their end. */
  drains: boolean;
}

export interface ServiceInstanceOptions {
  service: ServiceName;
  version: Version;
  log: string;
  env: NodeJS.ProcessEnv;
  dataDir: string;
}

/** One process of a service in one version. Its faults are Findings. */
export class ServiceInstance {
  readonly service: ServiceName;
  readonly version: Version;
  private readonly title: string;
  private readonly log: string;
  private readonly process: ServiceProcess;

  constructor({ service, version, log, env, dataDir }: ServiceInstanceOptions) {
    this.service = service;
    this.version = version;
    this.log = log;
    this.title = `${service} of ${version.name}`;
    this.process = new ServiceProcess({
      title: this.title,
      command: nodeCommand(mainOf(service, version), stackArgument(dataDir)),
      cwd: version.root,
      env,
      output: { log },
      detached: true,
    });
  }

  get addresses(): ServiceAddresses {
    return this.process.addresses;
  }

  /** Waits until it reports that it serves and, if it has an operations server, that its dependencies are ready. */
  async untilReady(): Promise<void> {
    await asFinding(this.process.untilReady(READY_TIMEOUT_MS));
    const isReady = await waitUntil(
      async () => this.process.exited !== undefined || (await this.saysReady()),
      READY_TIMEOUT_MS,
    );
    this.requireRunning();
    if (!isReady)
      throw new Finding(`${this.title} was not ready within ${READY_TIMEOUT_MS / 1000} s: ${lastLines(this.log)}`);
  }

  requireRunning(): void {
    const { exited } = this.process;
    if (exited !== undefined)
      throw new Finding(`${this.title} ended by itself with ${exited.reason}: ${lastLines(this.log, 5)}`);
  }

  async end(): Promise<void> {
    this.requireRunning();
    const { willingly, code, reason } = await this.process.stop({ timeoutMs: STOP_TIMEOUT_MS });
    if (!willingly)
      throw new Finding(
        `${this.title} did not end within ${STOP_TIMEOUT_MS / 1000} s of being asked: ${lastLines(this.log)}`,
      );
    if (code !== 0) throw new Finding(`${this.title}, asked to end, ended with ${reason}: ${lastLines(this.log)}`);
  }

  kill(): void {
    this.process.kill();
  }

  private async saysReady(): Promise<boolean> {
    const { operationsUrl } = this.addresses;
    if (operationsUrl === undefined) return true;
    const signal = AbortSignal.timeout(READY_REQUEST_TIMEOUT_MS);
    const answer = await fetch(`${operationsUrl}/ready`, { signal }).catch(() => undefined);
    return answer?.ok === true;
  }
}

/** Versions from before the bundles have none. */
function mainOf(service: ServiceName, { root }: Version): string {
  const bundled = bundledMain(service, root);
  return existsSync(bundled) ? bundled : compiledMain(service, root);
}
