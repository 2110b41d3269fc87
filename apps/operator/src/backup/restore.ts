/**
 * Copies a backup into the data folder of a stopped stack and starts Postgres once, which repairs files that changed
 * during the copy and shows that the backup can be recovered.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say, step } from '@stablecoin/command-line/terminal';
import { BackupManifest, Heads, keyFingerprints, readManifest } from '@stablecoin/local-stack/backup-manifest';
import { copyListed, majorVersion } from '@stablecoin/local-stack/base-backup';
import { sync, syncFolder } from '@stablecoin/local-stack/durable-files';
import { takeLock } from '@stablecoin/local-stack/lock';
import { dataDirFrom, dataPaths, DataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { endLeftovers } from '@stablecoin/local-stack/processes';
import { readSecrets, Secrets, writeOwnerOnly } from '@stablecoin/local-stack/secrets';
import { checkedArchive, prepareRecovery, recover, RecoveryTarget } from './recovery';

export interface RestoreRequest extends RecoveryTarget {
  env: NodeJS.ProcessEnv;
  /** The backup's folder. */
  from: string;
  /** The secrets.json with which the backup was made, when neither the backup nor the data folder has it. */
  keys?: string;
  /** Sets existing data in the data folder aside; without it, existing data is a reason to refuse. */
  replace: boolean;
  /** Puts the restore on the record, in the server that was restored. */
  record: (url: string) => Promise<void>;
}

export interface Restored {
  dataDir: string;
  manifest: BackupManifest;
  heads: Heads;
}

export async function restore({ env, from, archive, ...request }: RestoreRequest): Promise<Restored> {
  const backup = resolve(from);
  const manifest = await readManifest(backup);
  const paths = dataPaths(dataDirFrom(env));
  makeDataDir(paths);
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    await endLeftovers(paths.dataDir);
    const restoring = { ...request, archive: checkedArchive(archive), env, backup, manifest, paths };
    return { dataDir: paths.dataDir, manifest, heads: await restoreInto(restoring) };
  } finally {
    release();
  }
}

interface Restoring extends Omit<RestoreRequest, 'from'> {
  backup: string;
  manifest: BackupManifest;
  paths: DataPaths;
}

async function restoreInto(restoring: Restoring): Promise<Heads> {
  const { paths, replace, manifest } = restoring;
  const secrets = fittingSecrets(restoring);
  if (existsSync(paths.postgres) && !replace)
    throw new OperatorError(
      `There is data in ${paths.dataDir} already: choose another folder with DATA_DIR, or set it aside with --replace.`,
    );
  await copyBackup(restoring);
  setAside(paths);
  writeOwnerOnly(paths.secrets, `${JSON.stringify(secrets, null, 2)}\n`);
  prepareRecovery(paths.postgresUnfinished, restoring);
  renameSync(paths.postgresUnfinished, paths.postgres);
  await sync(paths.dataDir);
  try {
    return await step('Recovery', () => recover(paths, secrets, { manifest, record: restoring.record }));
  } catch (error) {
    rmSync(paths.postgres, { recursive: true, force: true }); // Only a copy: another attempt begins anew.
    throw error;
  }
}

async function copyBackup({ backup, manifest, paths }: Restoring): Promise<void> {
  const draft = paths.postgresUnfinished;
  try {
    await step('Copying the backup', async (tell) => {
      rmSync(draft, { recursive: true, force: true });
      mkdirSync(draft, { mode: 0o700 });
      await copyListed(backup, manifest, draft, tell);
      await syncFolder(draft);
      if (majorVersion(draft) !== manifest.postgres_version.split('.')[0])
        throw new OperatorError(`The backup is damaged: it is not of Postgres ${manifest.postgres_version}.`);
    });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Finds the keys; refuses other keys than those of the backup before anything is changed. */
function fittingSecrets({ env, backup, manifest, paths, keys }: Restoring): Secrets {
  const file = keys === undefined ? (manifest.with_keys ? join(backup, 'secrets.json') : paths.secrets) : resolve(keys);
  const secrets = readSecrets({ secrets: file });
  if (secrets === undefined)
    throw new OperatorError(
      keys === undefined
        ? "The backup's keys are not in it: say where its secrets.json is kept, with --keys FILE."
        : `There is no ${file}.`,
    );
  const found = keyFingerprints(env, secrets);
  const other = Object.keys(manifest.keys).filter((name) => manifest.keys[name] !== found[name]);
  if (other.length > 0)
    throw new OperatorError(
      `${file} has other keys than the backup was made under (${other.join(', ')}): name the right one with --keys.`,
    );
  return secrets;
}

/**
 * Keeps the earlier data, in case it was not meant to be replaced. Also sets the broker's stream aside: it may hold
 * facts that the restored log lacks.
 */
function setAside(paths: DataPaths): void {
  if (existsSync(paths.postgres)) {
    const aside = join(paths.dataDir, `replaced-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`);
    mkdirSync(aside, { mode: 0o700 });
    renameSync(paths.postgres, join(aside, 'postgres'));
    if (existsSync(paths.nats)) renameSync(paths.nats, join(aside, 'nats'));
    if (existsSync(paths.secrets)) cpSync(paths.secrets, join(aside, 'secrets.json'));
    say(`  What was there is kept in ${aside}`);
  } else rmSync(paths.nats, { recursive: true, force: true });
  rmSync(paths.stack, { force: true });
  makeDataDir(paths);
}
