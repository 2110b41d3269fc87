/**
 * A base backup of a running Postgres, and its copy back. The operator's specs test the commands backup and restore,
 * with archived log and keys; apps/journeys-e2e/src/backup-restore.e2e.spec.ts tests the whole stack under load.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type BackupManifest, keyFingerprints, readManifest, writeManifest } from './backup-manifest';
import { connect, copyListed, headsOf, takeBaseBackup } from './base-backup';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { type DataPaths, dataPaths, makeDataDir } from './paths';
import { type PostgresServer, startPostgres } from './postgres';
import { loadSecrets, type Secrets } from './secrets';

const folders = new TemporaryFolders();
const tell = () => undefined;
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
  manifest = await writeManifest(backup, taken, { keys: keyFingerprints({}, secrets), withKeys: false });
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
  await copyListed(backup, manifest, restored.postgres, tell);
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
  expect(await readManifest(backup)).toEqual(manifest);
  expect(manifest).toMatchObject({ format: 1, heads: { 0: 7 }, with_keys: false });
  expect(manifest.files.map(({ path }) => path)).toContain('postgres/backup_label');
  expect(Object.keys(manifest.keys)).toContain('PERSONAL_DATA_KEY');
  expect(JSON.stringify(manifest)).not.toContain(secrets.BUS_KEY);
  for (const { path, size } of manifest.files) expect(statSync(join(backup, path)).size).toBe(size);
  const server = readdirSync(join(backup, 'postgres'));
  expect(server).not.toContain('postmaster.pid');
});

it('is refused when a file is missing or was changed, and when the backup was never completed', async () => {
  const copy = dataPaths(join(folders.make(), 'data'));
  const control = join(backup, 'postgres', 'global', 'pg_control');
  appendFileSync(control, 'x');
  await expect(copyListed(backup, manifest, copy.postgres, tell)).rejects.toThrow(
    /The backup is damaged: postgres\/global\/pg_control is not what backup\.json says/,
  );
  rmSync(control);
  await expect(copyListed(backup, manifest, copy.postgres, tell)).rejects.toThrow(
    /The backup is damaged: postgres\/global\/pg_control is missing/,
  );
  await expect(readManifest(join(backup, 'postgres'))).rejects.toThrow(/is no backup, or one that was never finished/);
});

it('reports when Postgres does not answer', async () => {
  expect(existsSync(original.postgres)).toBe(true);
  await expect(headsOf('postgresql://a:b@127.0.0.1:1/ledger')).rejects.toThrow(
    /Postgres does not answer \(ECONNREFUSED\)/,
  );
});
