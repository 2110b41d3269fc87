// Runs a service of docker-compose.yml as a process with the command, environment and secrets of file and image,
// from the image's folder, on the base image's Node. What belongs to a container is mapped to this machine: other
// services' names and ports to loopback, /run/secrets to a folder with exactly the service's secrets, each volume to a
// folder that all instances share, its own ports to free ones. Started by root, the process gets the user id of `node`
// in the image, so that it can't change the image's files.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { lastLines } from '@stablecoin/local-stack/log-files';
import { userId } from '@stablecoin/local-stack/paths';
import { freePort } from '@stablecoin/local-stack/ports';
import { ServiceProcess } from '@stablecoin/local-stack/service-process';
import { execa } from 'execa';
import { environmentOf, milliseconds, type ComposeService, type HealthCheck } from '../compose/compose-file';
import type { Image } from '../dockerfile/image-folders';

/** The ids of the user `node` in the base image. */
const NODE_USER = { uid: 1000, gid: 1000 };
const LISTENING_POLL_MS = 50;
const HEALTH_POLL_MS = 250;
const COMMAND_TIMEOUT_MS = 120_000;
const SECRETS_FOLDER = '/run/secrets/';
const OWN_PORTS = ['PORT', 'OPERATIONS_PORT'];
/** The defaults of compose. */
const INTERVAL = '30s';
const TIMEOUT = '30s';
const RETRIES = 3;
const START_PERIOD = '0s';
const GRACE = '10s';

type Environment = Record<string, string>;

export interface ContainerOptions {
  name: string;
  instance?: number;
  service: ComposeService;
  image: Image;
  /** The deployment's folder, with logs and mounted secrets. */
  folder: string;
  /** The deployment's secret files. */
  secretsFolder: string;
  /** The real host and port by `service:port`. */
  addresses: Record<string, string>;
  /** The base image's `node`. */
  node: string;
}

export interface CommandResult {
  code: number | string;
  output: string;
  errors: string;
}

export interface Ending {
  title: string;
  code: number | string;
  ms: number;
  grace_ms: number;
}

export class Container {
  readonly name: string;
  readonly title: string;
  readonly service: ComposeService;
  readonly log: string;
  /** The time from its start until it was healthy. */
  startMs = 0;
  private readonly image: Image;
  private readonly node: string;
  private readonly addresses: Record<string, string>;
  private readonly cwd: string;
  private readonly secrets: string;
  /** The folder of each volume, by where it is mounted. */
  private readonly volumes: ReadonlyMap<string, string>;
  private env: Environment = {};
  private process: ServiceProcess | undefined;

  constructor({ name, instance = 1, service, image, folder, secretsFolder, addresses, node }: ContainerOptions) {
    this.name = name;
    this.title = `${name}-${instance}`;
    this.service = service;
    this.image = image;
    this.node = node;
    this.addresses = addresses;
    this.cwd = join(image.root, image.workdir);
    this.log = join(folder, 'logs', `${this.title}.log`);
    this.secrets = this.mountSecrets(join(folder, 'run', this.title, 'secrets'), secretsFolder);
    this.volumes = this.mountVolumes(join(folder, 'volumes'));
  }

  /** Starts the service; resolves when its own health check succeeds. */
  async start(): Promise<void> {
    const startedAt = Date.now();
    this.env = await this.environment();
    this.process = new ServiceProcess({
      title: this.title,
      command: this.programOf(this.command()),
      cwd: this.cwd,
      env: this.env,
      output: { log: this.log },
      // A container has no channel to the program that started it.
      ipc: false,
      ...this.account(),
    });
    await this.untilHealthy(this.process);
    this.startMs = Date.now() - startedAt;
  }

  /** Runs a command that ends by itself, with these arguments in place of the file's. */
  async run(...args: string[]): Promise<CommandResult> {
    const entrypoint = this.service.entrypoint ?? this.image.entrypoint ?? [];
    const command = args.length > 0 ? [...entrypoint, ...args] : this.command();
    const { code, stdout, stderr } = await this.execute(command, await this.environment(), COMMAND_TIMEOUT_MS);
    return { code, output: stdout, errors: stderr };
  }

  /** Asks it to end, like compose, and kills it after its grace period. Undefined when it was never started. */
  async stop(): Promise<Ending | undefined> {
    if (this.process === undefined) return undefined;
    const grace = milliseconds(this.service.stop_grace_period ?? GRACE);
    const { stop_signal: signal } = this.service;
    const { code, reason, durationMs } = await this.process.stop({ ...(signal && { signal }), timeoutMs: grace });
    return { title: this.title, code: code ?? reason, ms: Math.round(durationMs), grace_ms: grace };
  }

