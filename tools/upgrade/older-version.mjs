// Which older version an upgrade is tried from, read from git. Unless one is named, it is the newest commit whose schema is
// older than this checkout's: the one before its newest migration. A commit counts only when all its migrations are here,
// unchanged: of a migration that was edited before anybody had it, no database knows the first form. Where git has no
// answer, `missingHistory` says why.

import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../stack/paths.mjs';
import { Refusal } from '../stack/terminal.mjs';

const MIGRATIONS = ':(glob)prisma/*/migrations/*/migration.sql';
const GIT_TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** What a version has to have to be built and migrated as it does it itself. */
const TOOLS = ['tools/build.mjs', 'tools/migrate.mjs'];

/** There is nothing to upgrade from. */
export class MissingHistory extends Refusal {}

/** Why no older version can be had from this checkout, or undefined when one can. */
export function missingHistory(root = ROOT) {
  try {
    olderVersion(undefined, root);
    return undefined;
  } catch (error) {
    if (error instanceof MissingHistory) return error.message;
    throw error;
  }
}

/** {commit, name, subject, added, passedOver}: `added` are the migrations that this checkout has on top of it. */
export function olderVersion(from, root = ROOT) {
  requireCheckout(root);
  const here = migrationsHere(root);
  return from === undefined ? newestOlder(root, here) : named(root, here, from);
}

function newestOlder(root, here) {
  const passedOver = [];
  for (const commit of candidates(root)) {
    const there = migrationsOf(root, commit);
    const changed = changedSince(there, here);
    if (changed.length > 0) passedOver.push({ name: shortened(root, commit), changed });
    else if (there.size > 0 && there.size < here.size) return { ...describe(root, commit, there, here), passedOver };
  }
  const isShallow = git(root, 'rev-parse', '--is-shallow-repository') === 'true';
  throw new MissingHistory(
    isShallow
      ? 'This clone is shallow and ends before the newest migration was added: git fetch --unshallow brings what is missing.'
      : 'No commit of this history has an older schema than this checkout.',
  );
}

/** Where the schema changed on the way to this checkout: each time the commit before. */
function* candidates(root) {
  yield 'HEAD';
  for (const commit of lines(git(root, 'log', '--first-parent', '--format=%H', '--', MIGRATIONS))) {
    const before = tryGit(root, 'rev-parse', '--verify', '--quiet', `${commit}^`);
    if (before !== undefined) yield before;
  }
}

function named(root, here, from) {
  const commit = tryGit(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${from}^{commit}`);
  if (commit === undefined) throw new Refusal(`--from: this history has no commit ${from}.`);
  const name = shortened(root, commit);
  const missing = TOOLS.find((tool) => tryGit(root, 'cat-file', '-e', `${commit}:${tool}`) === undefined);
  if (missing !== undefined) throw new Refusal(`--from: ${name} can't be built and started, it has no ${missing}.`);
  const there = migrationsOf(root, commit);
  const changed = changedSince(there, here);
  if (changed.length > 0)
    throw new Refusal(
      `--from: there is no way up from ${name}, since ${changed.join(', ')} was edited or renamed after it: ` +
        'what its databases know of was never released.',
    );
  return { ...describe(root, commit, there, here), passedOver: [] };
}

function describe(root, commit, there, here) {
  const id = git(root, 'rev-parse', commit);
  const added = [...here.keys()].filter((path) => !there.has(path)).map(titleOf);
  return { commit: id, name: shortened(root, id), subject: git(root, 'log', '-1', '--format=%s', id), added };
}

// -- migrations: their content's hash by path ---------------------------------------------------------------------

const changedSince = (there, here) =>
  [...there].filter(([path, hash]) => here.get(path) !== hash).map(([path]) => titleOf(path));
/** `ledger/20260102030405_name` */
const titleOf = (path) => path.replace(/^prisma\/([^/]+)\/migrations\/([^/]+)\/.*$/, '$1/$2');

function migrationsOf(root, commit) {
  const entries = lines(git(root, 'ls-tree', '-r', '--full-tree', commit, '--', 'prisma'));
  const files = entries.map((entry) => /^\d+ blob (\w+)\t(.*)$/.exec(entry)).filter(Boolean);
  return new Map(files.filter(([, , path]) => path.endsWith('/migration.sql')).map(([, hash, path]) => [path, hash]));
}

/** As they are in the folder, committed or not. */
function migrationsHere(root) {
  const listed = lines(git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--', MIGRATIONS));
  const paths = [...new Set(listed)].filter((path) => existsSync(join(root, path)));
  if (paths.length === 0) return new Map();
  const hashes = lines(git(root, 'hash-object', '--', ...paths));
  return new Map(paths.map((path, index) => [path, hashes[index]]));
}

// -- git ----------------------------------------------------------------------------------------------------------

/** A folder without a history of its own may lie in one that has another's. */
function requireCheckout(root) {
  let top;
  try {
    top = git(root, 'rev-parse', '--show-toplevel');
  } catch (error) {
    const why = error.code === 'ENOENT' ? 'git was not found' : (lines(String(error.stderr)).at(0) ?? error.message);
    throw new MissingHistory(`This folder has no git history (${why}): it takes a clone of the project.`);
  }
  if (realpathSync(top) !== realpathSync(root))
    throw new MissingHistory('This folder has no git history of its own: it takes a clone of the project.');
  if (tryGit(root, 'rev-parse', '--verify', '--quiet', 'HEAD') === undefined)
    throw new MissingHistory('Nothing was committed here yet.');
}

const shortened = (root, commit) => git(root, 'rev-parse', '--short', commit);
const lines = (text) => text.split('\n').filter(Boolean);

function git(root, ...args) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: GIT_TIMEOUT_MS };
  return execFileSync('git', ['-C', root, ...args], { ...options, maxBuffer: OUTPUT_BYTES_MAX }).trim();
}

/** What git answers, or undefined when it says no. */
function tryGit(root, ...args) {
  try {
    return git(root, ...args);
  } catch {
    return undefined;
  }
}
