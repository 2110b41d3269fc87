/**
 * Starts restored files for the first time: Postgres repairs files that changed during the copy from the backup's own
 * log, and goes on with an archived log if one is given.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { BackupManifest, Heads } from '@stablecoin/local-stack/backup-manifest';
import { connect, headsOf } from '@stablecoin/local-stack/base-backup';
import { DataPaths } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import { Secrets } from '@stablecoin/local-stack/secrets';

export interface RecoveryTarget {
  /** A folder of archived segments, see `checkedArchive`. */
  archive?: string;
  /** Recovers no further than this time. */
  until?: string;
}

const POLL_MS = 100;
const MARK = '# npm run restore';

/** The folder's path, refused when the server's configuration could not quote it. */
export function checkedArchive(archive: string | undefined): string | undefined {
  if (archive === undefined) return undefined;
  const path = resolve(archive);
  if (!existsSync(path)) throw new OperatorError(`There is no ${path}.`);
  if (/["'%\\\n]/.test(path))
    throw new OperatorError('The path of the archive must have no quotation mark, percent sign or backslash.');
  return path;
}

/**
 * Configures a recovery from an archive, also without one, because the server then begins a new timeline. It archives
 * nothing until its operator names a folder: in the original server's archive, its log would mislead later recoveries.
 */
export function prepareRecovery(folder: string, { archive, until }: RecoveryTarget): void {
  const settings = [
    `restore_command = '${archive === undefined ? 'false' : `cp "${archive}/%f" "%p"`}'`,
    ...(until === undefined
      ? []
      : [`recovery_target_time = '${postgresTime(until)}'`, "recovery_target_action = 'promote'"]),
  ];
  const file = join(folder, 'postgresql.auto.conf');
  const kept = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^\s*archive_mode\b/.test(line));
  const lines = [...kept, 'archive_mode = off', ...settings.map((setting) => `${setting} ${MARK}`)];
  writeFileSync(file, `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'recovery.signal'), '', { mode: 0o600 });
}

const postgresTime = (until: string) => new Date(until).toISOString().replace('T', ' ').replace('Z', '+00');

/** Starts the server once, until it has recovered at least to the heads of the backup. */
export async function recover(
  paths: DataPaths,
  secrets: Secrets,
  { manifest, record }: { manifest: BackupManifest; record: (url: string) => Promise<void> },
): Promise<Heads> {
  const postgres = await startPostgres(paths, secrets);
  try {
    const url = postgres.url('postgres');
    await untilRecovered(url);
    const heads = requireReached(manifest.heads, await headsOf(url));
    await record(url);
    return heads;
  } finally {
    await postgres.stop();
    forgetRecovery(paths.postgres);
  }
}

function requireReached(expected: Heads, heads: Heads): Heads {
  const [short] = Object.entries(expected).filter(([shard, head]) => !((heads[shard] ?? 0) >= head));
  if (short === undefined) return heads;
  const [shard, head] = short;
  throw new OperatorError(
    `Recovery ended too soon: shard ${shard} of the ledger ends at ${heads[shard] ?? 0}, but the backup reached ${head}.`,
  );
}

/** Waits for the end of recovery: Postgres answers before it. */
async function untilRecovered(url: string): Promise<void> {
  const client = await connect(url);
  try {
    for (;;) {
      const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
      if (rows[0]?.recovering === false) return;
      await sleep(POLL_MS);
    }
  } finally {
    await client.end();
  }
}

function forgetRecovery(folder: string): void {
  const file = join(folder, 'postgresql.auto.conf');
  const lines = readFileSync(file, 'utf8').split('\n');
  const kept = lines.filter((line) => !line.endsWith(MARK));
  if (kept.length < lines.length) writeFileSync(file, kept.join('\n'));
}
