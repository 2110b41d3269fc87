// The nats-server of one data folder: loopback only, JetStream on, with a user of its own. With NATS_URL no server is
// started; reading the given server's greeting reports a wrong address now, before a service hangs on it.

import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { lastLines, rotateLog } from './log-files';
import type { DataPaths } from './paths';
import { rememberedPort } from './ports';
import { endProcess } from './processes';
import { type Secrets, writeOwnerOnly } from './secrets';
import { serverProcess, type ServerProcess, spawnServer, watchEnd } from './server-process';

const USER = 'stablecoin';
const DEFAULT_PORT = 4222;
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 50;
const GREETING_TIMEOUT_MS = 5_000;
const READY_GREETING_TIMEOUT_MS = 1_000;
const START_ATTEMPTS_MAX = 3;

export interface NatsServer extends ServerProcess {
  url: string;
  version: string;
}

/** The part of a server's INFO line that is read here. */
export interface NatsGreeting {
  version: string;
  jetstream?: boolean;
}

/** The INFO line that every NATS server sends first. */
export function readGreeting(host: string, port: number, timeoutMs = GREETING_TIMEOUT_MS): Promise<NatsGreeting> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    let text = '';
    socket.setTimeout(timeoutMs, () => void socket.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes('\r\n')) return;
      socket.destroy();
      if (text.startsWith('INFO ')) resolve(JSON.parse(text.slice(5, text.indexOf('\r\n'))) as NatsGreeting);
      else reject(new Error('it is not a NATS server'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('it closed the connection')));
  });
}

/** Requires one server of a cluster; the services connect to the others when these are up. */
export async function requireNats(url: string): Promise<void> {
  const refusals: unknown[] = [];
  for (const server of url.split(',')) {
    try {
      await requireServer(server);
      return;
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}

async function requireServer(url: string): Promise<void> {
  const address = addressOf(url);
  const port = Number(address.port || DEFAULT_PORT);
  const at = `${address.hostname}:${port}`;
  const greeting = await readGreeting(address.hostname, port).catch((error: unknown) => {
    throw new OperatorError(
      `There is no NATS server at ${at} (${errorCode(error) ?? errorMessage(error)}): start it, correct NATS_URL, ` +
        'or leave NATS_URL out to get one of your own.',
    );
  });
  if (greeting.jetstream !== true)
    throw new OperatorError(
      `The NATS server at ${at} runs without JetStream: start it with -js, or leave NATS_URL out to get one of your own.`,
    );
}

function addressOf(url: string): URL {
  try {
    return new URL(url.includes('://') ? url : `nats://${url}`);
  } catch {
    throw new OperatorError('NATS_URL is not an address: give it as nats://host:4222.');
  }
}

/** Disconnects a client that answers no ping for 3 s, so that requests go to a hanging service's other instances. */
const configuration = (
  paths: DataPaths,
  port: number,
  password: string,
) => `# Written on every start of the local stack.
host: "127.0.0.1"
port: ${port}
server_name: "local"
ping_interval: "1s"
ping_max: 2
authorization { user: "${USER}", password: "${password}" }
jetstream { store_dir: ${JSON.stringify(join(paths.nats, 'store'))} }
`;

/** Starts nats-server and waits for its greeting. */
export async function startNats(
  paths: DataPaths,
  secrets: Pick<Secrets, 'nats_password'>,
  program: string,
): Promise<NatsServer> {
  const log = paths.natsLog;
  rotateLog(log);
  for (let attempt = 1; ; attempt += 1) {
    const port = await rememberedPort(paths.ports, 'nats');
    writeOwnerOnly(paths.natsConfig, configuration(paths, port, secrets.nats_password));
    const child = spawnServer(program, ['-c', paths.natsConfig], log, {});
    const greeting = await untilReady(child, port);
    if (greeting) {
      const url = `nats://${USER}:${secrets.nats_password}@127.0.0.1:${port}`;
      return { ...serverProcess(child), url, version: greeting.version };
    }
    if (attempt === START_ATTEMPTS_MAX)
      throw new OperatorError(`nats-server does not start; its last words in ${log}: ${lastLines(log)}`);
  }
}

/** The server's greeting; undefined when none arrives. */
async function untilReady(child: ChildProcess, port: number): Promise<NatsGreeting | undefined> {
  const hasEnded = watchEnd(child);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!hasEnded() && Date.now() < deadline) {
    const greeting = await readGreeting('127.0.0.1', port, READY_GREETING_TIMEOUT_MS).catch(() => undefined);
    if (greeting?.jetstream === true) return greeting;
    await sleep(READY_POLL_MS);
  }
  if (!hasEnded() && child.pid !== undefined) await endProcess(child.pid);
  return undefined;
}
