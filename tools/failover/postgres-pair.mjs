// A Postgres with a synchronous standby, behind one address that moves. The standby begins from a base backup and follows
// the primary's log; a commit is answered when both have it on their disks.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { connect, copyListed, takeBaseBackup } from '../stack/base-backup.mjs';
import { dataPaths, makeDataDir, ROOT } from '../stack/paths.mjs';
import { OWNER_ROLE, startPostgres } from '../stack/postgres.mjs';
import { processesWorkingIn, waitUntil } from '../stack/processes.mjs';
import { Refusal } from '../stack/terminal.mjs';

const IN_STEP_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 10_000;
const silent = () => undefined;

export class PostgresPair {
  constructor(folder, secrets) {
    Object.assign(this, { folder, secrets, started: 0 });
  }

  async start() {
    this.primary = await this.launched(await this.prepared());
    const { TcpProxy } = createRequire(import.meta.url)(join(ROOT, 'dist/libs/testing/src/tcp-proxy.js'));
    this.target = this.primary.port;
    this.proxy = await TcpProxy.listen(() => this.target);
    this.port = this.proxy.port;
  }

  async prepared() {
    this.started += 1;
    const paths = dataPaths(join(this.folder, `postgres-${this.started}`));
    makeDataDir(paths);
    return { name: `server_${this.started}`, paths };
  }

  async launched(server) {
    const running = await startPostgres(server.paths, this.secrets);
    return Object.assign(server, running);
  }

  /** As databaseUrls() wants a server: the owner's connection string, by way of the address. */
  url(database) {
    return `postgresql://${OWNER_ROLE}:${this.secrets.postgres_owner_password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Gives the primary a standby, and from then on waits for it with every commit. */
  async addStandby() {
    const standby = await this.prepared();
    await this.copyPrimaryTo(standby.paths);
    const { port } = this.primary;
    const source = `host=127.0.0.1 port=${port} user=${OWNER_ROLE} password=${this.secrets.postgres_owner_password}`;
    appendFileSync(
      join(standby.paths.postgres, 'postgresql.auto.conf'),
      `\nprimary_conninfo = '${source} application_name=${standby.name}'\n`,
    );
    writeFileSync(join(standby.paths.postgres, 'standby.signal'), '');
    this.standby = await this.launched(standby);
    await this.waitForStandby(standby.name);
  }

  async copyPrimaryTo(paths) {
    const backup = join(paths.dataDir, 'backup');
    mkdirSync(backup, { mode: 0o700 });
    const taken = await onServer(this.primary, (client) =>
      takeBaseBackup({
        client,
        postgresFolder: this.primary.paths.postgres,
        target: backup,
        tell: silent,
        beforeEnd: async () => ({}),
      }),
    );
    mkdirSync(paths.postgres, { mode: 0o700 });
    await copyListed(backup, taken, paths.postgres, silent);
  }

  async waitForStandby(name) {
    await onServer(this.primary, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await client.query('SELECT pg_reload_conf()');
      const inStep = async () => {
        const { rows } = await client.query('SELECT sync_state FROM pg_stat_replication');
        return rows.some(({ sync_state }) => sync_state === 'sync');
      };
      if (!(await waitUntil(inStep, IN_STEP_WITHIN_MS))) throw new Refusal('The standby did not get into step.');
    });
  }

  /** Every process of the primary at once; nobody of it answers any more when this returns. */
  async killPrimary() {
    const { pid, paths } = this.primary;
    process.kill(pid, 'SIGKILL');
    if (!(await waitUntil(() => processesWorkingIn(paths.postgres).length === 0, GONE_WITHIN_MS)))
      throw new Refusal('Processes of the killed primary are still there.');
  }

  moveAddress() {
    this.target = this.standby.port;
  }

  /** The standby becomes the primary; there is no other then, until the next `addStandby`. */
  async promote() {
    await onServer(this.standby, (client) => client.query('SELECT pg_promote(true, 60)'));
    this.primary = this.standby;
    this.standby = undefined;
  }

  async killStandby() {
    const { pid, paths } = this.standby;
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => processesWorkingIn(paths.postgres).length === 0, GONE_WITHIN_MS);
  }

  async reviveStandby() {
    this.standby = await this.launched(this.standby);
  }

  async stop() {
    await this.proxy?.close();
    for (const server of [this.standby, this.primary]) await server?.stop();
  }
}

async function onServer({ url }, work) {
  const client = await connect(url('postgres'));
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
