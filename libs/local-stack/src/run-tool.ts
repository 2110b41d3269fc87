import { execa } from 'execa';

const OUTPUT_KEPT = 8_000;
const KILL_AFTER_MS = 10_000;

export interface ToolRun {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** Passes the child's output on to stderr as it comes. */
  show?: boolean;
}

/**
 * Runs a program as a child: bounded in time, its output (both streams as they came) kept for the error message. Resolves
 * however the program ends; rejects only when it can't be started.
 */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs, show = false }: ToolRun,
): Promise<{ code: number; output: string }> {
  const result = await execa(command, args, {
    cwd,
    env,
    extendEnv: false,
    stdin: 'ignore',
    stdout: show ? ['pipe', process.stderr] : 'pipe',
    stderr: show ? ['pipe', process.stderr] : 'pipe',
    all: true,
    timeout: timeoutMs,
    forceKillAfterDelay: KILL_AFTER_MS,
    reject: false,
    stripFinalNewline: false,
  });
  if (result.exitCode === undefined && result.signal === undefined && !result.timedOut) throw result as Error;
  const ending = result.timedOut ? `\n(killed after ${timeoutMs / 1000} s)` : '';
  return { code: result.exitCode ?? 1, output: `${result.all.slice(-OUTPUT_KEPT)}${ending}` };
}
