// Takes a physical base backup of the local stack's Postgres while it runs and takes writes. The backup has everything
// that was committed before it ended, all databases as of one moment.
//
// pg_backup_start → copy the data folder while it changes, without the write-ahead log → pg_backup_stop, which gives
// the label to start recovery from → copy the log from there to the backup's end, which a replication slot keeps until
// then. At the copy's first start, Postgres replays that log and so repairs files that changed meanwhile. A list of all
// files with their hashes is written last (backup-manifest.ts) and marks the backup as complete.

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
import { dirname, join, relative } from 'node:path';
import { PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Tell } from '@stablecoin/command-line/terminal';
import pg from 'pg';
import type { BackupManifest, Heads, ListedFile, TakenBackup } from './backup-manifest';
import { eachOf } from './durable-files';
import { opening, SealBroken, sealing } from './sealed-file';

const CONNECT_TIMEOUT_MS = 10_000;
/** Folders that every server fills anew, or that concern only the running one (Postgres: "Making a Base Backup"). */
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
/** Folders that are mostly empty, so that copying files does not create them. */
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
const FIRST_SEGMENT = /^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)$/m;
const SEGMENT = /^[0-9A-F]{24}$/;

export interface BackupRequest {
  /** A connection of the owner that is used for nothing else meanwhile. */
  client: pg.Client;
  postgresFolder: string;
  target: string;
  tell: Tell;
  /** Seals every file; left out for a copy that stays a server's. */
  key?: Buffer;
  /** Called shortly before the end: restored data reaches at least these. */
  beforeEnd: () => Promise<Heads>;
}

interface BackupStop {
  lsn: string;
  labelfile: string;
  spcmapfile: string;
}

/** Copies the data folder of the running server behind `client` into `target`. */
export async function takeBaseBackup(request: BackupRequest): Promise<TakenBackup> {
  const { client, postgresFolder, target, tell, key, beforeEnd } = request;
  await client.query("SET statement_timeout = 0; SET lock_timeout = '30s'");
  await client.query('SELECT pg_create_physical_replication_slot($1, true, true)', [`backup_${process.pid}`]);
  const { at: startedAt } = await rowOf<{ at: Date }>(client, 'SELECT clock_timestamp() AS at');
  await client.query("SELECT pg_backup_start('npm run backup', fast => true)");
  const files = await copyAll(postgresFolder, target, dataFiles(postgresFolder), { tell, key });
  const heads = await beforeEnd();
  // A commit that is answered from now on may or may not be in the backup.
  const { at: endedAt } = await rowOf<{ at: Date }>(client, 'SELECT clock_timestamp() AS at');
  const stop = await rowOf<BackupStop>(
    client,
    'SELECT lsn::text, labelfile, spcmapfile FROM pg_backup_stop(wait_for_archive => false)',
  );
  if (stop.spcmapfile.trim() !== '')
    throw new OperatorError('Tablespaces outside the data folder are not backed up: move them in.');
  files.push(await writeListed(target, 'postgres/backup_label', stop.labelfile, key));
  const segments = await neededSegments(client, postgresFolder, stop);
  files.push(...(await copyAll(postgresFolder, target, segments, { tell, key })));
  const { version } = await rowOf<{ version: string }>(client, "SELECT current_setting('server_version') AS version");
  return { startedAt, endedAt, endsAt: stop.lsn, version, heads, files };
}

async function rowOf<Row extends object>(client: pg.Client, statement: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(statement, values);
  const [row] = rows;
  if (row === undefined) throw new Error(`No row was answered to: ${statement}`);
  return row;
}

/** Every file worth copying, by its path in the data folder; folders that are emptied are kept as folders. */
function dataFiles(folder: string, under = ''): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (LEFT_OUT.test(path)) return [];
    if (!entry.isDirectory()) return [path];
    return under === '' && EMPTIED.has(entry.name) ? [] : dataFiles(folder, path);
  });
}

/** The segments from the one that the label names to the one with the end, which the server has just closed. */
async function neededSegments(client: pg.Client, folder: string, { lsn, labelfile }: BackupStop): Promise<string[]> {
  const first = FIRST_SEGMENT.exec(labelfile)?.[1];
  if (first === undefined) throw new Error(`The backup label names no segment of the log:\n${labelfile}`);
  const { last } = await rowOf<{ last: string }>(client, 'SELECT pg_walfile_name($1::pg_lsn) AS last', [lsn]);
  const names = readdirSync(join(folder, 'pg_wal')).filter((name) => SEGMENT.test(name));
  const needed = names.filter((name) => name >= first && name <= last).sort();
  if (needed[0] !== first || needed.at(-1) !== last)
    throw new OperatorError('The write-ahead log was recycled while it was being copied: take the backup again.');
  const histories = readdirSync(join(folder, 'pg_wal')).filter((name) => name.endsWith('.history'));
  return [...needed, ...histories].map((name) => `pg_wal/${name}`);
}

