// Runs a program as a child: bounded in time, its output kept for the error message or passed on to stderr.

import { spawn } from 'node:child_process';

const OUTPUT_KEPT = 8_000;

/** Resolves to {code, output}; `show` passes the child's output on to stderr as it comes. */
export function runTool(command, args, { cwd, env, timeoutMs, show = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-OUTPUT_KEPT);
        if (show) process.stderr.write(chunk);
      });
    }
    const timer = setTimeout(() => {
      output += `\n(killed after ${timeoutMs / 1000} s)`;
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output });
    });
  });
}
