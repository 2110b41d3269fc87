// The older version from which npm run upgrade:check upgrades, on small made-up histories, or the reason for none.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MissingHistory, olderVersion } from './older-version';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
const SCRIPTS = JSON.stringify({ scripts: { build: '', migrate: '' } });

type Files = Record<string, string>;

let temporary: string;
let folder: string;
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'older-version-'));
  folder = join(temporary, 'project');
  mkdirSync(folder);
});
afterEach(() => rmSync(temporary, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-C', folder, ...AUTHOR, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();

function write(path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const migration = (name: string, database = 'ledger') => `prisma/${database}/migrations/${name}/migration.sql`;
const INITIAL: Files = { [migration('1_initial')]: 'one', 'package.json': SCRIPTS };

/** A history of commits, each of which writes these files; returns the commits' ids in order. */
function history(...commits: [Files, ...Files[]]): [string, ...string[]] {
  git('init', '--quiet');
  return commits.map(commit) as [string, ...string[]];
}

function commit(files: Files): string {
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '--all');
  git('commit', '--quiet', '--message', Object.keys(files)[0] ?? 'nothing');
  return git('rev-parse', 'HEAD');
}

function missingHistory(root = folder): string {
  try {
    olderVersion(undefined, root);
    return 'there is one';
  } catch (error) {
    return error instanceof MissingHistory ? error.message : String(error);
  }
}

describe('the older version', () => {
  it('is the last commit before the newest migration', () => {
    const ids = history(
      INITIAL,
      { 'apps/a.ts': '1' },
      { [migration('2_more', 'payout')]: 'two', 'apps/a.ts': '2' },
      { 'apps/a.ts': '3' },
    );
    expect(olderVersion(undefined, folder)).toMatchObject({
      commit: ids[1],
      name: git('rev-parse', '--short', ids[1] ?? ''),
      subject: 'apps/a.ts',
      added: ['payout/2_more'],
      passedOver: [],
      drains: false,
    });
  });

  it('announces its end if its gateway has the setting for it', () => {
    history(INITIAL, { 'apps/gateway/settings.ts': 'DRAIN_LEAD_MS' }, { [migration('2_more')]: 'two' });
    expect(olderVersion(undefined, folder).drains).toBe(true);
  });

  it('is not one whose migration was edited or renamed afterwards, and this is reported', () => {
    const ids = history(INITIAL, { [migration('2_more')]: 'draft' }, { [migration('2_more')]: 'final' });
    expect(olderVersion(undefined, folder)).toMatchObject({
      commit: ids[0],
      passedOver: [{ name: git('rev-parse', '--short', ids[1] ?? ''), changed: ['ledger/2_more'] }],
    });
    renameSync(dirname(join(folder, migration('2_more'))), dirname(join(folder, migration('3_more'))));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'renamed');
    expect(olderVersion(undefined, folder).commit).toBe(ids[0]);
  });

  it('is the last commit when a migration is not committed yet', () => {
    const ids = history(INITIAL, { 'apps/a.ts': '1' });
    write(migration('2_more'));
    expect(olderVersion(undefined, folder)).toMatchObject({ commit: ids[1], added: ['ledger/2_more'] });
  });

  it('is the main line before the merge when a migration came by a merge', () => {
    history(INITIAL);
    git('checkout', '--quiet', '-b', 'branch');
    commit({ [migration('2_more')]: 'two' });
    git('checkout', '--quiet', 'main');
    const before = commit({ 'apps/a.ts': '1' });
    git('merge', '--quiet', '--no-edit', 'branch');
    commit({ 'apps/a.ts': '2' });
    expect(olderVersion(undefined, folder).commit).toBe(before);
  });

  it('is found in a shallow clone that is deep enough, and reported as missing in one that is not', () => {
    const ids = history(INITIAL, { [migration('2_more')]: 'two' }, { 'apps/a.ts': '1' });
    const cloned = (depth: number) => {
      const target = join(temporary, `clone-${depth}`);
      const args = ['clone', '--quiet', `--depth=${depth}`, pathToFileURL(folder).href, target];
      execFileSync('git', args, { stdio: 'pipe' });
      return target;
    };
    expect(missingHistory(cloned(1))).toMatch(/shallow.*git fetch --unshallow/);
    expect(missingHistory(cloned(2))).toMatch(/shallow/);
    expect(olderVersion(undefined, cloned(3)).commit).toBe(ids[0]);
  });

  it('is reported as missing, with the reason, in a folder without its own history', () => {
    history(INITIAL);
    expect(missingHistory()).toMatch(/No commit of this history has an older schema/);
    write(join('inner', migration('1_initial')));
    expect(missingHistory(join(folder, 'inner'))).toMatch(/no git history of its own/);
    rmSync(join(folder, '.git'), { recursive: true });
    expect(missingHistory()).toMatch(/no git history \(.*not a git repository/);
    git('init', '--quiet');
    expect(missingHistory()).toMatch(/Nothing was committed/);
  });
});

it('--from accepts any commit that can be upgraded, and refuses others with the reason', () => {
  const ids = history(
    { 'README.md': '' },
    INITIAL,
    { [migration('2_more')]: 'draft' },
    { [migration('2_more')]: 'final' },
    { 'apps/a.ts': '1' },
  );
  expect(olderVersion(ids[1], folder).added).toEqual(['ledger/2_more']);
  expect(olderVersion('HEAD', folder).added).toEqual([]);
  expect(() => olderVersion(ids[0], folder)).toThrow(/has no script build/);
  expect(() => olderVersion(ids[2], folder)).toThrow(/no way up .* since ledger\/2_more was edited/);
  expect(() => olderVersion('nowhere', folder)).toThrow(/has no commit nowhere/);
  expect(() => olderVersion('--all', folder)).toThrow(/has no commit --all/);
});
