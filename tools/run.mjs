// Runs a tool of node_modules (eslint, tsc, …) after making sure that the checkout is set up: npm run lint and npm run
// typecheck work on a fresh clone too. The tool's own output and exit code are the result.

import './stack/node-version.mjs';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './stack/paths.mjs';
import { ensureReady } from './stack/setup.mjs';
import { Refusal, runCommand } from './stack/terminal.mjs';

const HELP = `
node tools/run.mjs TOOL [ARGUMENTS …]

Sets the checkout up where needed, then runs a program of node_modules/.bin.
`;

async function main([tool, ...args]) {
  if (tool === undefined || tool === '--help') {
    process.stdout.write(`${HELP.trim()}\n`);
    return tool === undefined ? 1 : 0;
  }
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

runCommand(main);
