// From which older version npm run upgrade:check upgrades, on small histories made for it; and when there is none, why.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { linkPackages } from '../upgrade/old-checkout.mjs';
import { missingHistory, olderVersion } from '../upgrade/older-version.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

const WHO = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, ...WHO, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();

function write(folder, path, text = path) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const migration = (name, database = 'ledger') => `prisma/${database}/migrations/${name}/migration.sql`;

/** A history of commits, each of which writes these files; resolves to {folder, ids} with the commits' ids in order. */
function history(context, ...commits) {
  const folder = temporaryFolder(context);
  git(folder, 'init', '--quiet');
  return { folder, ids: commits.map((files) => commit(folder, files)) };
}

function commit(folder, files) {
  for (const [path, text] of Object.entries(files)) write(folder, path, text);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', Object.keys(files)[0]);
  return git(folder, 'rev-parse', 'HEAD');
}

const INITIAL = { [migration('1_initial')]: 'one', 'tools/build.mjs': '', 'tools/migrate.mjs': '' };

test('the older version is the last commit before the newest migration', (context) => {
  const { folder, ids } = history(
    context,
    INITIAL,
    { 'apps/a.ts': '1' },
    { [migration('2_more', 'payout')]: 'two', 'apps/a.ts': '2' },
    { 'apps/a.ts': '3' },
  );
  const { commit: chosen, subject, added, passedOver } = olderVersion(undefined, folder);
  assert.deepEqual([chosen, subject], [ids[1], 'apps/a.ts']);
  assert.deepEqual([added, passedOver], [['payout/2_more'], []]);
  assert.equal(missingHistory(folder), undefined);
});

test('one whose migration was edited or renamed afterwards is passed over, and told', (context) => {
  const { folder, ids } = history(
    context,
    INITIAL,
    { [migration('2_more')]: 'draft' },
    { [migration('2_more')]: 'final' },
  );
  const { commit: chosen, passedOver } = olderVersion(undefined, folder);
  assert.equal(chosen, ids[0]);
  assert.deepEqual(passedOver, [{ name: git(folder, 'rev-parse', '--short', ids[1]), changed: ['ledger/2_more'] }]);
  renameSync(dirname(join(folder, migration('2_more'))), dirname(join(folder, migration('3_more'))));
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'renamed');
  assert.equal(olderVersion(undefined, folder).commit, ids[0]);
});

test('a migration that is not committed yet is upgraded to from the last commit', (context) => {
  const { folder, ids } = history(context, INITIAL, { 'apps/a.ts': '1' });
  write(folder, migration('2_more'));
  const { commit: chosen, added } = olderVersion(undefined, folder);
  assert.deepEqual([chosen, added], [ids[1], ['ledger/2_more']]);
});

test('a migration that came by a merge is upgraded to from the main line before it', (context) => {
  const { folder } = history(context, INITIAL);
  git(folder, 'checkout', '--quiet', '-b', 'branch');
  commit(folder, { [migration('2_more')]: 'two' });
  git(folder, 'checkout', '--quiet', 'main');
  const before = commit(folder, { 'apps/a.ts': '1' });
  git(folder, 'merge', '--quiet', '--no-edit', 'branch');
  commit(folder, { 'apps/a.ts': '2' });
  assert.equal(olderVersion(undefined, folder).commit, before);
});

test('a shallow clone serves when it goes back far enough, and says so when it does not', (context) => {
  const { folder, ids } = history(context, INITIAL, { [migration('2_more')]: 'two' }, { 'apps/a.ts': '1' });
  const cloned = (depth) => {
    const target = join(temporaryFolder(context), 'clone');
    execFileSync('git', ['clone', '--quiet', `--depth=${depth}`, pathToFileURL(folder).href, target], {
      stdio: 'pipe',
    });
    return target;
  };
  assert.match(missingHistory(cloned(1)), /shallow.*git fetch --unshallow/);
  assert.match(missingHistory(cloned(2)), /shallow/);
  assert.equal(olderVersion(undefined, cloned(3)).commit, ids[0]);
});

test('without a history of its own there is no older version, and it is said why', (context) => {
  const { folder } = history(context, INITIAL);
  assert.match(missingHistory(folder), /No commit of this history has an older schema/);
  write(folder, join('inner', migration('1_initial')));
  assert.match(missingHistory(join(folder, 'inner')), /no git history of its own/);
  rmSync(join(folder, '.git'), { recursive: true });
  assert.match(missingHistory(folder), /no git history \(.*not a git repository/);
  git(folder, 'init', '--quiet');
  assert.match(missingHistory(folder), /Nothing was committed/);
});

test('--from takes any commit that there is a way up from, and refuses others with the reason', (context) => {
  const { folder, ids } = history(
    context,
    { 'README.md': '' },
    INITIAL,
    { [migration('2_more')]: 'draft' },
    { [migration('2_more')]: 'final' },
    { 'apps/a.ts': '1' },
  );
  assert.deepEqual(olderVersion(ids[1], folder).added, ['ledger/2_more']);
  assert.deepEqual(olderVersion('HEAD', folder).added, []);
  assert.throws(() => olderVersion(ids[0], folder), /has no tools\/build\.mjs/);
  assert.throws(() => olderVersion(ids[2], folder), /no way up .* since ledger\/2_more was edited/);
  assert.throws(() => olderVersion('nowhere', folder), /has no commit nowhere/);
  assert.throws(() => olderVersion('--all', folder), /has no commit --all/);
});

test('linked packages are the ones that are here; what tools write beside them stays apart', (context) => {
  const [from, folder] = [temporaryFolder(context), temporaryFolder(context)];
  for (const path of ['pg/index.js', '@nestjs/core/index.js', '.bin/tool', '.cache/stamp', '.package-lock.json'])
    write(from, path);
  linkPackages(folder, from);
  const linked = (path) => join(folder, 'node_modules', path);
  assert.equal(realpathSync(linked('@nestjs/core/index.js')), realpathSync(join(from, '@nestjs/core/index.js')));
  assert.ok(existsSync(linked('.bin/tool')));
  assert.equal(existsSync(linked('.cache')), false);
  assert.equal(lstatSync(linked('.package-lock.json')).isSymbolicLink(), false);
});
