// Runs a nats-server with deploy/nats like a deployment: configuration, users' passwords and data are where the image
// has them, below one folder that stands for the container's file system. It listens on free loopback ports.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import type { Tell } from '@stablecoin/command-line/terminal';
import { natsUrlFile } from './deployment-secrets';
import { readGreeting } from './nats';
import { obtainNatsServer } from './nats-binary';
import { freePort } from './ports';
import { lastLines } from './log-files';
import { endProcess, waitUntil } from './processes';

const READY_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 2_000;
const CONFIGURATION = join(ROOT, 'deploy', 'nats');
const RELOADED = 'Reloaded server configuration';
const SYNC_INTERVAL_SINCE = [2, 12] as const;
/** The command of docker-compose.yml; the deployment trial passes the one that it reads from the file. */
const COMMAND = ['nats-server', '-c', '/etc/nats/nats.conf'];
const HEALTH_PATH = '/healthz';

export interface NatsVersion {
  text: string;
  major: number;
  minor: number;
}

export interface DeployedNatsOptions {
  /** Holds the server's configuration, data and log. */
  folder: string;
  secretsFolder: string;
  tell: Tell;
  command?: string[];
  healthPath?: string;
  /** deploy/nats of this version, or of another one. */
  configuration?: string;
}

export interface DeployedNats {
  address: string;
  version: string;
  /** Lines of the configuration that this server is too old to know. */
  omitted: string[];
  /** The connection string of a user, with the server's real address. */
  urlOf: (user: string) => string;
  /** The lines of its log about permissions that it refused to a user. */
  violations(): string[];
  /** Replaces deploy/nats by another version's and reloads it, like `docker compose kill -s HUP nats`. */
  adopt(configuration?: string): Promise<void>;
  stop(): Promise<boolean>;
}

/** Starts the server and waits until its greeting and its health endpoint report that it serves. */
export async function startDeployedNats(options: DeployedNatsOptions): Promise<DeployedNats> {
  const { folder, secretsFolder, tell, configuration = CONFIGURATION } = options;
  const program = await obtainNatsServer(process.env, tell);
  const version = versionOf(program);
  const root = join(folder, 'nats');
  const omitted = mountConfiguration({ root, secretsFolder, version, configuration });
  const [port, monitoringPort] = [await freePort(), await freePort()];
  const log = join(folder, 'logs', 'nats.log');
  const child = launch(program, { ...options, root, log, ports: { port, monitoringPort } });
  const healthUrl = `http://127.0.0.1:${monitoringPort}${options.healthPath ?? HEALTH_PATH}`;
  await untilHealthy(child, { port, healthUrl, log });
  const address = `127.0.0.1:${port}`;
  return {
    address,
    version: version.text,
    omitted,
    urlOf: (user) =>
      readFileSync(join(secretsFolder, natsUrlFile(user)), 'utf8')
        .trim()
        .replace('nats:4222', address),
    violations: () => linesOf(log).filter((line) => / Violation/.test(line)),
    adopt: async (newer = CONFIGURATION) => {
      mountConfiguration({ root, secretsFolder, version, configuration: newer });
      await reload(child, log);
    },
    stop: () => endProcess(requirePid(child)),
  };
}

export function versionOf(program: string): NatsVersion {
  const printed = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [text, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(printed) ?? [];
  if (text === undefined) throw new OperatorError(`${program} does not say its version, but ${printed.trim()}.`);
  return { text, major: Number(major), minor: Number(minor) };
}

export interface MountOptions {
  root: string;
  secretsFolder: string;
  version: NatsVersion;
  configuration?: string;
}

/**
 * Makes /etc/nats, /run/secrets and /data below `root`. Leaves out the settings that a server older than the image's
 * doesn't know, and returns their lines.
 */
export function mountConfiguration({
  root,
  secretsFolder,
  version,
  configuration = CONFIGURATION,
}: MountOptions): string[] {
  const target = join(root, 'etc', 'nats');
  cpSync(configuration, target, { recursive: true });
  mkdirSync(join(root, 'run', 'secrets'), { recursive: true });
  cpSync(join(secretsFolder, 'nats_passwords'), join(root, 'run', 'secrets', 'nats_passwords'));
  const [sinceMajor, sinceMinor] = SYNC_INTERVAL_SINCE;
  const isOlder = version.major < sinceMajor || (version.major === sinceMajor && version.minor < sinceMinor);
  const file = join(target, 'jetstream.conf');
  const lines = readFileSync(file, 'utf8')
    .replace('"/data"', JSON.stringify(join(root, 'data')))
    .split('\n');
  const omitted = lines.filter((line) => isOlder && /^\s*sync_interval:/.test(line));
  writeFileSync(file, lines.filter((line) => !omitted.includes(line)).join('\n'));
  return omitted.map((line) => line.trim());
}

interface Launch {
  root: string;
  log: string;
  ports: { port: number; monitoringPort: number };
  folder: string;
  command?: string[];
}

function launch(program: string, { root, log, ports, folder, command = COMMAND }: Launch): ChildProcess {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const given = command.slice(1).map((word) => (word.startsWith('/etc/nats/') ? join(root, word) : word));
  const own = ['-a', '127.0.0.1', '-p', `${ports.port}`, '-m', `${ports.monitoringPort}`];
  const output = openSync(log, 'a');
  try {
    return spawn(program, [...given, ...own], { stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

async function isHealthy({ port, healthUrl }: { port: number; healthUrl: string }): Promise<boolean> {
  const greeting = await readGreeting('127.0.0.1', port, 1_000).catch(() => undefined);
  if (greeting?.jetstream !== true) return false;
  const answer = await fetch(healthUrl, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) }).catch(() => undefined);
  return answer?.ok === true;
}

async function untilHealthy(child: ChildProcess, at: { port: number; healthUrl: string; log: string }): Promise<void> {
  const ended = () => child.exitCode ?? child.signalCode;
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && ended() === null) {
    if (await isHealthy(at)) return;
    await sleep(POLL_MS);
  }
  if (ended() === null) await endProcess(requirePid(child));
  throw new OperatorError(`nats-server does not start with deploy/nats: ${lastLines(at.log, 4)}`);
}

async function reload(child: ChildProcess, log: string): Promise<void> {
  const reloads = () => readFileSync(log, 'utf8').split(RELOADED).length;
  const before = reloads();
  child.kill('SIGHUP');
  if (!(await waitUntil(() => reloads() > before, READY_TIMEOUT_MS)))
    throw new OperatorError(`nats-server does not take the new deploy/nats: ${lastLines(log, 4)}`);
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n');

function requirePid({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('nats-server was not started.');
  return pid;
}
