/**
 * Copies a backup into the data folder of a stopped stack and starts Postgres once, which repairs files that changed
 * during the copy and shows that the backup can be recovered.
 */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say, step } from '@stablecoin/command-line/terminal';
import { ErasureRecord } from '@stablecoin/customer-store/customers/erasure-record';
import { BackupManifest, Heads, isPlain, keyFingerprints, readManifest } from '@stablecoin/local-stack/backup-manifest';
import { checkListed, copyListed, majorVersion } from '@stablecoin/local-stack/base-backup';
import { sync, syncFolder } from '@stablecoin/local-stack/durable-files';
import { takeLock } from '@stablecoin/local-stack/lock';
import { dataDirFrom, dataPaths, DataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { endLeftovers } from '@stablecoin/local-stack/processes';
import { readSecrets, Secrets, writeOwnerOnly } from '@stablecoin/local-stack/secrets';
import { backupKey, openSecrets } from './backup-key';
import { checkedArchive, prepareRecovery, recover, RecoveryTarget } from './recovery';

export interface RestoreRequest extends RecoveryTarget {
  env: NodeJS.ProcessEnv;
  /** The backup's folder. */
  from: string;
  /** The secrets.json with which the backup was made, when neither the backup nor the data folder has it. */
  keys?: string;
  /** Takes a backup of a version that sealed nothing: anybody could have made or changed it. */
  unsealed: boolean;
  /** The record of who was erased, when the data folder's own is not the one. */
  erasures?: string;
  /** Sets existing data in the data folder aside; without it, existing data is a reason to refuse. */
  replace: boolean;
  /** Puts the restore on the record, in the server that was restored. */
  record: (url: string) => Promise<void>;
}

export interface Restored {
  dataDir: string;
  manifest: BackupManifest;
  heads: Heads;
  /** How many erasures the restored service will hold against its database when it starts. */
  erasures: number;
}

export async function restore({ env, from, archive, ...request }: RestoreRequest): Promise<Restored> {
  const backup = resolve(from);
  const paths = dataPaths(dataDirFrom(env));
  if ((await isPlain(backup)) && !request.unsealed)
    throw new OperatorError(
      `${backup} is not sealed, so anybody could have made or changed it: --unsealed takes it all the same.`,
    );
  const key = (await isPlain(backup)) ? undefined : restoringKey({ env, paths, keys: request.keys });
  const manifest = await readManifest(backup, key);
  makeDataDir(paths);
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    await endLeftovers(paths.dataDir);
    const restoring = { ...request, archive: checkedArchive(archive), env, backup, key, manifest, paths };
    const erasures = await recordOfErasures(request.erasures, paths);
    return { dataDir: paths.dataDir, manifest, heads: await restoreInto(restoring), erasures };
  } finally {
    release();
  }
}

/** The record is no part of a backup, which would set it back: it stays, and what another one says is added to it. */
async function recordOfErasures(file: string | undefined, paths: DataPaths): Promise<number> {
  const record = new ErasureRecord(paths.erasures);
  const known = await record.all();
  if (file === undefined) return known.length;
  if (!existsSync(file)) throw new OperatorError(`There is no ${file}.`);
  const given = await new ErasureRecord(resolve(file)).all();
  const added = given.filter(({ customer_id }) => !known.some((one) => one.customer_id === customer_id));
  for (const erasure of added) await record.add(erasure);
  return known.length + added.length;
}

interface Restoring extends Omit<RestoreRequest, 'from'> {
  backup: string;
  key: Buffer | undefined;
  manifest: BackupManifest;
  paths: DataPaths;
}

async function restoreInto(restoring: Restoring): Promise<Heads> {
  const { paths, replace, manifest, backup, key } = restoring;
  const secrets = await fittingSecrets(restoring);
  if (existsSync(paths.postgres) && !replace)
    throw new OperatorError(
      `There is data in ${paths.dataDir} already: choose another folder with DATA_DIR, or set it aside with --replace.`,
    );
  await step('Checking the backup', (tell) => checkListed(backup, manifest, { tell, key }));
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

async function copyBackup({ backup, manifest, paths, key }: Restoring): Promise<void> {
  const draft = paths.postgresUnfinished;
  try {
    await step('Copying the backup', async (tell) => {
      rmSync(draft, { recursive: true, force: true });
      mkdirSync(draft, { mode: 0o700 });
      await copyListed(backup, manifest, draft, { tell, key });
      await syncFolder(draft);
      if (majorVersion(draft) !== manifest.postgres_version.split('.')[0])
        throw new OperatorError(`The backup is damaged: it is not of Postgres ${manifest.postgres_version}.`);
    });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** The key that opens the backup: of the environment, of the file that --keys names, or of the data folder. */
function restoringKey({ env, paths, keys }: Pick<Restoring, 'env' | 'paths' | 'keys'>): Buffer | undefined {
  return backupKey(env, readSecrets({ secrets: keys === undefined ? paths.secrets : resolve(keys) }));
}

/** Finds the keys; refuses other keys than those of the backup before anything is changed. */
async function fittingSecrets({ env, backup, key, manifest, paths, keys }: Restoring): Promise<Secrets> {
  const file = keys === undefined ? (manifest.with_keys ? join(backup, 'secrets.json') : paths.secrets) : resolve(keys);
  const isWithin = keys === undefined && manifest.with_keys;
  const secrets = isWithin && key ? await openSecrets(backup, key) : readSecrets({ secrets: file });
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
