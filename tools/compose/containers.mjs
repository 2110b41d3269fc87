// A service of docker-compose.yml as a process: the command, environment and secrets that the file and the image give it,
// run from the image's folder. What a container would have of its own is mapped to this machine: the names of other
// services and their ports to loopback, /run/secrets to a folder with exactly the service's secrets, its own ports to free
// ones; and as root, the process gets the user id that `node` has in the image, so that it can change no file of the image.

import { spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryPort } from '../stack/ports.mjs';
import { lastLines } from '../stack/postgres.mjs';
import { Refusal } from '../stack/terminal.mjs';
import { environmentOf, milliseconds } from './compose-file.mjs';

const NODE_USER_ID = 1000;
const HEALTH_POLL_MS = 250;
const COMMAND_TIMEOUT_MS = 120_000;
const OWN_PORTS = ['PORT', 'OPERATIONS_PORT'];

export class Container {
  /** `addresses` has {host, port} by `service:port`; `secretsFolder` the deployment's secret files. */
  constructor({ name, instance = 1, service, image, folder, addresses, secretsFolder }) {
    Object.assign(this, { name, service, image, addresses });
    this.title = `${name}-${instance}`;
    this.cwd = join(image.root, image.workdir);
    this.log = join(folder, 'logs', `${this.title}.log`);
    this.secrets = this.mountSecrets(join(folder, 'run', this.title, 'secrets'), secretsFolder);
  }

  mountSecrets(folder, from) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const secret of this.service.secrets ?? [])
      writeFileSync(join(folder, secret), this.mapped(readFileSync(join(from, secret), 'utf8')), { mode: 0o444 });
    return folder;
  }

  /** `postgres:5432` in a connection string becomes where it really is. */
  mapped(text) {
    return text.replace(/(?<=@)[\w-]+:\d+/g, (address) => {
      const real = this.addresses[address];
      if (real === undefined)
        throw new Refusal(`${this.title} is to reach ${address}, which no service of the file is.`);
      return real;
    });
  }

  async environment() {
    const environment = { ...this.image.env, ...environmentOf(this.service) };
    for (const [name, value] of Object.entries(environment)) {
      if (value.startsWith('/run/secrets/'))
        environment[name] = join(this.secrets, value.slice('/run/secrets/'.length));
      else if (value === '0.0.0.0') environment[name] = '127.0.0.1';
      else if (OWN_PORTS.includes(name)) environment[name] = String(await tryPort(0));
    }
    return { PATH: process.env.PATH, HOME: '/home/node', ...environment };
  }

  command() {
    const { entrypoint = this.image.entrypoint ?? [], command = this.service.entrypoint ? [] : this.image.command } =
      this.service;
    return [...entrypoint, ...(command ?? [])];
  }

  spawn(command, env, output) {
    const asNode = process.getuid() === 0 && this.image.user === 'node' && { uid: NODE_USER_ID, gid: NODE_USER_ID };
    const program = command[0] === 'node' ? process.execPath : command[0];
    return spawn(program, command.slice(1), { cwd: this.cwd, env, stdio: ['ignore', ...output], ...asNode });
  }

  /** Starts the service; resolves when its own health check says that it is well. */
  async start() {
    this.env = await this.environment();
    this.startedAt = Date.now();
    this.child = this.launched();
    this.exited = new Promise((resolve) => this.child.once('exit', (code, signal) => resolve(signal ?? code)));
    await this.untilHealthy();
    this.startMs = Date.now() - this.startedAt;
  }

  launched() {
    mkdirSync(join(this.log, '..'), { recursive: true });
    const log = openSync(this.log, 'a');
    try {
      return this.spawn(this.command(), this.env, [log, log]);
    } finally {
      closeSync(log);
    }
  }

  async untilHealthy() {
    const { start_period = '0s', interval = '30s', retries = 3 } = this.service.healthcheck;
    const deadline = Date.now() + milliseconds(start_period) + milliseconds(interval) * retries;
    while (!(await this.isHealthy())) {
      const ended = await Promise.race([this.exited, sleep(HEALTH_POLL_MS, undefined)]);
      if (ended !== undefined) throw new Refusal(`${this.title} ended with ${ended}: ${lastLines(this.log, 5)}`);
      if (Date.now() > deadline) throw new Refusal(`${this.title} did not become healthy: ${lastLines(this.log, 5)}`);
    }
  }

  /** Runs the health check that the file declares, in the service's own environment. */
  async isHealthy() {
    const [, ...test] = this.service.healthcheck.test;
    const child = this.spawn(test, this.env, ['ignore', 'ignore']);
    const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds(this.service.healthcheck.timeout ?? '30s'));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    clearTimeout(timer);
    return code === 0;
  }

  /** A command that ends by itself; resolves to {code, output}. */
  async run(...args) {
    const env = await this.environment();
    const command =
      args.length > 0 ? [...(this.service.entrypoint ?? this.image.entrypoint ?? []), ...args] : this.command();
    const child = this.spawn(command, env, ['pipe', 'pipe']);
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), COMMAND_TIMEOUT_MS);
    const code = await new Promise((resolve) => child.once('close', (exit, signal) => resolve(signal ?? exit)));
    clearTimeout(timer);
    return { code, output, errors };
  }

  /** Asks it to end, as compose does; resolves to {code, ms}. After its grace it is killed. */
  async stop() {
    if (this.child === undefined) return undefined;
    const askedAt = Date.now();
    const grace = milliseconds(this.service.stop_grace_period ?? '10s');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), grace);
    this.child.kill(this.service.stop_signal ?? 'SIGTERM');
    const code = await this.exited;
    clearTimeout(timer);
    return { code, ms: Date.now() - askedAt };
  }

  residentMegabytes() {
    if (process.platform !== 'linux') return undefined;
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024);
  }
}
