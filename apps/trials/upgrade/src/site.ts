// The environment of an upgrade: a Postgres and a NATS server that stay the same, databases that the older version
// made, the broker with that version's permissions, and the environment of each service. `adoptPermissions` and
// `adoptSchema` bring broker and databases to this version, in this order.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tell } from '@stablecoin/command-line/terminal';
import { startDeployedNats } from '@stablecoin/local-stack/deployed-nats';
import { writeSecretFiles } from '@stablecoin/local-stack/deployment-secrets';
import {
  commandLineEnvironment,
  serviceEnvironments,
  sharedValues,
  type ServiceEnvironments,
} from '@stablecoin/local-stack/environment';
import { startNats } from '@stablecoin/local-stack/nats';
import { obtainNatsServer } from '@stablecoin/local-stack/nats-binary';
import { dataPaths, makeDataDir, type DataPaths } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets, type Secrets } from '@stablecoin/local-stack/secrets';
import { SERVICES, type ServiceName } from '@stablecoin/local-stack/services';
import {
  DATABASES,
  databaseUrls,
  type DatabaseName,
  type DatabaseUrls,
  ofEachDatabase,
} from '@stablecoin/migrations/databases';
import { setPassword } from '@stablecoin/migrations/logins';
import { migrate } from '@stablecoin/migrations/migrations';
import { migrateAsItDid } from './old-checkout';

/** Payouts settle soon, the log and what is owed are signed often, and a draining gateway gives our balancer more time than it needs. */
const SETTINGS = {
  SANDBOX_SETTLE_MS: '300',
  CHECKPOINT_INTERVAL_MS: '2000',
  LIABILITIES_INTERVAL_MS: '2000',
  // An older version may have signed no heads.
  CHECKPOINT_ACCEPTS_UNSIGNED: 'true',
  // Its services may name no caller to the ledger.
  COMMANDS_ACCEPTED_UNSIGNED: 'true',
  DRAIN_LEAD_MS: '2000',
  OPERATIONS_PORT: '0',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'json',
};

interface Bus {
  urlOf(user: string): string;
  /** Whether the older version has a user per service, with permissions. */
  hasPermissions: boolean;
  violations(): string[];
  adopt(): Promise<void>;
  stop: () => Promise<unknown>;
}

export interface SiteOptions {
  folder: string;
  /** The folder of the older version. */
  olderRoot: string;
  tell: Tell;
}

