/** Processes of services on the databases and the broker of a stack, as many instances of each as a spec wants. */
import { ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestStack } from '@stablecoin/testing/stack';
import { ROOT } from './merchants';

export const SERVICES = ['customer', 'wallet-ledger', 'swap-pricing', 'payout', 'gateway'] as const;
export type Service = (typeof SERVICES)[number];

/** However it is asked, and whatever is away: a process ends within this. */
export const ENDS_WITHIN_MS = 15_000;
const READY_WITHIN_MS = 60_000;

export interface Ended {
  code: number | null;
  ms: number;
}

export class ServiceInstance {
  private child: ChildProcess | undefined;
  private output = '';
  /** Of a gateway. */
  origin: string | undefined;

  constructor(
    readonly service: Service,
    private readonly stack: TestStack,
    private readonly settings: NodeJS.ProcessEnv = {},
  ) {}

  /** Begins to start; `started` tells when it serves. */
  launch(): void {
    // The stack tells nobody the key that signs for the ledger, but its own ledger.
    const { CHECKPOINT_SIGNING_KEY } = this.read<Record<string, string>>('secrets.json');
    const main = join(ROOT, `dist/apps/${this.service}/src/main.js`);
    const own = { PATH: process.env['PATH'], LOG_LEVEL: 'warn', LOG_FORMAT: 'text', CHECKPOINT_SIGNING_KEY };
    const local = { PORT: '0', RATE_LIMIT_PER_SECOND: '20000', RATE_LIMIT_BURST: '20000', SANDBOX_SETTLE_MS: '300' };
    const child = spawn(process.execPath, [main], {
      cwd: ROOT,
      env: { ...own, ...local, ...this.environment(), ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => (this.output = (this.output + bytes.toString()).slice(-4_000)));
    }
    this.child = child;
  }

  async start(): Promise<void> {
    this.launch();
    const { child } = this;
    const ready = new Promise<{ url?: string }>((serving, fail) => {
      child?.on('message', (message) => serving(message as { url?: string }));
      child?.once('exit', (code) => fail(new Error(`${this.service} ended with ${code}: ${this.output}`)));
    });
    const late = delay(READY_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${this.service} was not ready in time: ${this.output}`);
    });
    this.origin = (await Promise.race([ready, late])).url;
  }

  /** As whoever deploys it does; `signals` is how often. */
  async terminate(signals = 1): Promise<Ended> {
    const { child } = this;
    if (!child || child.exitCode !== null) return { code: child?.exitCode ?? null, ms: 0 };
    const startedAt = performance.now();
    const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
    for (let sent = 0; sent < signals; sent += 1) {
      child.kill('SIGTERM');
      await delay(20);
    }
    const killing = setTimeout(() => child.kill('SIGKILL'), 2 * ENDS_WITHIN_MS);
    const code = await exited;
    clearTimeout(killing);
    return { code, ms: performance.now() - startedAt };
  }

  setting(name: string): string | undefined {
    return this.environment()[name];
  }

  private environment(): Record<string, string> {
    return this.read<{ environment: Record<string, string> }>('stack.json').environment;
  }

  private read<Content>(file: string): Content {
    return JSON.parse(readFileSync(join(this.stack.data_dir, file), 'utf8')) as Content;
  }
}
