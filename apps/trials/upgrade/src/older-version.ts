// Finds the older version from which the upgrade is tried, in git. Unless one is named, it is the newest commit with an
// older schema than this checkout's: the one before its newest migration. A commit counts only if this checkout has all
// its migrations unchanged: if one was edited before its release, no database has its first form. A MissingHistory says
// why git has no such commit.

import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { git, lines, tryGit } from './git';

const MIGRATIONS = ':(glob)prisma/*/migrations/*/migration.sql';
/** The npm scripts with which a version must build itself and make its databases. */
const SCRIPTS = ['build', 'migrate'];
const GATEWAY = 'apps/gateway';

/** There is no version to upgrade from. */
export class MissingHistory extends OperatorError {}

export interface OlderVersion {
  commit: string;
  /** The commit's short id. */
  name: string;
  subject: string;
  /** The migrations that this checkout has on top of it, as `ledger/20260102030405_name`. */
  added: string[];
  /** Newer commits that don't count, each with its migrations that were edited or renamed since. */
  passedOver: { name: string; changed: string[] }[];
  /** Whether its gateways announce their end. */
  drains: boolean;
}

/** The hash of each migration's content, by path. */
type Migrations = Map<string, string>;

/** The commit `from`, or the one before this checkout's newest migration. */
export function olderVersion(from: string | undefined, root = ROOT): OlderVersion {
  requireCheckout(root);
  const here = migrationsHere(root);
  return from === undefined ? newestOlder(root, here) : named(root, here, from);
}

function newestOlder(root: string, here: Migrations): OlderVersion {
  const passedOver: OlderVersion['passedOver'] = [];
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

/** The commits before each change of the schema on the way to this checkout. */
function* candidates(root: string): Generator<string> {
  yield 'HEAD';
  for (const commit of lines(git(root, 'log', '--first-parent', '--format=%H', '--', MIGRATIONS))) {
    const before = tryGit(root, 'rev-parse', '--verify', '--quiet', `${commit}^`);
    if (before !== undefined) yield before;
  }
}

function named(root: string, here: Migrations, from: string): OlderVersion {
  const commit = tryGit(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${from}^{commit}`);
  if (commit === undefined) throw new OperatorError(`--from: this history has no commit ${from}.`);
  const name = shortened(root, commit);
  const missing = SCRIPTS.find((script) => !scriptsOf(root, commit).includes(script));
  if (missing !== undefined)
    throw new OperatorError(`--from: ${name} can't be built and started, its package.json has no script ${missing}.`);
  const there = migrationsOf(root, commit);
  const changed = changedSince(there, here);
  if (changed.length > 0)
    throw new OperatorError(
      `--from: there is no way up from ${name}, since ${changed.join(', ')} was edited or renamed after it: ` +
        'what its databases know of was never released.',
    );
  return { ...describe(root, commit, there, here), passedOver: [] };
}

function scriptsOf(root: string, commit: string): string[] {
  const manifest = JSON.parse(tryGit(root, 'show', `${commit}:package.json`) ?? '{}') as { scripts?: object };
  return Object.keys(manifest.scripts ?? {});
}

function describe(root: string, commit: string, there: Migrations, here: Migrations): Omit<OlderVersion, 'passedOver'> {
  const id = git(root, 'rev-parse', commit);
  return {
    commit: id,
    name: shortened(root, id),
    subject: git(root, 'log', '-1', '--format=%s', id),
    added: [...here.keys()].filter((path) => !there.has(path)).map(titleOf),
    drains: tryGit(root, 'grep', '--quiet', 'DRAIN_LEAD_MS', id, '--', GATEWAY) !== undefined,
  };
}

// -- migrations ---------------------------------------------------------------------------------------------------

const changedSince = (there: Migrations, here: Migrations) =>
  [...there].filter(([path, hash]) => here.get(path) !== hash).map(([path]) => titleOf(path));

const titleOf = (path: string) => path.replace(/^prisma\/([^/]+)\/migrations\/([^/]+)\/.*$/, '$1/$2');

function migrationsOf(root: string, commit: string): Migrations {
  const entries = lines(git(root, 'ls-tree', '-r', '--full-tree', commit, '--', 'prisma'));
  const files = entries.map((entry) => /^\d+ blob (\w+)\t(.*)$/.exec(entry) ?? []);
  return new Map(
    files.flatMap(([, hash = '', path = '']): [string, string][] =>
      path.endsWith('/migration.sql') ? [[path, hash]] : [],
    ),
  );
}

/** The migrations in the folder, committed or not. */
function migrationsHere(root: string): Migrations {
  const listed = lines(git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--', MIGRATIONS));
  const paths = [...new Set(listed)].filter((path) => existsSync(join(root, path)));
  if (paths.length === 0) return new Map();
  const hashes = lines(git(root, 'hash-object', '--', ...paths));
  return new Map(paths.map((path, index) => [path, hashes[index] ?? '']));
}

// -- the checkout -------------------------------------------------------------------------------------------------

/** A folder without its own history may lie inside another project's checkout. */
function requireCheckout(root: string): void {
  if (realpathSync(topOf(root)) !== realpathSync(root))
    throw new MissingHistory('This folder has no git history of its own: it takes a clone of the project.');
  if (tryGit(root, 'rev-parse', '--verify', '--quiet', 'HEAD') === undefined)
    throw new MissingHistory('Nothing was committed here yet.');
}

function topOf(root: string): string {
  try {
    return git(root, 'rev-parse', '--show-toplevel');
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const why = errorCode(error) === 'ENOENT' ? 'git was not found' : (lines(stderr).at(0) ?? errorMessage(error));
    throw new MissingHistory(`This folder has no git history (${why}): it takes a clone of the project.`);
  }
}

const shortened = (root: string, commit: string) => git(root, 'rev-parse', '--short', commit);
