/**
 * A base backup of a running Postgres, and its copy back. The operator's specs test the commands backup and restore,
 * with archived log and keys; apps/journeys-e2e/src/backup-restore.e2e.spec.ts tests the whole stack under load.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type BackupManifest, isPlain, keyFingerprints, readManifest, writeManifest } from './backup-manifest';
import { checkListed, connect, copyListed, headsOf, takeBaseBackup } from './base-backup';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { type DataPaths, dataPaths, makeDataDir } from './paths';
import { type PostgresServer, startPostgres } from './postgres';
import { loadSecrets, type Secrets } from './secrets';

const folders = new TemporaryFolders();
const tell = () => undefined;
const key = Buffer.alloc(32, 7);
let original: DataPaths;
let secrets: Secrets;
let postgres: PostgresServer;
let backup: string;
let manifest: BackupManifest;

beforeAll(async () => {
  original = dataPaths(join(folders.make(), 'data'));
  makeDataDir(original);
  secrets = loadSecrets(original);
  postgres = await startPostgres(original, secrets);
  backup = folders.make();
  mkdirSync(join(backup, 'postgres'));
  await onServer(postgres, 'CREATE TABLE written AS SELECT 1 AS number');
  const client = await connect(postgres.url('postgres'));
  const taken = await takeBaseBackup({
    client,
    key,
    postgresFolder: original.postgres,
    target: backup,
    tell,
    // Written after the data files were copied: only the log has it.
    beforeEnd: async () => {
      await onServer(postgres, 'INSERT INTO written VALUES (2)');
      return { 0: 7 };
    },
  });
  await client.end();
  await onServer(postgres, 'INSERT INTO written VALUES (3)');
  manifest = await writeManifest(backup, taken, { keys: keyFingerprints({}, secrets), withKeys: false, key });
});

afterAll(async () => {
  await postgres.stop();
  await folders.remove();
});

async function onServer(server: PostgresServer, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}

it('has everything that was committed before it ended, and nothing later', async () => {
  const restored = dataPaths(join(folders.make(), 'data'));
  makeDataDir(restored);
  mkdirSync(restored.postgres);
  await copyListed(backup, manifest, restored.postgres, { tell, key });
  const server = await startPostgres(restored, secrets);
  try {
    expect(await onServer(server, 'SELECT number FROM written ORDER BY number')).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  } finally {
    await server.stop();
  }
});

it('lists every file with its size and hash, the heads and the fingerprints of the keys', async () => {
  expect(await readManifest(backup, key)).toEqual(manifest);
  expect(await isPlain(backup)).toBe(false);
  expect(manifest).toMatchObject({ format: 2, heads: { 0: 7 }, with_keys: false });
  expect(manifest.files.map(({ path }) => path)).toContain('postgres/backup_label');
  expect(Object.keys(manifest.keys)).toContain('PERSONAL_DATA_KEY');
  expect(JSON.stringify(manifest)).not.toContain(secrets.BUS_KEY);
  for (const { path, size } of manifest.files) expect(statSync(join(backup, path)).size).toBeGreaterThan(size);
  const server = readdirSync(join(backup, 'postgres'));
  expect(server).not.toContain('postmaster.pid');
});

it('is sealed: no file says what is in it, and it opens under its key alone', async () => {
  for (const { path } of manifest.files)
    expect(readFileSync(join(backup, path)).subarray(0, 19).toString()).toBe('stablecoin-backup/1');
  expect(readFileSync(join(backup, 'backup.json'), 'utf8')).not.toContain('heads');
  await checkListed(backup, manifest, { tell, key });
  await expect(readManifest(backup, undefined)).rejects.toThrow(/The backup is sealed: set BACKUP_KEY/);
  await expect(readManifest(backup, Buffer.alloc(32, 8))).rejects.toThrow(/sealed under another backup key/);
});

it('is refused before anything is written when two files were exchanged, one was cut off, or its list was', async () => {
  const [one, other] = ['postgres/PG_VERSION', 'postgres/postgresql.conf'].map((path) => join(backup, path)) as [
    string,
    string,
  ];
  const list = join(backup, 'backup.sealed');
  const refused = () => checkListed(backup, manifest, { tell, key });
  for (const [place, change] of [
    [one, () => copyFileSync(other, one)],
    [one, () => truncateSync(one, statSync(one).size - 1)],
    [other, () => truncateSync(other, 36)],
  ] as const) {
    const kept = readFileSync(place);
    change();
    await expect(refused()).rejects.toThrow(/The backup is damaged or forged: postgres\//);
    writeFileSync(place, kept);
  }
  await refused();
  const kept = readFileSync(list);
  for (const forged of [kept.subarray(0, kept.length - 20), Buffer.from('{}')]) {
    writeFileSync(list, forged);
    await expect(readManifest(backup, key)).rejects.toThrow(/The backup is damaged or forged: backup\.sealed/);
  }
  writeFileSync(list, kept);
});

it('is refused when a file is missing or was changed, and when the backup was never completed', async () => {
  const copy = dataPaths(join(folders.make(), 'data'));
  const control = join(backup, 'postgres', 'global', 'pg_control');
  appendFileSync(control, 'x');
  await expect(copyListed(backup, manifest, copy.postgres, { tell, key })).rejects.toThrow(
    /The backup is damaged or forged: postgres\/global\/pg_control is not what was sealed/,
  );
  rmSync(control);
  await expect(checkListed(backup, manifest, { tell, key })).rejects.toThrow(
    /The backup is damaged: postgres\/global\/pg_control is missing/,
  );
  await expect(readManifest(join(backup, 'postgres'), key)).rejects.toThrow(
    /is no backup, or one that was never finished/,
  );
});

it('reports when Postgres does not answer', async () => {
  expect(existsSync(original.postgres)).toBe(true);
  await expect(headsOf('postgresql://a:b@127.0.0.1:1/ledger')).rejects.toThrow(
    /Postgres does not answer \(ECONNREFUSED\)/,
  );
});
