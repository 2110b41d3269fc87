import type { Writable } from 'node:stream';
import { execa } from 'execa';

const OUTPUT_KEPT = 8_000;
const KILL_AFTER_MS = 10_000;

export interface ToolRun {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Passes the child's output on at once: to stderr, or to a stream. */
  show?: boolean | Writable;
}

/**
 * Runs a program as a child, bounded in time, and keeps its output (both streams, interleaved) for the error message.
 * Resolves with every kind of end; rejects only when the program can't be started.
 */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, show = false }: ToolRun,
): Promise<{ code: number; output: string }> {
  const running = execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    all: true,
    timeout: timeoutMs,
    forceKillAfterDelay: KILL_AFTER_MS,
    reject: false,
    stripFinalNewline: false,
  });
  if (show !== false) running.all.on('data', (chunk: Buffer) => (show === true ? process.stderr : show).write(chunk));
  const result = await running;
  if (result.exitCode === undefined && result.signal === undefined && !result.timedOut)
    throw new Error(result.shortMessage, { cause: result });
  const ending = result.timedOut ? `\n(killed after ${timeoutMs / 1000} s)` : '';
  return { code: result.exitCode ?? 1, output: `${result.all.slice(-OUTPUT_KEPT)}${ending}` };
}
