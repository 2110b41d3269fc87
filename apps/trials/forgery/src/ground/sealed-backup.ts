/** A backup of the trial's server, sealed as `npm run backup` seals one, and what an operator's restore says of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyFingerprints, writeManifest } from '@stablecoin/local-stack/backup-manifest';
import { connect, headsOf, takeBaseBackup } from '@stablecoin/local-stack/base-backup';
import type { DataPaths } from '@stablecoin/local-stack/paths';
import type { Secrets } from '@stablecoin/local-stack/secrets';
import type { OperatorProcess } from '@stablecoin/testing/operator-process';

interface Server {
  paths: DataPaths;
  secrets: Secrets;
  /** The owner's connection string. */
  url: string;
  env: NodeJS.ProcessEnv;
  operator: OperatorProcess;
}

export class SealedBackup {
  private constructor(
    readonly folder: string,
    private readonly server: Server,
  ) {}

  /** @param folder that is not there yet */
  static async make(folder: string, server: Server): Promise<SealedBackup> {
    const { paths, secrets, url, env } = server;
    const key = Buffer.from(secrets.BACKUP_KEY, 'base64');
    const client = await connect(url);
    try {
      const taken = await takeBaseBackup({
        ...{ client, key, postgresFolder: paths.postgres, target: folder },
        tell: () => undefined,
        beforeEnd: () => headsOf(url),
      });
      await writeManifest(folder, taken, { keys: keyFingerprints(env, secrets), withKeys: false, key });
    } finally {
      await client.end();
    }
    return new SealedBackup(folder, server);
  }

  /**
   * An operator restores it into an empty data folder, with the keys that he has kept.
   *
   * @param backupKey another one than his own, in base64
   * @returns why it is refused; undefined where it is restored
   */
  async refusal(backupKey?: string): Promise<string | undefined> {
    const { operator, paths } = this.server;
    const dataDir = mkdtempSync(join(this.folder, '..', 'restored-'));
    try {
      const env = { DATA_DIR: join(dataDir, 'data'), ...(backupKey !== undefined && { BACKUP_KEY: backupKey }) };
      const { code, stderr } = await operator.answerTo(
        ['restore', '--from', this.folder, '--keys', paths.secrets],
        env,
      );
      return code === 0 ? undefined : stderr.trim();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
}