  /** The address of its port. */
  get origin(): string {
    return `http://127.0.0.1:${this.env['PORT'] ?? ''}`;
  }

  /** Undefined where the system doesn't provide it. */
  residentMegabytes(): number | undefined {
    if (process.platform !== 'linux' || this.process?.pid === undefined) return undefined;
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
  }

  private mountSecrets(folder: string, from: string): string {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    for (const secret of this.service.secrets ?? [])
      writeFileSync(join(folder, secret), this.mapped(readFileSync(join(from, secret), 'utf8')), { mode: 0o444 });
    return folder;
  }

  /** Named volumes only; a program names one by the path of its mount. */
  private mountVolumes(from: string): Map<string, string> {
    const mounts = (this.service.volumes ?? []).filter((mount) => !mount.startsWith('.'));
    return new Map(
      mounts.map((mount) => {
        const [volume = '', path = ''] = mount.split(':');
        const folder = join(from, volume);
        mkdirSync(folder, { recursive: true });
        // As the image's folder, whose rights a new volume takes.
        chmodSync(folder, 0o777);
        return [path, folder];
      }),
    );
  }

  /** Replaces `postgres:5432` in a connection string by its real address. */
  private mapped(text: string): string {
    return text.replace(/(?<=@)[\w-]+:\d+/g, (address) => {
      const real = this.addresses[address];
      if (real === undefined)
        throw new OperatorError(`${this.title} is to reach ${address}, which no service of the file is.`);
      return real;
    });
  }

  private async environment(): Promise<Environment> {
    const environment = { ...this.image.env, ...environmentOf(this.service) };
    for (const [name, value] of Object.entries(environment)) {
      const mount = [...this.volumes].find(([path]) => new RegExp(`^(file:)?${path}(/|$)`).test(value));
      if (value.startsWith(SECRETS_FOLDER)) environment[name] = join(this.secrets, value.slice(SECRETS_FOLDER.length));
      else if (mount !== undefined) environment[name] = value.replace(...mount);
      else if (value === '0.0.0.0') environment[name] = '127.0.0.1';
      else if (OWN_PORTS.includes(name)) environment[name] = String(await freePort());
    }
    return { PATH: process.env['PATH'] ?? '', HOME: '/home/node', ...environment };
  }

  /** As in compose, the file's entrypoint replaces the image's command too. */
  private command(): string[] {
    const { entrypoint, command } = this.service;
    const own = command ?? (entrypoint === undefined ? this.image.command : undefined);
    return [...(entrypoint ?? this.image.entrypoint ?? []), ...(own ?? [])];
  }

  private programOf([program = '', ...args]: string[]): [string, ...string[]] {
    return [program === 'node' ? this.node : program, ...args];
  }

  private account() {
    return userId() === 0 && this.image.user === 'node' ? { account: NODE_USER } : {};
  }

  private async untilHealthy(running: ServiceProcess): Promise<void> {
    const { healthcheck } = this.service;
    if (healthcheck === undefined) throw new OperatorError(`${this.title} has no health check.`);
    const { start_period = START_PERIOD, interval = INTERVAL, retries = RETRIES } = healthcheck;
    const deadline = Date.now() + milliseconds(start_period) + milliseconds(interval) * retries;
    const wait = async (pauseMs: number) => {
      const exit = await Promise.race([running.ended, sleep(pauseMs, undefined)]);
      const problem = exit ? `ended with ${exit.reason}` : Date.now() > deadline && 'did not become healthy';
      if (problem) throw new OperatorError(`${this.title} ${problem}: ${lastLines(this.log, 5)}`);
    };
    // Each health check is a process: before the service listens it would only take processor time from the start.
    while (!(await isListening(Number(this.env['OPERATIONS_PORT'])))) await wait(LISTENING_POLL_MS);
    while (!(await this.isHealthy(healthcheck))) await wait(HEALTH_POLL_MS);
  }

  /** Runs the health check that the file declares, in the service's own environment. */
  private async isHealthy({ test: [, ...test], timeout = TIMEOUT }: HealthCheck): Promise<boolean> {
    return (await this.execute(test, this.env, milliseconds(timeout))).code === 0;
  }

  private async execute(command: string[], env: Environment, timeoutMs: number) {
    const [program, ...args] = this.programOf(command);
    const { exitCode, signal, stdout, stderr, shortMessage } = await execa(program, args, {
      ...this.account().account,
      cwd: this.cwd,
      env,
      extendEnv: false,
      reject: false,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    return { code: exitCode ?? signal ?? shortMessage ?? 'unknown', stdout, stderr };
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((known) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => known(true)).once('error', () => known(false));
    socket.once('connect', () => socket.destroy());
  });
}
