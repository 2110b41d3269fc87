// Programs that the set-up runs as children: bounded in time, and ended with this process.

import { spawn } from 'node:child_process';
import { ROOT } from './files.mjs';

const OUTPUT_KEPT = 8_000;
const KILL_AFTER_MS = 10_000;
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a program in the checkout; resolves to {code, output}, rejects when it can't be started. */
export function runProgram(command, args, { env = process.env, timeoutMs }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = (output + chunk).slice(-OUTPUT_KEPT)));
    const end = () => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref();
    };
    const timer = setTimeout(() => {
      output += `\n(killed after ${timeoutMs / 1000} s)`;
      end();
    }, timeoutMs);
    const settle = (outcome) => (value) => {
      clearTimeout(timer);
      for (const signal of ENDING) process.off(signal, end);
      outcome(value);
    };
    for (const signal of ENDING) process.on(signal, end);
    child.once('error', settle(reject));
    child.once(
      'close',
      settle((code) => resolve({ code: code ?? 1, output })),
    );
  });
}

/** Runs a program of node_modules/.bin in place of this process: its terminal, its signals, its exit code. */
export function runInPlace(program, args) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NX_DAEMON: 'false' } });
  for (const signal of ENDING) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
