// A throw-away stack for a Jest run: `node tools/start.mjs` in a temporary folder, on free ports, told what to run by its
// flags. Runs side by side share nothing. The IPC channel ends it when this process is killed; what a kill of everything
// leaves behind lies in a folder and on ports that no later run looks at.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutAnyStack } from '../../../../tools/stack/environment.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..');
const START_TIMEOUT_MS = 240_000;
const STOP_TIMEOUT_MS = 90_000;

/** Starts a stack; resolves to {description, stop()}. */
export async function startThrowAwayStack({ flags = [], env = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'start.mjs'), '--json', ...flags], {
    cwd: ROOT,
    env: { ...withoutAnyStack(process.env), PORT: '0', DATA_DIR: join(folder, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = new Promise((done) => child.once('exit', done));
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { description: await firstLine(child, exited), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function firstLine(child, exited) {
  return new Promise((done, fail) => {
    let text = '';
    const timer = setTimeout(
      () => fail(new Error(`The stack was not ready within ${START_TIMEOUT_MS / 1000} s.`)),
      START_TIMEOUT_MS,
    );
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (!text.includes('\n')) return;
      clearTimeout(timer);
      done(JSON.parse(text.split('\n')[0]));
    });
    exited.then((code) => {
      clearTimeout(timer);
      fail(new Error(`The stack ended with code ${code} before it was ready; what it said is above.`));
    });
  });
}
