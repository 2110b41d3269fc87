import { spawn } from 'node:child_process';

/** Runs a built program on this terminal until it ends; signals are passed on to it. Resolves to its exit code. */
export function runProgram(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });
}