/** Starts Postgres and NATS. */
export async function startSite(options: SiteOptions): Promise<Site> {
  const paths = dataPaths(join(options.folder, 'data'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const postgres = await startPostgres(paths, secrets);
  try {
    const bus = await startBus({ ...options, paths, secrets });
    const urls = databaseUrls({}, postgres, secrets);
    const stop = async () => {
      await bus.stop();
      await postgres.stop();
    };
    return new Site({ paths, secrets, bus, urls, olderRoot: options.olderRoot, stop });
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Starts the broker with the older version's permissions; if that had none yet, one user may send everything. */
async function startBus(options: SiteOptions & { paths: DataPaths; secrets: Secrets }): Promise<Bus> {
  const { folder, olderRoot, paths, secrets, tell } = options;
  const configuration = join(olderRoot, 'deploy', 'nats');
  if (existsSync(join(configuration, 'permissions.conf'))) {
    const secretsFolder = join(folder, 'secrets');
    writeOlderSecrets(secretsFolder, join(configuration, 'permissions.conf'));
    const server = await startDeployedNats({ folder, secretsFolder, tell, configuration });
    const adopt = () => {
      writeSecretFiles(secretsFolder);
      return server.adopt();
    };
    return { ...server, adopt, hasPermissions: true };
  }
  const server = await startNats(paths, secrets, await obtainNatsServer(process.env, tell));
  tell('the older version has no permissions on the bus');
  return {
    urlOf: () => server.url,
    hasPermissions: false,
    violations: () => [],
    adopt: () => Promise.resolve(),
    stop: () => server.stop(),
  };
}

/** As the older version left them, with passwords of its own users alone: a broker refuses the start with any other. */
function writeOlderSecrets(folder: string, permissions: string): void {
  writeSecretFiles(folder);
  const file = join(folder, 'nats_passwords');
  const users = readFileSync(permissions, 'utf8');
  const known = (line: string) => users.includes(`$${line.slice(0, line.indexOf(':'))}\n`);
  writeFileSync(file, readFileSync(file, 'utf8').split('\n').filter(known).join('\n'));
}

interface SiteParts {
  paths: DataPaths;
  secrets: Secrets;
  bus: Bus;
  urls: Record<DatabaseName, DatabaseUrls>;
  olderRoot: string;
  stop: () => Promise<void>;
}

export class Site {
  readonly paths: DataPaths;
  /** For command lines. */
  readonly commandEnvironment: NodeJS.ProcessEnv;
  readonly apiKey: string | undefined;
  readonly hasPermissions: boolean;
  readonly stop: () => Promise<void>;
  private readonly environments: ServiceEnvironments;
  private readonly secrets: Secrets;
  private readonly bus: Bus;
  private readonly urls: Record<DatabaseName, DatabaseUrls>;
  private readonly olderRoot: string;
  /** The violations that the broker had logged when its permissions changed, and once earlier calls had ended. */
  private violationsBefore = { own: 0, answers: 0 };

  constructor({ paths, secrets, bus, urls, olderRoot, stop }: SiteParts) {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...SETTINGS };
    const parts = { env, secrets, natsUrl: bus.urlOf('gateway'), urls };
    this.paths = paths;
    this.secrets = secrets;
    this.bus = bus;
    this.urls = urls;
    this.olderRoot = olderRoot;
    this.stop = stop;
    this.hasPermissions = bus.hasPermissions;
    this.environments = serviceEnvironments({ ...parts, port: 0 });
    for (const service of SERVICES) this.environments[service]['NATS_URL'] = bus.urlOf(service);
    this.commandEnvironment = { ...env, ...commandLineEnvironment(parts) };
    this.apiKey = sharedValues(env, secrets)['SANDBOX_API_KEY'];
  }

  /** Of a service in the version whose folder that is: a gateway of before ADR 48 has the master key. */
  environmentOf(service: ServiceName, root: string): NodeJS.ProcessEnv {
    const own = this.environments[service];
    if (service !== 'gateway' || root !== this.olderRoot) return own;
    return { ...own, PERSONAL_DATA_KEY: this.secrets.PERSONAL_DATA_KEY };
  }

  async migrateOlder(): Promise<void> {
    const { urls } = this;
    await migrateAsItDid(
      this.olderRoot,
      ofEachDatabase((name) => urls[name].owner),
    );
    const older = DATABASES.filter((name) => existsSync(join(this.olderRoot, 'prisma', name)));
    for (const name of older) await setPassword(urls[name].owner, urls[name].app);
  }

  async adoptPermissions(): Promise<void> {
    await this.bus.adopt();
    this.violationsBefore.own = this.bus.violations().length;
  }

  /** Called when the calls under way at the change of permissions have ended: later refused answers are findings. */
  expectAnswers(): void {
    this.violationsBefore.answers = this.bus.violations().length;
  }

  /** Migrates one database after the other; resolves to the migrations that were applied. */
  async adoptSchema(tell: Tell): Promise<string[]> {
    const applied: string[] = [];
    for (const name of DATABASES) {
      const { owner, app, further } = this.urls[name];
      const result = await migrate({ name, url: owner, tell });
      applied.push(...result.applied.map((migration) => `${name}/${migration}`));
      await setPassword(owner, app);
      if (further !== undefined) await setPassword(owner, further);
    }
    return applied;
  }

  /** Without refusals by the older version's own permissions, and of answers to calls under way at the change. */
  violations(): string[] {
    const { own, answers } = this.violationsBefore;
    return this.bus
      .violations()
      .filter((line, index) => index >= answers || (index >= own && !line.includes('"_INBOX_')));
  }
}
