/**
 * Runs three nats-servers as one cluster, each with deploy/nats unchanged: the settings that differ between servers
 * (name, cluster port, the others' addresses) are given on the command line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { mountConfiguration, type NatsVersion, versionOf } from '@stablecoin/local-stack/deployed-nats';
import { natsUrlFile } from '@stablecoin/local-stack/deployment-secrets';
import { lastLines } from '@stablecoin/local-stack/log-files';
import { freePort } from '@stablecoin/local-stack/ports';
import { endProcess, waitUntil } from '@stablecoin/local-stack/processes';

const SERVERS = 3;
const HOST = '127.0.0.1';
const CLUSTER = 'stablecoin';
const STREAM = 'LEDGER';
const WELL_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 5_000;
const ANSWER_TIMEOUT_MS = 2_000;

export interface ClusterOptions {
  folder: string;
  /** The users' connection strings and passwords, like a deployment's. */
  secretsFolder: string;
  program: string;
}

export interface ClusterServer {
  readonly name: string;
  readonly root: string;
  readonly ports: { client: number; cluster: number; monitoring: number };
  readonly log: string;
  child: ChildProcess | undefined;
}

/** The state of the ledger's stream, as a server reports it. */
export interface StreamState {
  leader: string;
  replicas: number;
  created: string;
}

interface JetStreamAnswer {
  account_details?: {
    stream_detail?: {
      name: string;
      created: string;
      config: { num_replicas: number };
      cluster?: { leader?: string };
    }[];
  }[];
}

export class NatsCluster {
  readonly version: NatsVersion;
  private all: ClusterServer[] = [];

  constructor(private readonly options: ClusterOptions) {
    this.version = versionOf(options.program);
  }

  get servers(): readonly ClusterServer[] {
    return this.all;
  }

  async start(): Promise<void> {
    for (let number = 1; number <= SERVERS; number += 1) this.all.push(await this.prepared(number));
    this.all.forEach((server) => this.launch(server));
    for (const server of this.all) await this.untilWell(server);
  }

  /** The addresses of all servers, in the form of NATS_URL. */
  urlOf(user: string): string {
    const text = readFileSync(join(this.options.secretsFolder, natsUrlFile(user)), 'utf8').trim();
    return this.all.map(({ ports }) => text.replace('nats:4222', `${HOST}:${ports.client}`)).join(',');
  }

  /** @throws OperatorError when no running server has the stream with a leader */
  async stream(): Promise<StreamState> {
    for (const server of this.all.filter(isUp)) {
      const answer = await asked<JetStreamAnswer>(server, '/jsz?streams=1&config=1');
      const streams = (answer?.account_details ?? []).flatMap(({ stream_detail = [] }) => stream_detail);
      const found = streams.find(({ name }) => name === STREAM);
      const leader = found?.cluster?.leader;
      if (found && leader) return { leader, replicas: found.config.num_replicas, created: found.created };
    }
    throw new OperatorError(`No broker has the stream ${STREAM} with a leader.`);
  }

  async kill(server: ClusterServer): Promise<void> {
    server.child?.kill('SIGKILL');
    await waitUntil(() => !isUp(server), GONE_WITHIN_MS);
  }

  async revive(server: ClusterServer): Promise<void> {
    this.launch(server);
    await this.untilWell(server);
  }

  named(name: string): ClusterServer {
    const found = this.all.find((server) => server.name === name);
    if (!found) throw new Error(`There is no broker ${name}.`);
    return found;
  }

  /**
   * Permissions that a user needs but was refused, except for replies: a reply may only use the connection of its
   * request, so a service whose server was killed can't answer earlier requests, and its callers send them again.
   */
  violations(): string[] {
    const lines = this.all.flatMap(({ log }) => readFileSync(log, 'utf8').split('\n'));
    return lines.filter((line) => line.includes(' Violation') && !/Publish Violation - .*Subject "_INBOX_/.test(line));
  }

  async stop(): Promise<void> {
    const pids = this.all.filter(isUp).flatMap(({ child }) => child?.pid ?? []);
    await Promise.all(pids.map((pid) => endProcess(pid)));
  }

  private async prepared(number: number): Promise<ClusterServer> {
    const { folder, secretsFolder } = this.options;
    const name = `nats-${number}`;
    const root = join(folder, name);
    mountConfiguration({ root, secretsFolder, version: this.version });
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const ports = { client: await freePort(), cluster: await freePort(), monitoring: await freePort() };
    return { name, root, ports, log: join(folder, 'logs', `${name}.log`), child: undefined };
  }

  private launch(server: ClusterServer): void {
    const { name, root, ports, log } = server;
    const routes = this.all.map((each) => `nats://${HOST}:${each.ports.cluster}`).join(',');
    const configuration = join(root, 'etc', 'nats', 'nats.conf');
    const own = ['--name', name, '-a', HOST, '-p', `${ports.client}`, '-m', `${ports.monitoring}`];
    const address = `nats://${HOST}:${ports.cluster}`;
    const cluster = ['--cluster_name', CLUSTER, '--cluster', address, '--routes', routes];
    const output = openSync(log, 'a', 0o600);
    try {
      server.child = spawn(this.options.program, ['-c', configuration, ...own, ...cluster], {
        stdio: ['ignore', output, output],
      });
    } finally {
      closeSync(output);
    }
  }

  /** Waits until the server is healthy: it has caught up with the others in everything that it stores. */
  private async untilWell(server: ClusterServer): Promise<void> {
    const isWell = async () => (await asked<{ status?: string }>(server, '/healthz'))?.status === 'ok';
    if (await waitUntil(isWell, WELL_WITHIN_MS)) return;
    throw new OperatorError(
      `${server.name} did not become well in ${WELL_WITHIN_MS / 1_000} s: ${lastLines(server.log, 4)}`,
    );
  }
}

const isUp = ({ child }: ClusterServer): boolean => child?.exitCode === null && child.signalCode === null;

/** The answer of its monitoring port; undefined without one. */
async function asked<Said>({ ports }: ClusterServer, path: string): Promise<Said | undefined> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const answer = await fetch(`http://${HOST}:${ports.monitoring}${path}`, { signal }).catch(() => undefined);
  return answer && ((await answer.json()) as Said);
}
