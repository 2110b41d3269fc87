// Backup and restore of the data folder on Postgres alone: a point in time further on, and what is refused. The whole stack
// under load is apps/journeys-e2e/src/backup-restore.e2e.spec.ts.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { DATABASES } from '../stack/databases.mjs';
import { migrate } from '../stack/migrations.mjs';
import { dataPaths, makeDataDir, ROOT } from '../stack/paths.mjs';
import { startPostgres } from '../stack/postgres.mjs';
import { waitUntil } from '../stack/processes.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

const STEP_TIMEOUT_MS = 300_000;
const folder = temporaryFolder({ after });
const dataDir = join(folder, 'data');
const paths = dataPaths(dataDir);
const archive = join(folder, 'archive');
const backup = join(folder, 'backup');

before(async () => {
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const postgres = await startPostgres(paths, secrets);
  for (const name of DATABASES) await migrate({ name, url: postgres.url(name) });
  await postgres.stop();
});

/** Runs one of the tools on a data folder; resolves to {code, stdout, stderr}. */
function tool(name, args, env = {}) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/_DATABASE_URL$/.test(key)));
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...inherited, DATA_DIR: dataDir, ...env }, timeout: STEP_TIMEOUT_MS };
    const child = execFile(process.execPath, [`tools/${name}.mjs`, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

async function withServer(ofPaths, work) {
  const postgres = await startPostgres(ofPaths, loadSecrets(ofPaths));
  const client = new pg.Client({ connectionString: postgres.url('payout') });
  await client.connect();
  try {
    return await work(async (statement, values) => (await client.query(statement, values)).rows);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

test('from a backup and the archived log on to a moment, and no further', { timeout: STEP_TIMEOUT_MS }, async () => {
  mkdirSync(archive);
  chmodSync(archive, 0o777); // Started by root, Postgres archives as another user.
  await withServer(paths, async (query) => {
    await query('CREATE TABLE written (number int)');
    await query('ALTER SYSTEM SET archive_mode = on');
    await query(`ALTER SYSTEM SET archive_command = 'cp "%p" "${archive}/%f"'`);
  });
  const taken = await tool('backup', ['--to', backup]);
  assert.equal(taken.code, 0, taken.stderr);
  const moment = await withServer(paths, async (query) => {
    await query('INSERT INTO written VALUES (1)');
    const [{ at }] = await query('SELECT clock_timestamp() AS at');
    await query('SELECT pg_sleep(0.05)');
    await query('INSERT INTO written VALUES (2)');
    const [{ file }] = await query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS file');
    await query('SELECT pg_switch_wal()');
    assert.ok(await waitUntil(() => existsSync(join(archive, file)), 20_000), 'the log was not archived');
    return new Date(at.getTime() + 10).toISOString();
  });
  for (const [name, flags, expected] of [
    ['to-the-moment', ['--wal-archive', archive, '--until', moment], [1]],
    ['to-the-end', ['--wal-archive', archive], [1, 2]],
    ['backup-alone', [], []],
  ]) {
    const restored = dataPaths(join(folder, name));
    const args = ['--from', backup, '--keys', paths.secrets, ...flags];
    const run = await tool('restore', args, { DATA_DIR: restored.dataDir });
    assert.equal(run.code, 0, run.stderr);
    const rows = await withServer(restored, (query) => query('SELECT number FROM written ORDER BY number'));
    assert.deepEqual(
      rows.map(({ number }) => number),
      expected,
      name,
    );
    // A timeline of its own, and nothing of it in the original's archive.
    assert.ok(readdirSync(join(restored.postgres, 'pg_wal')).includes('00000002.history'), name);
    assert.ok(!readdirSync(archive).includes('00000002.history'), name);
    assert.doesNotMatch(readFileSync(join(restored.postgres, 'postgresql.auto.conf'), 'utf8'), /restore_command/);
  }
});

test('data that is there is only replaced when told so, and kept aside', { timeout: STEP_TIMEOUT_MS }, async () => {
  const target = dataPaths(join(folder, 'backup-alone'));
  const refused = await tool('restore', ['--from', backup], { DATA_DIR: target.dataDir });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /There is data in .*--replace/s);
  const replaced = await tool('restore', ['--from', backup, '--replace', '--json'], { DATA_DIR: target.dataDir });
  assert.equal(replaced.code, 0, replaced.stderr);
  const [aside] = readdirSync(target.dataDir).filter((name) => name.startsWith('replaced-'));
  assert.ok(existsSync(join(target.dataDir, aside, 'postgres', 'PG_VERSION')));
});

test('other keys than the backup was made under are refused', { timeout: STEP_TIMEOUT_MS }, async () => {
  const other = dataPaths(join(folder, 'other-keys'));
  makeDataDir(other);
  loadSecrets(other);
  const run = await tool('restore', ['--from', backup], { DATA_DIR: other.dataDir });
  assert.equal(run.code, 1);
  assert.match(run.stderr, /has other keys than the backup was made under \(PERSONAL_DATA_KEY/);
  assert.equal(existsSync(other.postgres), false);
});

test('what can not be done is refused with the way out', { timeout: STEP_TIMEOUT_MS }, async () => {
  const cases = [
    ['backup', ['--to', backup], /has something in it already/],
    ['backup', [], /There is no data in/, { DATA_DIR: join(folder, 'nothing') }],
    ['backup', [], /databases of your own/, { LEDGER_DATABASE_URL: 'postgresql://127.0.0.1:1/ledger' }],
    ['restore', [], /--from DIR/],
    ['restore', ['--from', folder], /is no backup/],
    ['restore', ['--from', backup, '--until', 'yesterday'], /--until takes a time/],
  ];
  for (const [name, args, why, env] of cases) {
    const run = await tool(name, args, env);
    assert.equal(run.code, 1, `${name} ${args}`);
    assert.match(run.stderr, why);
  }
});
