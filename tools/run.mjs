// Runs a tool of node_modules (eslint, tsc, …), or a program of this checkout, after making sure that the checkout is set up:
// npm run lint and npm run typecheck work on a fresh clone too. Its own output and exit code are the result.

import './stack/node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './stack/paths.mjs';
import { ensureReady } from './stack/setup.mjs';
import { Refusal, runCommand } from './stack/terminal.mjs';

const HELP = `
node tools/run.mjs TOOL|ENTRY [ARGUMENTS …]

Sets the checkout up where needed, then runs a program of node_modules/.bin, or in this process dist/ENTRY.js, such as
apps/operator/src/main, which is built before.
`;

async function main([tool, ...args]) {
  if (tool === undefined || tool === '--help') {
    process.stdout.write(`${HELP.trim()}\n`);
    return tool === undefined ? 1 : 0;
  }
  if (tool.includes('/')) return runEntry(join(ROOT, 'dist', `${tool}.js`), args);
  await ensureReady({ build: false, quiet: true });
  const program = join(ROOT, 'node_modules', '.bin', tool);
  if (!existsSync(program))
    throw new Refusal(`There is no ${tool} in node_modules/.bin: check the name, or run npm ci.`);
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NX_DAEMON: 'false' } });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Whose exit code is the process's own. */
async function runEntry(file, args) {
  await ensureReady({ quiet: true });
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
  return process.exitCode;
}

runCommand(main);
