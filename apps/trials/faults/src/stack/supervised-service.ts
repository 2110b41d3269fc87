import { ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceName } from './fault-stack';

export const ROOT = resolve(__dirname, '../../../../..');

/** As a container's runtime restarts what died: soon, and later each time unless it ran for a while. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
const STEADY_AFTER_MS = 10_000;
const STOP_TIMEOUT_MS = 20_000;

/** A process that ended though nobody ended it. */
export interface UnaskedEnd {
  service: ServiceName;
  reason: string;
  /** It had said that it serves. One that hadn't found no database, say, and is only tried again. */
  afterReady: boolean;
}

/** One service, started again whenever it ended, until `stop`. */
export class SupervisedService {
  readonly unaskedEnds: UnaskedEnd[] = [];
  restarts = 0;
  private child: ChildProcess | undefined;
  private ready = false;
  private killed = false;
  private stopping = false;
  private startedAt = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;
  private announce: (url: string | undefined) => void = () => undefined;
  /** Its URL, if it has one, once it has served for the first time. */
  readonly firstReady = new Promise<string | undefined>((announce) => (this.announce = announce));

  constructor(
    readonly name: ServiceName,
    private readonly environment: Record<string, string>,
    private readonly logs: string,
  ) {
    this.launch();
  }

  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  isReady(): boolean {
    return this.ready && this.pid !== undefined;
  }

  /** @returns whether there was a process to send it to */
  send(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
    const { pid } = this;
    if (pid === undefined) return false;
    if (signal === 'SIGKILL') this.killed = true;
    process.kill(pid, signal);
    return true;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const { child } = this;
    if (!child || this.pid === undefined) return;
    const ended = new Promise((done) => child.once('exit', done));
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  }

  private launch(): void {
    this.startedAt = Date.now();
    this.ready = false;
    this.killed = false;
    const output = openSync(join(this.logs, `${this.name}.log`), 'a', 0o600);
    const main = join(ROOT, 'dist', 'apps', this.name, 'src', 'main.js');
    const child = spawn(process.execPath, ['--enable-source-maps', main], {
      cwd: ROOT,
      env: this.environment,
      // Of their own process group: Ctrl-C reaches the harness, which ends them in order.
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.child = child;
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type !== 'ready') return;
      this.ready = true;
      this.announce(message.url);
    });
    child.once('error', (error) => this.ended(error.message));
    child.once('exit', (code, signal) => this.ended(signal ?? `code ${code}`));
  }

  private ended(reason: string): void {
    if (this.stopping) return;
    if (!this.killed) this.unaskedEnds.push({ service: this.name, reason, afterReady: this.ready });
    this.restarts += 1;
    if (Date.now() - this.startedAt >= STEADY_AFTER_MS) this.pauseMs = FIRST_PAUSE_MS;
    this.timer = setTimeout(() => this.launch(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, MAX_PAUSE_MS);
  }
}
