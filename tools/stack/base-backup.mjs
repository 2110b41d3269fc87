// A physical base backup of the local stack's Postgres, taken while it runs and takes writes: everything that was
// committed before the backup ended is in it, all databases as of one moment.
//
// pg_backup_start → copy the data folder, changing as it is, without the write-ahead log → pg_backup_stop, which gives the
// label to start recovery from → copy the log from there to the backup's end, which a replication slot has kept from
// being recycled. What was copied while it changed is made whole by replaying that log when the copy is first started.
// A list of all files with their hashes is written last and names the backup complete.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sharedValues } from './environment.mjs';
import { Refusal } from './terminal.mjs';

const MANIFEST = 'backup.json';
const FORMAT = 1;
const COPIES_AT_ONCE = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Made anew by every server, or only meaningful to the one that runs (see "Making a Base Backup" of Postgres). */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Folders that are empty in most clusters, so that no file brings them along. */
const MADE_ONCE = [
  'pg_tblspc',
  'pg_twophase',
  'pg_commit_ts',
  'pg_stat',
  'pg_logical/snapshots',
  'pg_logical/mappings',
];
const LEFT_OUT =
  /(^|\/)(postmaster\.pid|postmaster\.opts|pgsql_tmp[^/]*|pg_internal\.init[^/]*|backup_label(\.old)?|tablespace_map)$/;
/** What is sealed with these can't be read without them; the owner's password is how the tools log in. */
const KEYS = ['PERSONAL_DATA_KEY', 'BLIND_INDEX_KEY', 'BUS_KEY', 'DEPOSIT_SEED', 'CHECKPOINT_SIGNING_KEY'];

/** Copies the data folder of the running server behind `client` into `target`; resolves to what the list says of it. */
export async function takeBaseBackup({ client, postgresFolder, target, tell, beforeEnd }) {
  await client.query("SET statement_timeout = 0; SET lock_timeout = '30s'");
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`backup_${process.pid}`]);
  const [{ at: startedAt }] = await rowsOf(client, 'SELECT clock_timestamp() AS at');
  await client.query("SELECT pg_backup_start('npm run backup', fast => true)");
  const files = await copyAll(postgresFolder, join(target, 'postgres'), dataFiles(postgresFolder), tell);
  const heads = await beforeEnd();
  // What is answered from now on may be in it or not.
  const [{ at: endedAt }] = await rowsOf(client, 'SELECT clock_timestamp() AS at');
  const [stop] = await rowsOf(
    client,
    'SELECT lsn::text, labelfile, spcmapfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  if (stop.spcmapfile.trim() !== '')
    throw new Refusal('Tablespaces outside the data folder are not backed up: move them in.');
  files.push(await writeListed(target, 'postgres/backup_label', stop.labelfile));
  const segments = await neededSegments(client, postgresFolder, stop);
  files.push(...(await copyAll(postgresFolder, join(target, 'postgres'), segments, tell)));
  const [{ version }] = await rowsOf(client, "SELECT current_setting('server_version') AS version");
  return { startedAt, endedAt, endsAt: stop.lsn, version, heads, files };
}

const rowsOf = async (client, statement) => (await client.query(statement)).rows;

/** Every file worth copying, by its path in the data folder; folders that are emptied are kept as folders. */
function dataFiles(folder, under = '') {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (LEFT_OUT.test(path)) return [];
    if (!entry.isDirectory()) return [path];
    return under === '' && EMPTIED.has(entry.name) ? [] : dataFiles(folder, path);
  });
}

/** From the segment that the label names to the one that holds the end, which the server has just closed. */
async function neededSegments(client, folder, { lsn, labelfile }) {
  const first = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m.exec(labelfile)?.[1];
  const { rows } = await client.query('SELECT pg_walfile_name($1::pg_lsn) AS last', [lsn]);
  const names = readdirSync(join(folder, 'pg_wal')).filter((name) => /^[0-9A-F]{24}$/.test(name));
  const needed = names.filter((name) => name >= first && name <= rows[0].last).sort();
  if (needed[0] !== first || needed.at(-1) !== rows[0].last)
    throw new Refusal('The write-ahead log was recycled while it was being copied: take the backup again.');
  const histories = readdirSync(join(folder, 'pg_wal')).filter((name) => name.endsWith('.history'));
  return [...needed, ...histories].map((name) => `pg_wal/${name}`);
}

// -- copies -------------------------------------------------------------------------------------------------------

