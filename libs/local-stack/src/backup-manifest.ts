// The description of a backup: backup.json, written last. A folder without it is no backup.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { syncFolder } from './durable-files';
import { sharedValues } from './environment';
import type { Secrets } from './secrets';

export const MANIFEST = 'backup.json';
const FORMAT = 1;
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

export async function writeManifest(
  target: string,
  taken: TakenBackup,
  { keys, withKeys }: { keys: Record<string, string>; withKeys: boolean },
): Promise<BackupManifest> {
  const { startedAt, endedAt, endsAt, version, heads, files } = taken;
  const manifest = {
    format: FORMAT,
    started_at: startedAt.toISOString(),
    ended_at: endedAt.toISOString(),
    ends_at_lsn: endsAt,
    postgres_version: version,
    heads,
    with_keys: withKeys,
    keys,
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
  };
  await writeFile(join(target, MANIFEST), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true });
  await syncFolder(target);
  return manifest;
}

export async function readManifest(folder: string): Promise<BackupManifest> {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new OperatorError(`${folder} is no backup, or one that was never finished: it has no ${MANIFEST}.`);
  const manifest = JSON.parse(await readFile(file, 'utf8')) as BackupManifest;
  if (manifest.format !== FORMAT)
    throw new OperatorError(`${file} has a format that this checkout doesn't know: use the one that made it.`);
  return manifest;
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