// -- copies -------------------------------------------------------------------------------------------------------

/** Copies files a few at a time, without those that the server removed meanwhile: the log replays their removal. */
async function copyAll(
  from: string,
  target: string,
  paths: readonly string[],
  { tell, key }: { tell: Tell; key: Buffer | undefined },
): Promise<ListedFile[]> {
  const copied: ListedFile[] = [];
  await eachOf(paths, async (path, done) => {
    const listed = `postgres/${path}`;
    const seal = key ? sealing(key, listed) : new PassThrough();
    const file = await measuredCopy(join(from, path), { to: join(target, listed), after: seal });
    if (file) copied.push({ path: listed, ...file });
    tell(`${done} of ${paths.length} files`);
  });
  return copied;
}

/**
 * One file, with its size and hash between what is done before and after; undefined if it isn't there.
 *
 * @param to left out to look at the file only
 */
async function measuredCopy(
  from: string,
  { to, before = new PassThrough(), after = new PassThrough() }: { to?: string; before?: Transform; after?: Transform },
): Promise<Omit<ListedFile, 'path'> | undefined> {
  if (to !== undefined) mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let size = 0;
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  const end = to === undefined ? nowhere() : createWriteStream(to, { mode: 0o600 });
  try {
    await pipeline(createReadStream(from), before, measured, after, end);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && (error as NodeJS.ErrnoException).path === from) return undefined;
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

async function writeListed(target: string, path: string, text: string, key: Buffer | undefined): Promise<ListedFile> {
  const bytes = Buffer.from(text);
  const seal = key ? sealing(key, path) : new PassThrough();
  await pipeline(Readable.from([bytes]), seal, createWriteStream(join(target, path), { mode: 0o600, flush: true }));
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

type Listed = Pick<BackupManifest, 'files'>;

/** Looks at every file of a backup, to its end: nothing is written before all of them are what the list says. */
export async function checkListed(
  backup: string,
  { files }: Listed,
  { tell, key }: { tell: Tell; key: Buffer | undefined },
) {
  await eachOf(files, async (file, done) => {
    await copyOne(backup, file, undefined, key);
    tell(`${done} of ${files.length} files`);
  });
}

/** Copies a backup's files to their places and checks each against the list. */
export async function copyListed(
  backup: string,
  { files }: Listed,
  target: string,
  { tell, key }: { tell: Tell; key?: Buffer },
): Promise<void> {
  await eachOf(files, async (file, done) => {
    await copyOne(backup, file, join(target, relative('postgres', file.path)), key);
    tell(`${done} of ${files.length} files`);
  });
  // The backup lacks the folders that a server fills anew.
  for (const folder of [...EMPTIED, 'pg_wal/archive_status', 'pg_wal/summaries', ...MADE_ONCE])
    mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
  chmodFolders(target);
}

async function copyOne(
  backup: string,
  file: ListedFile,
  to: string | undefined,
  key: Buffer | undefined,
): Promise<void> {
  const before = key ? opening(key, file.path) : new PassThrough();
  const copied = await measuredCopy(join(backup, file.path), { to, before }).catch((error: unknown) => {
    if (error instanceof SealBroken) throw new OperatorError(`The backup is damaged or forged: ${error.message}.`);
    throw error;
  });
  if (copied === undefined) throw new OperatorError(`The backup is damaged: ${file.path} is missing.`);
  if (copied.size !== file.size || copied.sha256 !== file.sha256)
    throw new OperatorError(`The backup is damaged: ${file.path} is not what its list says.`);
}

function chmodFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) chmodFolders(join(folder, entry.name));
}

// -- the server ---------------------------------------------------------------------------------------------------

export async function connect(url: string): Promise<pg.Client> {
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
    throw new OperatorError(
      `Postgres does not answer (${errorCode(error) ?? errorMessage(error)}): is the stack starting or stopping?`,
    );
  }
}

/** The last position of the ledger's log now, by shard. */
export async function headsOf(url: string): Promise<Heads> {
  const ledger = new URL(url);
  ledger.pathname = '/ledger';
  const client = await connect(ledger.href);
  try {
    const { rows } = await client.query<{ shard: number; head_position: string }>(
      'SELECT shard, head_position FROM ledger_shards ORDER BY shard',
    );
    return Object.fromEntries(rows.map(({ shard, head_position }) => [shard, Number(head_position)]));
  } finally {
    await client.end();
  }
}

export const isEmptyFolder = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;
export const majorVersion = (folder: string) => readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
