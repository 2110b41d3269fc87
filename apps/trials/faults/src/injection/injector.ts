/** Does to the stack what a fault says, and says when it is over. */
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, ServiceName } from '@stablecoin/local-stack/environment';
import { Drawing } from '@stablecoin/testing/drawing';
import { eventually } from '@stablecoin/testing/eventually';
import { Client as Postgres } from 'pg';
import { Felt, Recoveries } from '@stablecoin/testing/trial/recoveries';
import { FaultStack, ServerName } from '../stack/fault-stack';
import { Servers } from '../stack/servers';
import { Services } from '../stack/services';
import { RequestLog } from '@stablecoin/testing/trial/traffic/request-log';
import { Fault } from './fault-sequence';

const PAUSE_MS = 10_000;
const DISK_FULL_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;
const RUNNING_TIMEOUT_MS = 30_000;

/** A fault that this machine can't inject, and why. */
export class NotPossible extends Error {}

type ServiceFault = Extract<Fault, `${string} ${ServiceName}`>;
type Signal = 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';

export class Injector {
  constructor(
    private readonly stack: FaultStack,
    private readonly servers: Servers,
    private readonly services: Services,
    private readonly recoveries: Recoveries,
    private readonly requests: RequestLog,
    private readonly draw: Drawing,
    private readonly brokerAwayMs: number,
    private readonly interrupted: AbortSignal,
  ) {}

  /** Resolves when the fault is over, its recovery not included. @throws NotPossible */
  async inject(fault: Fault): Promise<Felt> {
    if (isOnService(fault)) return this.injectService(fault);
    switch (fault) {
      case 'kill -9 broker':
        return this.atOnce(fault, () => kill(this.servers.of('nats').pid, 'SIGKILL'));
      case 'kill -9 database':
        return this.atOnce(fault, () => kill(this.servers.of('postgres').pid, 'SIGKILL'));
      case 'kill -9 database backend':
        return this.onBackend((pid) => this.atOnce(fault, () => kill(pid, 'SIGKILL')));
      case 'pg_ctl stop -m immediate':
        return this.atOnce(fault, () => this.servers.ask({ action: 'stop-at-once' }));
      case 'SIGSTOP database backend':
        return this.onBackend((pid) => this.pause(fault, () => [pid]));
      case 'SIGSTOP database':
        return this.pause(fault, () => this.servers.processesOf('postgres'));
      case 'SIGSTOP broker':
        return this.pause(fault, () => this.servers.processesOf('nats'));
      case 'broker away':
        return this.away(fault, 'nats', this.brokerAwayMs);
      case 'database disk full':
        return this.diskFull(fault);
      case 'no fault':
        return this.recoveries.beginMinor(fault);
    }
  }

  private async injectService(fault: ServiceFault): Promise<Felt> {
    const name = SERVICES.find((service) => fault.endsWith(` ${service}`)) as ServiceName;
    await eventually(`${name} to run`, () => this.services.processOf(name).isReady, { timeoutMs: RUNNING_TIMEOUT_MS });
    if (fault.startsWith('SIGSTOP')) return this.pauseService(fault, name);
    return this.atOnce(fault, () => void this.services.processOf(name).kill());
  }

  private async atOnce(fault: Fault, strike: () => void | Promise<void>): Promise<Felt> {
    const felt = this.recoveries.begin(fault, false);
    await strike();
    return felt;
  }

  private async pauseService(fault: Fault, name: ServiceName): Promise<Felt> {
    const forgive = name === 'gateway' ? this.requests.excuse() : () => undefined;
    try {
      return await this.pause(fault, () => [this.services.processOf(name).pid ?? 0]);
    } finally {
      forgive();
    }
  }

  private async pause(fault: Fault, processes: () => number[]): Promise<Felt> {
    const felt = this.recoveries.begin(fault, true);
    const pids = processes();
    pids.forEach((pid) => kill(pid, 'SIGSTOP'));
    try {
      await this.last(PAUSE_MS);
    } finally {
      pids.forEach((pid) => kill(pid, 'SIGCONT'));
    }
    this.recoveries.ended(felt);
    return felt;
  }

  private async away(fault: Fault, server: ServerName, milliseconds: number): Promise<Felt> {
    const felt = this.recoveries.begin(fault, true);
    await this.servers.ask({ action: 'hold', server });
    kill(this.servers.of(server).pid, 'SIGKILL');
    try {
      await this.last(milliseconds);
    } finally {
      await this.servers.ask({ action: 'release', server });
    }
    this.recoveries.ended(felt);
    return felt;
  }

  private async diskFull(fault: Fault): Promise<Felt> {
    if (this.stack.disk_full !== null) throw new NotPossible(this.stack.disk_full);
    const felt = this.recoveries.begin(fault, true);
    await this.servers.ask({ action: 'fill-disk' });
    try {
      await this.last(DISK_FULL_MS);
    } finally {
      await this.servers.ask({ action: 'free-disk' });
    }
    this.recoveries.ended(felt);
    return felt;
  }

  private async last(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.interrupted }).catch(() => undefined);
  }

  /** One of the processes that serve the services' connections. */
  private async onBackend(strike: (pid: number) => Promise<Felt>): Promise<Felt> {
    const { owner_databases: databases } = this.servers.reached(this.stack);
    const database = new Postgres({ connectionString: databases.ledger, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    database.on('error', () => undefined); // It may be struck down with its neighbour.
    let pid: number;
    try {
      await database.connect();
      const { rows } = await database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid`,
      );
      pid = this.draw.oneOf(rows).pid;
    } finally {
      await database.end().catch(() => undefined);
    }
    return strike(pid);
  }
}

function isOnService(fault: Fault): fault is ServiceFault {
  return SERVICES.some((service) => fault.endsWith(` ${service}`));
}

function kill(pid: number, signal: Signal): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
