// The nats-server of one data folder: loopback only, JetStream on, a user of its own. With NATS_URL nothing is started,
// only the server's greeting is read, so that a wrong address is one sentence now instead of a hanging service later.

import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateLog } from './paths.mjs';
import { rememberedPort } from './ports.mjs';
import { endProcess, isAlive } from './processes.mjs';
import { lastLines } from './postgres.mjs';
import { writeOwnerOnly } from './secrets.mjs';
import { Refusal } from './terminal.mjs';

const USER = 'stablecoin';
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 50;
const GREETING_TIMEOUT_MS = 5_000;
const START_ATTEMPTS_MAX = 3;

/** The INFO line that every NATS server sends first, as an object. */
export function readGreeting(host, port, timeoutMs = GREETING_TIMEOUT_MS) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    let text = '';
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    socket.on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\r\n')) return;
      socket.destroy();
      if (text.startsWith('INFO ')) resolve(JSON.parse(text.slice(5, text.indexOf('\r\n'))));
      else reject(new Error('it is not a NATS server'));
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('it closed the connection')));
  });
}

/** Of a cluster one server is enough: the services find the others when they come. */
export async function requireNats(url) {
  const refusals = [];
  for (const server of url.split(',')) {
    try {
      return await requireServer(server);
    } catch (error) {
      refusals.push(error);
    }
  }
  throw refusals[0];
}

async function requireServer(url) {
  let address;
  try {
    address = new URL(url.includes('://') ? url : `nats://${url}`);
  } catch {
    throw new Refusal('NATS_URL is not an address: give it as nats://host:4222.');
  }
  const at = `${address.hostname}:${address.port || 4222}`;
  const info = await readGreeting(address.hostname, Number(address.port || 4222)).catch((error) => {
    throw new Refusal(
      `There is no NATS server at ${at} (${error.code ?? error.message}): start it, correct NATS_URL, ` +
        'or leave NATS_URL out to get one of your own.',
    );
  });
  if (info.jetstream !== true)
    throw new Refusal(
      `The NATS server at ${at} runs without JetStream: start it with -js, or leave NATS_URL out to get one of your own.`,
    );
}

/** Who answers no ping for 3 s is cut off, so that a service that hangs is sent nothing while its other instances serve. */
const configuration = (paths, port, password) => `# Written on every start of the local stack.
host: "127.0.0.1"
port: ${port}
server_name: "local"
ping_interval: "1s"
ping_max: 2
authorization { user: "${USER}", password: "${password}" }
jetstream { store_dir: ${JSON.stringify(join(paths.nats, 'store'))} }
`;

/** Starts nats-server, waits for its greeting, and resolves to {url, version, pid, stop(), onUnexpectedExit(listener)}. */
export async function startNats(paths, secrets, program) {
  const log = paths.natsLog;
  rotateLog(log);
  for (let attempt = 1; ; attempt += 1) {
    const port = await rememberedPort(paths.ports, 'nats');
    writeOwnerOnly(paths.natsConfig, configuration(paths, port, secrets.nats_password));
    const child = launch(program, paths, log);
    const info = await untilReady(child, port);
    if (info) return handle(child, `nats://${USER}:${secrets.nats_password}@127.0.0.1:${port}`, info.version);
    if (attempt === START_ATTEMPTS_MAX)
      throw new Refusal(`nats-server does not start; its last words in ${log}: ${lastLines(log)}`);
  }
}

function launch(program, paths, log) {
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(program, ['-c', paths.natsConfig], { detached: true, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

/** Its greeting; undefined when it doesn't come. */
async function untilReady(child, port) {
  let failed = false;
  child.once('exit', () => (failed = true));
  child.once('error', () => (failed = true));
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!failed && Date.now() < deadline) {
    const info = await readGreeting('127.0.0.1', port, 1_000).catch(() => undefined);
    if (info?.jetstream === true) return info;
    await sleep(READY_POLL_MS);
  }
  if (!failed) await endProcess(child.pid);
  return undefined;
}

function handle(child, url, version) {
  let stopping = false;
  return {
    url,
    version,
    pid: child.pid,
    onUnexpectedExit: (listener) =>
      child.once('exit', (code, signal) => stopping || listener(signal ?? `code ${code}`)),
    stop: async () => {
      stopping = true;
      return !isAlive(child.pid) || endProcess(child.pid);
    },
  };
}
