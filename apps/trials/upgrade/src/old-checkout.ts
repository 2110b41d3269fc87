// An older version of the project in its own folder: its files from git, and its dependencies, clients and build as its
// own npm scripts make them. It uses our packages if we have every one of its package-lock.json in that exact version;
// otherwise its build installs them. Pages for browsers are taken from our build where they are made of the same files.
// A built version is kept while neither it nor our packages change, and the one before it is removed.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { step } from '@stablecoin/command-line/terminal';
import { LOCK_FILE, placePackages } from '@stablecoin/local-stack/linked-packages';
import { runTool } from '@stablecoin/local-stack/run-tool';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { migrationUrlVariable } from '@stablecoin/migrations/databases';
import type { OlderVersion } from './older-version';

/** Not below node_modules, where swc treats no file as part of the project. */
const CACHE = join(ROOT, '.data', 'older-versions');
/**
 * What a build keeps as it is while the hash beside it is that of its inputs, so that a version with the same inputs need not make it
 * again: the pages of the documentation, and the console.
 */
const KEPT_BY_HASH = ['documentation', '.documentation.sha256', 'console', '.console.sha256'];
const EXTRACT_TIMEOUT_MS = 60_000;
/** Most of it is for a version that has to install its own packages. */
const BUILD_TIMEOUT_MS = 1_200_000;
const MIGRATE_TIMEOUT_MS = 120_000;

/** Resolves to the folder of the built version. */
export async function checkOut({ commit, name }: OlderVersion): Promise<string> {
  const packages = createHash('sha256')
    .update(readFileSync(join(ROOT, LOCK_FILE)))
    .digest('hex');
  const folder = join(CACHE, `${commit.slice(0, 12)}-${packages.slice(0, 12)}`);
  removeOthers(folder);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  try {
    await step(`${name}: files`, () => extract(commit, draft));
    await step(`${name}: clients and build`, (tell) => {
      const missing = placePackages(draft);
      if (missing !== undefined) tell(`with packages of its own, for ${missing}`);
      placeKept(draft);
      return runScript(draft, 'build', BUILD_TIMEOUT_MS);
    });
    // Another run may have been faster; then its folder stays.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

function placeKept(folder: string): void {
  for (const name of KEPT_BY_HASH) {
    const ours = join(ROOT, 'dist', name);
    if (existsSync(ours)) cpSync(ours, join(folder, 'dist', name), { recursive: true });
  }
}

/** Drafts of other runs are left alone. */
function removeOthers(folder: string): void {
  const others = existsSync(CACHE) ? readdirSync(CACHE).filter((name) => !/\.\d+$/.test(name)) : [];
  for (const name of others) if (name !== basename(folder)) rmSync(join(CACHE, name), { recursive: true, force: true });
}

async function extract(commit: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'version.tar');
  await run(['git', 'archive', '--format=tar', `--output=${archive}`, commit], ROOT, EXTRACT_TIMEOUT_MS);
  await run(['tar', '-xf', archive], folder, EXTRACT_TIMEOUT_MS);
  rmSync(archive);
}

/** Makes the databases with that version's own script. `urls` are the owner's. */
export function migrateAsItDid(folder: string, urls: Record<DatabaseName, string>): Promise<void> {
  const variables = Object.entries(urls).map(([name, url]) => [migrationUrlVariable(name as DatabaseName), url]);
  return runScript(folder, 'migrate', MIGRATE_TIMEOUT_MS, Object.fromEntries(variables) as Record<string, string>);
}

/** The environment without npm's variables, which are about this checkout. */
const inherited = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$)/.test(name)));

const runScript = (folder: string, script: string, timeoutMs: number, env: Record<string, string> = {}) =>
  run(['npm', 'run', '--silent', script], folder, timeoutMs, env);

async function run(
  [command, ...args]: [string, ...string[]],
  cwd: string,
  timeoutMs: number,
  env: Record<string, string> = {},
): Promise<void> {
  const { code, output } = await runTool(command, args, { cwd, env: { ...inherited(), ...env }, timeoutMs });
  if (code !== 0) throw new OperatorError(`${command} ${args.join(' ')} failed in ${cwd}:\n${output.trim()}`);
}
