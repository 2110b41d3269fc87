/** Processes of services on the databases and the broker of a stack, as many instances of each as a spec wants. */
import { setTimeout as delay } from 'node:timers/promises';
import { commandSettings } from '@stablecoin/local-stack/command-keys';
import { readStack } from '@stablecoin/local-stack/description';
import { dataPaths } from '@stablecoin/local-stack/paths';
import { readSecrets } from '@stablecoin/local-stack/secrets';
import { bundledMain, nodeCommand, ServiceProcess } from '@stablecoin/local-stack/service-process';
import type { ServiceName } from '@stablecoin/local-stack/services';
import type { TestStack } from '@stablecoin/testing/stack';

/** A process ends within this, however it is asked and whatever is away. */
export const ENDS_WITHIN_MS = 15_000;
const READY_WITHIN_MS = 60_000;
const BETWEEN_SIGNALS_MS = 20;
const LOCAL = {
  PORT: '0',
  RATE_LIMIT_PER_SECOND: '20000',
  RATE_LIMIT_BURST: '20000',
  MERCHANT_REQUESTS_UNDER_WAY_MAX: '512',
  SANDBOX_SETTLE_MS: '300',
};

export interface Ended {
  code: number | null;
  ms: number;
}

/** What a further instance of a service needs to work beside the stack's own. */
export function environmentBeside(stack: TestStack): NodeJS.ProcessEnv {
  // A stack gives the key that signs checkpoints only to its own ledger.
  const CHECKPOINT_SIGNING_KEY = readSecrets(dataPaths(stack.data_dir))?.CHECKPOINT_SIGNING_KEY;
  const own = { PATH: process.env['PATH'], LOG_LEVEL: 'warn', LOG_FORMAT: 'text', CHECKPOINT_SIGNING_KEY };
  return { ...own, ...commandLineOf(stack) };
}

/** A stack gives each service its own key. */
export function commandKeysOf(service: ServiceName, stack: TestStack): NodeJS.ProcessEnv {
  const secrets = readSecrets(dataPaths(stack.data_dir));
  return commandSettings(service, (name) => secrets?.[name] ?? '');
}

const commandLineOf = (stack: TestStack) => readStack({ DATA_DIR: stack.data_dir })?.environment;

export class ServiceInstance {
  private process: ServiceProcess | undefined;
  /** Of a gateway. */
  origin: string | undefined;

  constructor(
    readonly service: ServiceName,
    private readonly stack: TestStack,
    private readonly settings: NodeJS.ProcessEnv = {},
  ) {}

  /** Begins to start, without waiting until it serves. */
  launch(): ServiceProcess {
    this.process = new ServiceProcess({
      title: this.service,
      command: nodeCommand(bundledMain(this.service)),
      env: { ...LOCAL, ...environmentBeside(this.stack), ...commandKeysOf(this.service, this.stack), ...this.settings },
      output: 'tail',
    });
    return this.process;
  }

  async start(): Promise<void> {
    this.origin = (await this.launch().untilReady(READY_WITHIN_MS)).url;
  }

  /** As a deployment ends it; `signals` is how often it is asked. */
  async terminate(signals = 1): Promise<Ended> {
    const { process } = this;
    if (process === undefined || process.exited) return { code: process?.exited?.code ?? null, ms: 0 };
    const startedAt = performance.now();
    for (let sent = 1; sent < signals; sent += 1) {
      process.send('SIGTERM');
      await delay(BETWEEN_SIGNALS_MS);
    }
    const { code } = await process.stop({ timeoutMs: 2 * ENDS_WITHIN_MS });
    return { code, ms: performance.now() - startedAt };
  }

  setting(name: string): string | undefined {
    return commandLineOf(this.stack)?.[name];
  }
}