/** Copies files a few at a time; what the server removed meanwhile is in the log, and left out. */
async function copyAll(from, to, paths, tell) {
  const copied = [];
  const queue = [...paths];
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const file = await copyFile(join(from, path), join(to, path));
      if (file) copied.push({ path: `postgres/${path}`, ...file });
      tell(`${paths.length - queue.length} of ${paths.length} files`);
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
  return copied;
}

/** One file, with its size and hash as they were written; undefined if it isn't there. */
async function copyFile(from, to) {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let size = 0;
  const measured = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), measured, createWriteStream(to, { mode: 0o600 }));
  } catch (error) {
    if (error.code === 'ENOENT' && error.path === from) return undefined;
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

async function writeListed(target, path, text) {
  const bytes = Buffer.from(text);
  await writeFile(join(target, path), bytes, { mode: 0o600, flush: true });
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

// -- the list -----------------------------------------------------------------------------------------------------

/** What a backup says of itself, written last: a folder without it is no backup. */
export async function writeManifest(target, taken, { keys, withKeys }) {
  const { startedAt, endedAt, endsAt, version, heads, files } = taken;
  const manifest = {
    format: FORMAT,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    ends_at_lsn: endsAt,
    postgres_version: version,
    /** Of each shard of the ledger, shortly before the end: what is restored reaches at least these. */
    heads,
    with_keys: withKeys,
    keys,
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
  await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await syncFolder(target);
  return manifest;
}

export async function readManifest(folder) {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new Refusal(`${folder} is no backup, or one that was never finished: it has no ${MANIFEST}.`);
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  if (manifest.format !== FORMAT)
    throw new Refusal(`${file} has a format that this checkout doesn't know: use the one that made it.`);
  return manifest;
}

/** Brings all that is in a folder onto the disk. Once everything is written, which costs far less than file by file. */
export async function syncFolder(folder) {
  const entries = readdirSync(folder, { recursive: true }).map((entry) => join(folder, entry));
  const queue = [...entries, folder];
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await sync(path);
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
}

/** A file, or a folder's entries. */
export async function sync(path) {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Which keys a backup needs, without telling them: they are random, so that a hash gives nothing away. Restoring with
 * other keys would come up with data that nobody can read.
 */
export function keyFingerprints(env, secrets) {
  const values = { ...sharedValues(env, secrets), postgres_owner_password: secrets.postgres_owner_password };
  const fingerprint = (name) =>
    createHash('sha256').update(`backup key fingerprint/1\n${name}\n${values[name]}`).digest('hex').slice(0, 16);
  return Object.fromEntries([...KEYS, 'postgres_owner_password'].map((name) => [name, fingerprint(name)]));
}

/** Copies a backup's files to where they belong, each of which must be what the list says. */
export async function copyListed(backup, { files }, target, tell) {
  const queue = [...files];
  const work = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      const copied = await copyFile(join(backup, file.path), join(target, relative('postgres', file.path)));
      if (copied === undefined) throw new Refusal(`The backup is damaged: ${file.path} is missing.`);
      if (copied.size !== file.size || copied.sha256 !== file.sha256)
        throw new Refusal(`The backup is damaged: ${file.path} is not what ${MANIFEST} says.`);
      tell(`${files.length - queue.length} of ${files.length} files`);
    }
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, work));
  // What a server makes anew was left out with all that is in it, its folders too.
  for (const folder of [...EMPTIED, 'pg_wal/archive_status', 'pg_wal/summaries', ...MADE_ONCE])
    mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
  chmodFolders(target);
}

function chmodFolders(folder) {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) chmodFolders(join(folder, entry.name));
}

// -- the server ---------------------------------------------------------------------------------------------------

export async function connect(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'backup',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new Refusal(`Postgres does not answer (${error.code ?? error.message}): is the stack starting or stopping?`);
  }
}

/** How far the log of each shard of the ledger reaches now. */
export async function headsOf(url) {
  const ledger = new URL(url);
  ledger.pathname = '/ledger';
  const client = await connect(ledger.href);
  try {
    const { rows } = await client.query('SELECT shard, head_position FROM ledger_shards ORDER BY shard');
    return Object.fromEntries(rows.map(({ shard, head_position }) => [shard, Number(head_position)]));
  } finally {
    await client.end();
  }
}

export const isEmptyFolder = (folder) => !existsSync(folder) || readdirSync(folder).length === 0;
export const sizeOf = ({ files }) => files.reduce((sum, { size }) => sum + size, 0);
export const megabytes = (bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`;
export const majorVersion = (folder) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
