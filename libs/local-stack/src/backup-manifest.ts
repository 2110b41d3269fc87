// The description of a backup, written last: backup.json, which says that it is one and under which key it is sealed, and the list
// of all files, sealed as they are. A folder without it is no backup.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { syncFolder } from './durable-files';
import { sharedValues } from './environment';
import { backupKeyId, opening, SealBroken, sealing } from './sealed-file';
import type { Secrets } from './secrets';

export const MANIFEST = 'backup.json';
/** The list of a sealed backup; its name is part of its seal. */
const LIST = 'backup.sealed';
const SEALED_FORMAT = 2;
/** Of versions that sealed nothing. */
const PLAIN_FORMAT = 1;
/** Keys without which a backup's sealed data can't be read; the tools also log in with the owner's password. */
const KEYS = ['PERSONAL_DATA_KEY', 'BLIND_INDEX_KEY', 'BUS_KEY', 'DEPOSIT_SEED', 'CHECKPOINT_SIGNING_KEY'];

export interface ListedFile {
  path: string;
  size: number;
  sha256: string;
}

/** The last position of the ledger's log, by shard. */
export type Heads = Record<string, number>;

/** The result of copying a running Postgres. */
export interface TakenBackup {
  startedAt: Date;
  endedAt: Date;
  endsAt: string;
  version: string;
  heads: Heads;
  files: ListedFile[];
}

export interface BackupManifest {
  format: number;
  started_at: string;
  ended_at: string;
  ends_at_lsn: string;
  postgres_version: string;
  /** The heads of the ledger's shards shortly before the end: restored data reaches at least these. */
  heads: Heads;
  with_keys: boolean;
  /** Fingerprints by name of the key. */
  keys: Record<string, string>;
  files: ListedFile[];
}

/** What stands in clear in a sealed backup. */
interface Cover {
  format: number;
  key_id?: string;
}

export async function writeManifest(
  target: string,
  taken: TakenBackup,
  { keys, withKeys, key }: { keys: Record<string, string>; withKeys: boolean; key: Buffer },
): Promise<BackupManifest> {
  const { startedAt, endedAt, endsAt, version, heads, files } = taken;
  const manifest = {
    format: SEALED_FORMAT,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    ends_at_lsn: endsAt,
    postgres_version: version,
    heads,
    with_keys: withKeys,
    keys,
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
  const list = await through(Buffer.from(JSON.stringify(manifest)), sealing(key, LIST));
  await writeFile(join(target, LIST), list, { mode: 0o600, flush: true });
  const cover: Cover = { format: SEALED_FORMAT, key_id: backupKeyId(key) };
  await writeFile(join(target, MANIFEST), `${JSON.stringify(cover, null, 1)}\n`, { mode: 0o600, flush: true });
  await syncFolder(target);
  return manifest;
}

/** Whether a backup is one of a version that sealed nothing: it could have been made or changed by anybody. */
export async function isPlain(folder: string): Promise<boolean> {
  return (await readCover(folder)).format === PLAIN_FORMAT;
}

/** @param key the backup key; needed but for a plain one */
export async function readManifest(folder: string, key: Buffer | undefined): Promise<BackupManifest> {
  const cover = await readCover(folder);
  if (cover.format === PLAIN_FORMAT) return cover as BackupManifest;
  if (!key)
    throw new OperatorError(
      'The backup is sealed: set BACKUP_KEY or BACKUP_KEY_FILE, or name a secrets.json that has it with --keys.',
    );
  if (cover.key_id !== backupKeyId(key))
    throw new OperatorError(
      `The backup is sealed under another backup key, ${cover.key_id}: name the one that it was made with.`,
    );
  try {
    const list = await through(await readFile(join(folder, LIST)), opening(key, LIST));
    return JSON.parse(list.toString('utf8')) as BackupManifest;
  } catch (error) {
    if (error instanceof SealBroken) throw new OperatorError(`The backup is damaged or forged: ${error.message}.`);
    throw error;
  }
}

async function readCover(folder: string): Promise<Cover> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new OperatorError(`${folder} is no backup, or one that was never finished: it has no ${MANIFEST}.`);
  const cover = JSON.parse(await readFile(file, 'utf8')) as Cover;
  if (![PLAIN_FORMAT, SEALED_FORMAT].includes(cover.format))
    throw new OperatorError(`${file} has a format that this checkout doesn't know: use the one that made it.`);
  return cover;
}

async function through(bytes: Buffer, by: ReturnType<typeof sealing>): Promise<Buffer> {
  let out = Buffer.alloc(0);
  await pipeline(Readable.from([bytes]), by, async (source: AsyncIterable<Buffer>) => {
    out = await buffer(source);
  });
  return out;
}

/**
 * Identifies the keys that a backup needs without revealing them: they are random, so that a hash gives nothing away.
 * Restored with other keys, the data could not be decrypted.
 */
export function keyFingerprints(env: NodeJS.ProcessEnv, secrets: Secrets): Record<string, string> {
  const values: Partial<Record<string, string>> = {
    ...sharedValues(env, secrets),
    postgres_owner_password: secrets.postgres_owner_password,
  };
  const fingerprint = (name: string) =>
    createHash('sha256')
      .update(`backup key fingerprint/1\n${name}\n${values[name] ?? 'undefined'}`)
      .digest('hex')
      .slice(0, 16);
  return Object.fromEntries([...KEYS, 'postgres_owner_password'].map((name) => [name, fingerprint(name)]));
}

export const sizeOf = ({ files }: Pick<BackupManifest, 'files'>) => files.reduce((sum, { size }) => sum + size, 0);
export const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;
