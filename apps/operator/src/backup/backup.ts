/**
 * Makes a base backup of the local stack's Postgres (see libs/local-stack/src/base-backup.ts), beside running services
 * or on a stopped stack. NATS needs none: the relay fills its stream again from the ledger's log.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { step } from '@stablecoin/command-line/terminal';
import { BackupManifest, keyFingerprints, writeManifest } from '@stablecoin/local-stack/backup-manifest';
import { connect, headsOf, isEmptyFolder, takeBaseBackup } from '@stablecoin/local-stack/base-backup';
import { readStack } from '@stablecoin/local-stack/description';
import { sync } from '@stablecoin/local-stack/durable-files';
import { backupKey, sealSecrets } from './backup-key';
import { databasesElsewhere, refuseUnlessSaid } from './other-servers';
import { lockHolder } from '@stablecoin/local-stack/lock';
import { dataDirFrom, dataPaths, DataPaths } from '@stablecoin/local-stack/paths';
import { readSecrets } from '@stablecoin/local-stack/secrets';
import { withPostgres } from '@stablecoin/local-stack/stack';
import { givenUrls, migrationUrlVariable } from '@stablecoin/migrations/databases';

export interface BackupRequest {
  env: NodeJS.ProcessEnv;
  /** A folder that does not exist yet; by default one that is named after the time. */
  to?: string;
  withKeys: boolean;
  /** The ledger's databases on other servers, of which it is known that they are not in it. */
  without: readonly string[];
  /** Puts the backup on the record, in the server that it is made of, and so into the backup as well. */
  record: (url: string) => Promise<void>;
}

export interface Backup {
  folder: string;
  manifest: BackupManifest;
  /** The ledger's databases that are not in it. */
  without: readonly string[];
}

/** @throws OperatorError when there is no data to back up, or the folder can't be used */
export async function backUp({ env, to, withKeys, without, record }: BackupRequest): Promise<Backup> {
  const paths = dataPaths(dataDirFrom(env));
  if (givenUrls(env).length > 0)
    throw new OperatorError('You brought databases of your own: back them up where they run, with pg_basebackup.');
  if (!existsSync(paths.postgres))
    throw new OperatorError(`There is no data in ${paths.dataDir} yet: npm start makes it.`);
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const folder = resolve(to ?? join(paths.dataDir, 'backups', stamp));
  if (!isEmptyFolder(folder))
    throw new OperatorError(`${folder} has something in it already: name a folder that is not there yet.`);
  const work = async (url: string) => {
    const elsewhere = await databasesElsewhere(env, url);
    refuseUnlessSaid(elsewhere, without);
    await record(url);
    return { folder, manifest: await copyInto(folder, { env, paths, url, withKeys }), without: elsewhere };
  };
  const isStopped = lockHolder(paths.lock) === undefined;
  return isStopped ? onStopped(env, work) : work(runningUrl(env));
}

function runningUrl(env: NodeJS.ProcessEnv): string {
  const url = readStack(env)?.postgres_url;
  if (url === undefined)
    throw new OperatorError('The stack is just starting, or stopping: try again when it is ready.');
  return url;
}

/** Runs `work` on a stopped stack, whose Postgres runs only meanwhile. */
function onStopped<Result>(env: NodeJS.ProcessEnv, work: (url: string) => Promise<Result>): Promise<Result> {
  return withPostgres(env, (environment) => {
    const url = new URL(environment[migrationUrlVariable('ledger')] ?? '');
    url.pathname = '/postgres';
    return work(url.href);
  });
}

interface CopyRequest {
  env: NodeJS.ProcessEnv;
  paths: DataPaths;
  /** The owner's connection string to the running server. */
  url: string;
  withKeys: boolean;
}

/** Copies under another name and renames when complete, so that an interrupted backup is not mistaken for one. */
async function copyInto(folder: string, { env, paths, url, withKeys }: CopyRequest): Promise<BackupManifest> {
  const secrets = readSecrets(paths);
  if (secrets === undefined) throw new OperatorError(`${paths.secrets} is missing: restore it first.`);
  const key = backupKey(env, secrets);
  if (key === undefined) throw new OperatorError('There is no backup key: npm start draws one, or set BACKUP_KEY.');
  const draft = `${folder}.unfinished`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const client = await connect(url);
  try {
    const beforeEnd = () => headsOf(url);
    const taken = await step('Copying Postgres', (tell) =>
      takeBaseBackup({ client, postgresFolder: paths.postgres, target: draft, tell, key, beforeEnd }),
    );
    if (withKeys) await sealSecrets(draft, secrets, key);
    const keys = keyFingerprints(env, secrets);
    const manifest = await writeManifest(draft, taken, { keys, withKeys, key });
    rmSync(folder, { recursive: true, force: true }); // At most an empty folder, by an earlier check.
    renameSync(draft, folder);
    await sync(dirname(folder));
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end().catch(() => undefined); // This drops the slot, and ends the backup if it is under way.
  }
}
