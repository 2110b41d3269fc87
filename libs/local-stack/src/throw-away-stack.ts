// A stack of its own in a temporary folder and on free ports, for tests and benchmarks: stacks side by side share nothing, and
// nothing is left of one that was stopped. A process of its own runs it, as npm start would, and ends when this process does;
// what a kill of everything leaves behind lies in a folder and on ports that no later run looks at.

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
  /** All of its processes at once, as when the power fails; `stop` still has to remove the folder. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface ThrowAwayStackRequest {
  /** False stops short of the five services. */
  withServices?: boolean;
  /** Settings of the services; DATA_DIR puts the data where the caller wants it and leaves it there. */
  env?: NodeJS.ProcessEnv;
  /** Shows on stderr how it starts and stops, and what its services complain of. */
  shown?: boolean;
}

export async function startThrowAwayStack(request: ThrowAwayStackRequest = {}): Promise<ThrowAwayStack> {
  const { withServices = true, env: settings, shown = true } = request;
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const env = { ...withoutAnyStack(process.env), PORT: '0', DATA_DIR: join(folder, 'data'), ...settings };
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

/** The launcher first, so that it starts none of the others again. */
async function killAll(launcher: ServiceProcess, { pids }: StackDescription): Promise<void> {
  launcher.kill();
  await launcher.ended;
  const { launcher: _, ...others } = pids;
  await Promise.all(Object.values(others).map((pid) => endProcess(pid, { gently: 'SIGKILL' })));
}
