/**
 * A Postgres server of a spec's own, with one migrated database: for what the run's shared server can't show, as when a server is
 * gone and comes back.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { type PostgresServer, startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets } from '@stablecoin/local-stack/secrets';
import { allowLogins, type DatabaseName, type DatabaseUrls, databaseUrls } from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';

export class OwnPostgres {
  private constructor(
    private readonly folder: string,
    private server: PostgresServer,
    /** Of its database's roles. They stay the same when the server is started again. */
    readonly urls: DatabaseUrls,
  ) {}

  static async start(name: DatabaseName): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
    // Started by root, Postgres runs as another user and has to pass through.
    chmodSync(folder, 0o711);
    const paths = dataPaths(folder);
    makeDataDir(paths);
    const secrets = loadSecrets(paths);
    const server = await startPostgres(paths, secrets);
    const urls = databaseUrls({}, server, secrets)[name];
    await migrate({ name, url: urls.owner });
    await allowLogins(server, secrets, [name]);
    return new OwnPostgres(folder, server, urls);
  }

  /** As a power failure would: nothing is flushed, and the next start recovers. */
  async stopAtOnce(): Promise<void> {
    this.server.stopAtOnce();
    await this.server.stop();
  }

  async startAgain(): Promise<void> {
    const paths = dataPaths(this.folder);
    this.server = await startPostgres(paths, loadSecrets(paths));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
