// A separate stack in a temporary folder and on free ports, for tests and benchmarks: stacks side by side share
// nothing, and a stopped one leaves nothing behind. A process of its own runs it, like npm start, and ends with this
// process. Leftovers after a kill of everything lie in a folder and on ports that no later run uses.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack, type StackDescription } from './description';
import { withoutAnyStack } from './environment';
import { ROOT } from './paths';
import { endProcess } from './processes';
import { nodeCommand, ServiceProcess } from './service-process';

const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 90_000;
const LAUNCHER = join(ROOT, 'dist/libs/local-stack/src/throw-away-stack.main.js');

export interface ThrowAwayStack {
  description: StackDescription;
  /** Kills all of its processes at once, like a power failure; `stop` still has to remove the folder. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ThrowAwayStackRequest {
  /** False starts everything except the services. */
  withServices?: boolean;
  /** Settings; with DATA_DIR the data is in the caller's folder and stays there, and with LOCAL_CHAINS=true there are chains. */
  env?: NodeJS.ProcessEnv;
  /** Shows on stderr how it starts and stops, and its services' warnings and errors. */
  shown?: boolean;
}

export async function startThrowAwayStack(request: ThrowAwayStackRequest = {}): Promise<ThrowAwayStack> {
  const { withServices = true, env: settings, shown = true } = request;
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const own = { PORT: '0', DATA_DIR: join(folder, 'data'), LOCAL_CHAINS: 'false' };
  const env = { ...withoutAnyStack(process.env), ...own, ...settings };
  const launcher = new ServiceProcess({
    title: 'The stack',
    command: nodeCommand(LAUNCHER, ...(withServices ? [] : ['--infrastructure'])),
    env,
    output: shown ? 'stderr' : 'tail',
  });
  const stop = async () => {
    await launcher.stop({ timeoutMs: STOP_TIMEOUT_MS });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await launcher.untilReady(START_TIMEOUT_MS);
    const description = describedIn(env);
    return { description, kill: () => killAll(launcher, description), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function describedIn(env: NodeJS.ProcessEnv): StackDescription {
  const stored = readStack(env);
  if (stored === undefined) throw new Error('The stack is ready, but wrote nothing about itself.');
  const { environment: _, ...description } = stored;
  return description;
}

/** Kills the launcher first, so that it restarts none of the others. */
async function killAll(launcher: ServiceProcess, { pids }: StackDescription): Promise<void> {
  launcher.kill();
  await launcher.ended;
  const { launcher: _, ...others } = pids;
  await Promise.all(Object.values(others).map((pid) => endProcess(pid, { gently: 'SIGKILL' })));
}
