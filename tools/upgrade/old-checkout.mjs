// An older version of the project in a folder of its own: its files from git, its dependencies, and its clients and build
// made by its own tools. Our node_modules serve as long as they hold every package that its package-lock.json names in just
// that version: linked package by package, so that what its tools write beside them stays in its own folder. Otherwise it
// gets its own with npm ci.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { holdsPackagesOf } from '../dependencies.mjs';
import { ROOT } from '../stack/paths.mjs';
import { runTool } from '../stack/run-tool.mjs';
import { Refusal, step } from '../stack/terminal.mjs';

const EXTRACT_TIMEOUT_MS = 60_000;
const INSTALL_TIMEOUT_MS = 900_000;
const BUILD_TIMEOUT_MS = 300_000;
const MIGRATE_TIMEOUT_MS = 120_000;
const GATEWAY_SETTINGS = 'apps/gateway/src/gateway.configuration.ts';
/** npm's record of what is installed. */
const RECORD = '.package-lock.json';

/** Makes `folder` the built checkout of a commit; resolves to {root, drains}: whether its gateways say that they will end. */
export async function checkOut({ commit, name }, folder) {
  await step(`${name}: files`, () => extract(commit, folder));
  if (holdsPackagesOf(folder)) linkPackages(folder);
  else
    await step(`${name}: dependencies of its own (npm ci)`, () =>
      runOwn(folder, 'tools/dependencies.mjs', INSTALL_TIMEOUT_MS),
    );
  await step(`${name}: clients and build`, () => runOwn(folder, 'tools/build.mjs', BUILD_TIMEOUT_MS));
  const settings = readFileSync(join(folder, GATEWAY_SETTINGS), 'utf8');
  return { root: folder, drains: settings.includes('DRAIN_LEAD_MS') };
}

async function extract(commit, folder) {
  const archive = `${folder}.tar`;
  mkdirSync(folder, { recursive: true });
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit], ROOT, EXTRACT_TIMEOUT_MS);
  await run('tar', ['-xf', archive], folder, EXTRACT_TIMEOUT_MS);
}

export function linkPackages(folder, from = join(ROOT, 'node_modules')) {
  const target = join(folder, 'node_modules');
  mkdirSync(target);
  const packages = readdirSync(from).filter((name) => name === '.bin' || !name.startsWith('.'));
  for (const name of packages) symlinkSync(join(from, name), join(target, name));
  if (existsSync(join(from, RECORD))) copyFileSync(join(from, RECORD), join(target, RECORD));
}

/** The databases as that version makes them. `urls` are the owner's. */
export function migrateAsItDid(folder, urls) {
  const variables = Object.entries(urls).map(([name, url]) => [`${name.toUpperCase()}_MIGRATION_DATABASE_URL`, url]);
  return runOwn(folder, 'tools/migrate.mjs', MIGRATE_TIMEOUT_MS, Object.fromEntries(variables));
}

/** Without what npm told us, which is about this checkout. */
const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name)));

const runOwn = (folder, tool, timeoutMs, env = {}) => run(process.execPath, [tool], folder, timeoutMs, env);

async function run(command, args, cwd, timeoutMs, env = {}) {
  const { code, output } = await runTool(command, args, { cwd, env: { ...inherited(), ...env }, timeoutMs });
  if (code !== 0) throw new Refusal(`${command} ${args.join(' ')} failed in ${cwd}:\n${output.trim()}`);
}
