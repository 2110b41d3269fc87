// Common to the processes of Postgres and nats-server: they are detached, so that the terminal's Ctrl-C reaches only
// the launcher, which ends them in order; each writes its output into a log file.

import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endProcess, isAlive } from './processes';

export interface ServerProcess {
  readonly pid: number;
  /** Calls the listener once if the server ends without `stop`. */
  onUnexpectedExit(listener: (reason: string) => void): void;
  /** Resolves to whether it ended without being killed. */
  stop(): Promise<boolean>;
}

export function spawnServer(
  command: string,
  args: readonly string[],
  log: string,
  options: SpawnOptions,
): ChildProcess {
  const output = openSync(log, 'a', 0o600);
  try {
    return spawn(command, args, { ...options, detached: true, stdio: ['ignore', output, output] });
  } finally {
    closeSync(output);
  }
}

/** Whether a child could not be started or has ended. */
export function watchEnd(child: ChildProcess): () => boolean {
  let ended = false;
  const note = () => void (ended = true);
  child.once('exit', note);
  child.once('error', note);
  return () => ended;
}

/** `ending` says how it is asked to stop. */
export function serverProcess(child: ChildProcess, ending: Parameters<typeof endProcess>[1] = {}): ServerProcess {
  const pid = child.pid ?? -1; // It answered, so it has one.
  let stopping = false;
  return {
    pid,
    onUnexpectedExit: (listener) =>
      void child.once('exit', (code, signal) => {
        if (!stopping) listener(signal ?? `code ${code ?? 'unknown'}`);
      }),
    stop: async () => {
      stopping = true;
      return !isAlive(pid) || endProcess(pid, ending);
    },
  };
}
