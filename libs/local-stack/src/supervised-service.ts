// Restarts a service that ends without `stop`, after a growing, bounded pause, so never in a tight loop.

import { ServiceProcess, type ServiceAddresses, type ServiceExit, type ServiceProcessOptions } from './service-process';

export interface RestartPolicy {
  /** The pause before the first restart, the second, …; the last pause applies to all later restarts. */
  pausesMs: readonly number[];
  /** A process that ran for this long is followed by the first pause again. */
  steadyAfterMs: number;
  /** Restarts it also while it has never served. Otherwise an end before that is final, and `firstReady` rejects. */
  beforeFirstReady: boolean;
}

export interface SupervisionOptions {
  /** Makes a process from the addresses of the former one, so that it serves at the same. */
  launch: (former: ServiceAddresses) => ServiceProcessOptions;
  restart: RestartPolicy;
  onRestarted?: (process: ServiceProcess) => void;
  /** `pauseMs` is the time until it is started again. */
  onUnexpectedExit?: (exit: ServiceExit, pauseMs: number) => void;
}

export class SupervisedService {
  restarts = 0;
  /** Where it serves, once it has served for the first time. */
  readonly firstReady: Promise<ServiceAddresses>;
  private current: ServiceProcess;
  private addresses: ServiceAddresses = {};
  private failures = 0;
  private everReady = false;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private announce: (addresses: ServiceAddresses) => void = () => undefined;
  private giveUp: (error: unknown) => void = () => undefined;

  constructor(private readonly options: SupervisionOptions) {
    this.firstReady = new Promise((resolve, reject) => {
      this.announce = resolve;
      this.giveUp = reject;
    });
    this.firstReady.catch(() => undefined); // Only the first failure of several services is reported.
    this.current = this.launch();
  }

  /** The process that runs now, or ran last. */
  get process(): ServiceProcess {
    return this.current;
  }

  /** The addresses at which it serves, or served until it ended. */
  get servedAt(): ServiceAddresses {
    return this.addresses;
  }

  /** Waits for `firstReady`, at most this long. */
  async untilFirstReady(timeoutMs: number): Promise<ServiceAddresses> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.current.notReadyWithin(timeoutMs)), timeoutMs);
    });
    try {
      return await Promise.race([this.firstReady, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(how?: Parameters<ServiceProcess['stop']>[0]): ReturnType<ServiceProcess['stop']> {
    this.stopping = true;
    clearTimeout(this.timer);
    return this.current.stop(how);
  }

  /** Starts a new process at the same addresses, after `stop`. Resolves when it serves. */
  async startAgain(timeoutMs: number): Promise<ServiceAddresses> {
    this.stopping = false;
    this.failures = 0;
    this.current = this.launch();
    return this.current.untilReady(timeoutMs);
  }

  private launch(): ServiceProcess {
    const process = new ServiceProcess(this.options.launch(this.addresses));
    // Its readiness has no deadline here: the caller that waits for `firstReady` sets one.
    void process.serving.then((addresses) => this.onReady(process, addresses));
    process.onUnexpectedExit((exit) => this.onExit(process, exit));
    return process;
  }

  private onReady(process: ServiceProcess, addresses: ServiceAddresses): void {
    this.addresses = { ...this.addresses, ...known(addresses) };
    if (this.everReady) this.options.onRestarted?.(process);
    this.everReady = true;
    this.announce(this.addresses);
  }

  private onExit(process: ServiceProcess, exit: ServiceExit): void {
    if (this.stopping) return;
    const { restart } = this.options;
    if (!this.everReady && !restart.beforeFirstReady) {
      this.giveUp(process.endedWhileStarting(exit));
      return;
    }
    if (Date.now() - process.startedAt >= restart.steadyAfterMs) this.failures = 0;
    const pauseMs = restart.pausesMs[Math.min(this.failures, restart.pausesMs.length - 1)] ?? 0;
    this.failures += 1;
    this.restarts += 1;
    this.options.onUnexpectedExit?.(exit, pauseMs);
    this.timer = setTimeout(() => (this.current = this.launch()), pauseMs);
  }
}

const known = (addresses: ServiceAddresses): ServiceAddresses =>
  Object.fromEntries(Object.entries(addresses).filter(([, url]) => url !== undefined));
