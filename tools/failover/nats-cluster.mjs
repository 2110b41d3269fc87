// Three nats-servers as one cluster, each with deploy/nats as it is: what a server of a cluster has of its own (its name, its
// port for the others, where they are) is said on the command line.

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountConfiguration } from '../compose/stores.mjs';
import { tryPort } from '../stack/ports.mjs';
import { lastLines } from '../stack/postgres.mjs';
import { endProcess, waitUntil } from '../stack/processes.mjs';
import { Refusal } from '../stack/terminal.mjs';

const SERVERS = 3;
const HOST = '127.0.0.1';
const WELL_WITHIN_MS = 30_000;

export class NatsCluster {
  /** `secretsFolder` has the users' connection strings and passwords, as a deployment's. */
  constructor({ folder, secretsFolder, program }) {
    Object.assign(this, { folder, secretsFolder, program });
    this.version = /(\d+)\.(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }));
  }

  async start() {
    this.servers = [];
    for (let number = 1; number <= SERVERS; number += 1) this.servers.push(await this.prepared(number));
    this.servers.forEach((server) => this.launch(server));
    for (const server of this.servers) await this.untilWell(server);
  }

  async prepared(number) {
    const root = join(this.folder, `nats-${number}`);
    mountConfiguration(root, this.secretsFolder, this.version);
    mkdirSync(join(this.folder, 'logs'), { recursive: true });
    const ports = { client: await tryPort(0), cluster: await tryPort(0), monitoring: await tryPort(0) };
    return { name: `nats-${number}`, root, ports, log: join(this.folder, 'logs', `nats-${number}.log`) };
  }

  launch(server) {
    const { name, root, ports, log } = server;
    const routes = this.servers.map((each) => `nats://${HOST}:${each.ports.cluster}`).join(',');
    const own = ['--name', name, '-a', HOST, '-p', `${ports.client}`, '-m', `${ports.monitoring}`];
    const cluster = [
      '--cluster_name',
      'stablecoin',
      '--cluster',
      `nats://${HOST}:${ports.cluster}`,
      '--routes',
      routes,
    ];
    const output = openSync(log, 'a', 0o600);
    const configuration = join(root, 'etc', 'nats', 'nats.conf');
    server.child = spawn(this.program, ['-c', configuration, ...own, ...cluster], {
      stdio: ['ignore', output, output],
    });
    closeSync(output);
  }

  /** Well: it has caught up with the others in everything that it keeps. */
  async untilWell(server) {
    const isWell = async () => (await this.asked(server, '/healthz'))?.status === 'ok';
    if (await waitUntil(isWell, WELL_WITHIN_MS)) return;
    throw new Refusal(`${server.name} did not become well in ${WELL_WITHIN_MS / 1000} s: ${lastLines(server.log, 4)}`);
  }

  async asked({ ports }, path) {
    const signal = AbortSignal.timeout(2_000);
    const answer = await fetch(`http://${HOST}:${ports.monitoring}${path}`, { signal }).catch(() => undefined);
    return answer?.json();
  }

  /** All of them, in the words of NATS_URL. */
  urlOf(user) {
    const text = readFileSync(join(this.secretsFolder, `${user.replaceAll('-', '_')}_nats_url`), 'utf8').trim();
    return this.servers.map(({ ports }) => text.replace('nats:4222', `${HOST}:${ports.client}`)).join(',');
  }

  /** What a server that lives says of the stream: {leader, replicas, created}. */
  async stream() {
    for (const server of this.servers.filter(isUp)) {
      const { account_details: accounts = [] } = (await this.asked(server, '/jsz?streams=1&config=1')) ?? {};
      const found = accounts
        .flatMap(({ stream_detail: streams = [] }) => streams)
        .find(({ name }) => name === 'LEDGER');
      if (found?.cluster?.leader)
        return { leader: found.cluster.leader, replicas: found.config.num_replicas, created: found.created };
    }
    return undefined;
  }

  async kill(server) {
    server.child.kill('SIGKILL');
    await waitUntil(() => !isUp(server), 5_000);
  }

  async revive(server) {
    this.launch(server);
    await this.untilWell(server);
  }

  named(name) {
    return this.servers.find((server) => server.name === name);
  }

  /**
   * What a user was refused that it needs. Nobody may answer what came over another connection than the present one: whose
   * server was killed can't answer what it had from it, and its caller asks again.
   */
  violations() {
    const lines = this.servers.flatMap(({ log }) => readFileSync(log, 'utf8').split('\n'));
    return lines.filter((line) => / Violation/.test(line) && !/Publish Violation - .*Subject "_INBOX_/.test(line));
  }

  async stop() {
    await Promise.all((this.servers ?? []).filter(isUp).map(({ child }) => endProcess(child.pid)));
  }
}

const isUp = ({ child }) => child !== undefined && child.exitCode === null && child.signalCode === null;
