// The five processes. Each is a plain node process with an IPC channel: it says {type: 'ready'} when it serves, and ends by
// itself when the channel closes (that is how a killed launcher takes its services along). Output goes straight into
// DATA_DIR/logs/<app>.log; the launcher only follows that file for what a person should see, so logging costs no copy.
// A service that dies is named, and started again with a growing, bounded delay: never silently, never in a tight loop.

import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, rotateLog } from './paths.mjs';
import { endProcess, isAlive, stackArgument } from './processes.mjs';
import { lastLines } from './postgres.mjs';
import { Refusal, say } from './terminal.mjs';

export const SERVICES = ['customer', 'wallet-ledger', 'swap-pricing', 'payout', 'gateway'];
export const STOP_ORDER = [['gateway'], ['payout', 'swap-pricing', 'customer'], ['wallet-ledger']];
const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 15_000;
const RESTART_DELAYS_MS = [500, 1_000, 2_000, 5_000, 10_000];
const STEADY_AFTER_MS = 60_000;
const FOLLOW_EVERY_MS = 500;
const FOLLOW_BYTES_MAX = 256 * 1024;
const WARNING_OR_WORSE = /"level":\s*(?:[456]0|"(?:warn|error|fatal)")/;

export const builtMain = (app, root = ROOT) => join(root, 'dist', 'apps', app, 'src', 'main.js');

/** One process of a service, with an IPC channel; `root` is the checkout that its build is of. */
export function launchService({ main, env, log, dataDir, root = ROOT }) {
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(process.execPath, ['--enable-source-maps', main, stackArgument(dataDir)], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
  } finally {
    closeSync(output);
  }
}

/**
 * Starts all five at once; resolves to {pids(), gatewayUrl(), operationsUrls(), stop()} when every one is ready. When one
 * fails, or `interrupted` rejects before that, all are stopped again.
 */
export async function startServices({ paths, environments, verbose, interrupted, mainOf = builtMain }) {
  const services = new Map(
    SERVICES.map((app) => [app, superviseService({ app, paths, env: environments[app], verbose, main: mainOf(app) })]),
  );
  const stop = async () => {
    for (const group of STOP_ORDER) await Promise.all(group.map((app) => services.get(app).stop()));
  };
  try {
    await Promise.race([interrupted, Promise.all([...services.values()].map((service) => service.ready))]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stop,
    pids: () => Object.fromEntries(SERVICES.map((app) => [app, services.get(app).pid()])),
    gatewayUrl: () => services.get('gateway').url(),
    /** By service, where it has an operations server: OPERATIONS_PORT=0 gives each one of its own. */
    operationsUrls: () => Object.fromEntries(SERVICES.map((app) => [app, services.get(app).operationsUrl()])),
  };
}

function superviseService({ app, paths, env, verbose, main }) {
  const log = join(paths.logs, `${app}.log`);
  rotateLog(log);
  const follower = followLog(app, log, verbose);
  const state = {
    child: undefined,
    url: undefined,
    operationsUrl: undefined,
    everReady: false,
    stopping: false,
    failures: 0,
    startedAt: 0,
    timer: undefined,
  };
  let settle;
  const ready = new Promise((resolve, reject) => (settle = { resolve, reject }));
  ready.catch(() => undefined); // The first failure is the one that is told; the others only stop.
  const readyTimer = setTimeout(
    () => settle.reject(new Refusal(`${app} was not ready within ${READY_TIMEOUT_MS / 1000} s: see ${log}.`)),
    READY_TIMEOUT_MS,
  );

  function launch() {
    state.startedAt = Date.now();
    state.child = launchService({
      main,
      env: { ...env, ...samePort('PORT', state.url), ...samePort('OPERATIONS_PORT', state.operationsUrl) },
      log,
      dataDir: paths.dataDir,
    });
    state.child.on('message', onMessage);
    state.child.once('error', (error) => settle.reject(new Refusal(`${app} can't be started: ${error.message}`)));
    state.child.once('exit', (code, signal) => onExit(signal ?? `code ${code}`));
  }

  function onMessage(message) {
    if (message?.type !== 'ready') return;
    if (message.url) state.url = message.url;
    if (message.operations_url) state.operationsUrl = message.operations_url;
    if (state.everReady) say(`  ${app} is back (process ${state.child.pid})`);
    state.everReady = true;
    clearTimeout(readyTimer);
    settle.resolve();
  }

  function onExit(reason) {
    if (state.stopping) return;
    if (!state.everReady) {
      clearTimeout(readyTimer);
      return settle.reject(
        new Refusal(
          `${app} ended while it was starting (${reason}); the end of ${log}:\n${lastLines(log, 8).replaceAll(' | ', '\n')}`,
        ),
      );
    }
    if (Date.now() - state.startedAt > STEADY_AFTER_MS) state.failures = 0;
    const delay = RESTART_DELAYS_MS[Math.min(state.failures, RESTART_DELAYS_MS.length - 1)];
    state.failures += 1;
    say(
      `  ${app} ended unexpectedly (${reason}); starting it again in ${delay / 1000} s. Its last words are in ${log}`,
    );
    state.timer = setTimeout(launch, delay);
  }

  async function stop() {
    state.stopping = true;
    clearTimeout(state.timer);
    clearTimeout(readyTimer);
    if (
      state.child?.pid !== undefined &&
      isAlive(state.child.pid) &&
      state.child.exitCode === null &&
      state.child.signalCode === null
    ) {
      const willingly = await endProcess(state.child.pid, { timeoutMs: STOP_TIMEOUT_MS });
      if (!willingly) say(`  ${app} did not end within ${STOP_TIMEOUT_MS / 1000} s of being asked and was killed`);
    }
    follower.stop();
  }

  launch();
  return { ready, stop, pid: () => state.child.pid, url: () => state.url, operationsUrl: () => state.operationsUrl };
}

/** A service that is started again is found where it was. */
const samePort = (variable, url) => (url === undefined ? {} : { [variable]: new URL(url).port });

/** Shows a log file's new warnings and errors (all lines when verbose) as they come, at most FOLLOW_BYTES_MAX a look. */
function followLog(app, file, verbose) {
  let position = 0;
  let rest = '';
  const look = () => {
    const { text, next, skipped } = readFrom(file, position);
    position = next;
    if (skipped > 0) say(`[${app}] … ${skipped} bytes of output not shown, they are in ${file}`);
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line && (verbose || WARNING_OR_WORSE.test(line))) say(`[${app}] ${line}`);
  };
  const timer = setInterval(look, FOLLOW_EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      look();
    },
  };
}

function readFrom(file, position) {
  if (!existsSync(file)) return { text: '', next: position, skipped: 0 };
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const start = Math.max(position, size - FOLLOW_BYTES_MAX);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    const count = readSync(descriptor, bytes, 0, bytes.length, start);
    return { text: bytes.toString('utf8', 0, count), next: start + count, skipped: start - position };
  } finally {
    closeSync(descriptor);
  }
}
