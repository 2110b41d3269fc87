/**
 * Runs a Postgres with a synchronous standby, behind one address that can move. The standby begins from a base backup
 * and follows the primary's log; a commit is answered when both have it on disk.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { connect, copyListed, takeBaseBackup } from '@stablecoin/local-stack/base-backup';
import { type DataPaths, dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { OWNER_ROLE, type PostgresServer, startPostgres } from '@stablecoin/local-stack/postgres';
import { processesWorkingIn, waitUntil } from '@stablecoin/local-stack/processes';
import type { Secrets } from '@stablecoin/local-stack/secrets';
import { TcpProxy } from '@stablecoin/testing/tcp-proxy';
import type { Client } from 'pg';

const HOST = '127.0.0.1';
const IN_STEP_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 10_000;
const PROMOTED_WITHIN_SECONDS = 60;
const silent = () => undefined;

interface Prepared {
  name: string;
  paths: DataPaths;
}

type RunningServer = PostgresServer & Prepared;

export class PostgresPair {
  private started = 0;
  /** The port to which the address leads. */
  private target = 0;
  private primaryServer: RunningServer | undefined;
  private standbyServer: RunningServer | undefined;
  private proxy: TcpProxy | undefined;

  constructor(
    private readonly folder: string,
    private readonly secrets: Secrets,
  ) {}

  async start(): Promise<void> {
    this.primaryServer = await this.launched(this.prepared());
    this.target = this.primaryServer.port;
    this.proxy = await TcpProxy.listen(() => this.target);
  }

  /** The port of the address. */
  get port(): number {
    return present(this.proxy, 'address').port;
  }

  /** The owner's connection string, through the address. */
  url(database: string): string {
    return `postgresql://${OWNER_ROLE}:${this.secrets.postgres_owner_password}@${HOST}:${this.port}/${database}`;
  }

  /** Gives the primary a standby; from then on every commit waits for it. */
  async addStandby(): Promise<void> {
    const standby = this.prepared();
    await this.copyPrimaryTo(standby.paths);
    const { port } = this.primary;
    const source = `host=${HOST} port=${port} user=${OWNER_ROLE} password=${this.secrets.postgres_owner_password}`;
    appendFileSync(
      join(standby.paths.postgres, 'postgresql.auto.conf'),
      `\nprimary_conninfo = '${source} application_name=${standby.name}'\n`,
    );
    writeFileSync(join(standby.paths.postgres, 'standby.signal'), '');
    this.standbyServer = await this.launched(standby);
    await this.waitForStandby(standby.name);
  }

  /** Kills every process of the primary at once; when this returns, none of them answers. */
  async killPrimary(): Promise<void> {
    if (!(await killed(this.primary))) throw new OperatorError('Processes of the killed primary are still there.');
  }

  async killStandby(): Promise<void> {
    await killed(this.standby);
  }

  async reviveStandby(): Promise<void> {
    this.standbyServer = await this.launched(this.standby);
  }

  moveAddress(): void {
    this.target = this.standby.port;
  }

  /** Makes the standby the primary, which then has no standby until the next `addStandby`. */
  async promote(): Promise<void> {
    const { standby } = this;
    await onServer(standby, (client) => client.query('SELECT pg_promote(true, $1)', [PROMOTED_WITHIN_SECONDS]));
    this.primaryServer = standby;
    this.standbyServer = undefined;
  }

  /** Makes the address lead to the present primary. */
  followPrimary(): void {
    this.target = this.primary.port;
  }

  async stop(): Promise<void> {
    await this.proxy?.close();
    for (const server of [this.standbyServer, this.primaryServer]) await server?.stop();
  }

  private get primary(): RunningServer {
    return present(this.primaryServer, 'primary');
  }

  private get standby(): RunningServer {
    return present(this.standbyServer, 'standby');
  }

  private prepared(): Prepared {
    this.started += 1;
    const paths = dataPaths(join(this.folder, `postgres-${this.started}`));
    makeDataDir(paths);
    return { name: `server_${this.started}`, paths };
  }

  private async launched({ name, paths }: Prepared): Promise<RunningServer> {
    return { name, paths, ...(await startPostgres(paths, this.secrets)) };
  }

  private async copyPrimaryTo(paths: DataPaths): Promise<void> {
    const target = join(paths.dataDir, 'backup');
    const { postgres: postgresFolder } = this.primary.paths;
    mkdirSync(target, { mode: 0o700 });
    const beforeEnd = () => Promise.resolve({});
    const taken = await onServer(this.primary, (client) =>
      takeBaseBackup({ client, postgresFolder, target, tell: silent, beforeEnd }),
    );
    mkdirSync(paths.postgres, { mode: 0o700 });
    await copyListed(target, taken, paths.postgres, { tell: silent });
  }

  private async waitForStandby(name: string): Promise<void> {
    await onServer(this.primary, async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await client.query('SELECT pg_reload_conf()');
      const inStep = async () => {
        const { rows } = await client.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
        return rows.some(({ sync_state }) => sync_state === 'sync');
      };
      if (!(await waitUntil(inStep, IN_STEP_WITHIN_MS))) throw new OperatorError('The standby did not get into step.');
    });
  }
}

/** Resolves to whether all of its processes have ended in time. */
function killed({ pid, paths }: RunningServer): Promise<boolean> {
  process.kill(pid, 'SIGKILL');
  return waitUntil(() => processesWorkingIn(paths.postgres).length === 0, GONE_WITHIN_MS);
}

function present<Part>(part: Part | undefined, what: string): Part {
  if (part === undefined) throw new Error(`There is no ${what} now.`);
  return part;
}

async function onServer<Result>(
  { url }: Pick<PostgresServer, 'url'>,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(url('postgres'));
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
