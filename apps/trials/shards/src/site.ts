/**
 * What a run is made on: a Postgres server for each of the ledger's databases, of which home has the services' databases as well, a
 * broker, and the services with two instances of the ledger. Servers and services that end are started again, as a container's
 * runtime would.
 */
import { join } from 'node:path';
import { step } from '@stablecoin/command-line/terminal';
import {
  commandLineEnvironment,
  serviceEnvironments,
  SERVICES,
  withoutAnyStack,
} from '@stablecoin/local-stack/environment';
import { type NatsServer, startNats } from '@stablecoin/local-stack/nats';
import { obtainNatsServer } from '@stablecoin/local-stack/nats-binary';
import { type DataPaths, dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { rememberPort } from '@stablecoin/local-stack/ports';
import { type PostgresServer, startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets, type Secrets } from '@stablecoin/local-stack/secrets';
import {
  allowLogins,
  type DatabaseName,
  DATABASES,
  type DatabaseUrls,
  databaseUrls,
} from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { KeptServer } from '@stablecoin/testing/trial/kept-server';
import { type Instance, KeptServices, steadyPort } from '@stablecoin/testing/trial/kept-services';
import type { TrialStack } from '@stablecoin/testing/trial/trial-stack';

export const SHARDS = 4;
const NAMES = ['home', 'b', 'c'];
/** How long the sandbox's bank takes: short, so that many payouts are under way at every moment and none for long. */
const SETTINGS = {
  SANDBOX_SETTLE_MS: '300',
  LEDGER_SHARDS: String(SHARDS),
  LOG_LEVEL: 'log',
  CHECKPOINT_INTERVAL_MS: '5000',
};
const LEDGERS = ['wallet-ledger', 'wallet-ledger-2'] as const;

/** One of the ledger's databases, on a server of its own. */
export interface LedgerServer {
  name: string;
  server: KeptServer<PostgresServer>;
  urls: DatabaseUrls;
}

export interface Site {
  stack: TrialStack;
  logs: string;
  baseUrl: string;
  databases: readonly LedgerServer[];
  nats: KeptServer<NatsServer>;
  services: KeptServices;
  /** The names of the ledger's instances. */
  ledgers: readonly string[];
}

/** Stops what was started, the last first. */
export type Undo = (() => Promise<unknown>)[];

/** @param undo receives the function that stops each part, in the order of the starts */
export async function startSite(folder: string, count: number, undo: Undo): Promise<Site> {
  const paths = dataPaths(join(folder, 'home'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const servers = await step(`${count} Postgres servers and NATS`, (tell) =>
    startServers({ folder, count, secrets, paths, undo, tell }),
  );
  const urls = await step('Databases', () => migratedDatabases(servers.postgres, secrets));
  const [home, ...further] = urls.map((of, index) => ({
    name: NAMES[index] as string,
    server: servers.postgres[index] as KeptServer<PostgresServer>,
    urls: of.ledger,
  }));
  const parts = { secrets, natsUrl: servers.nats.current.url, urls: urls[0] as Record<DatabaseName, DatabaseUrls> };
  const named = (role: keyof DatabaseUrls) => further.map((one) => `${one.name}=${one.urls[role] ?? ''}`).join();
  const env = { ...withoutAnyStack(process.env), ...SETTINGS, LEDGER_DATABASES: named('app') };
  const port = await steadyPort();
  const services = await step('Services', () => KeptServices.start(instancesOf({ ...parts, env, port }), paths.logs));
  undo.push(() => services.stop());
  return {
    stack: {
      owner_databases: Object.fromEntries(DATABASES.map((name) => [name, parts.urls[name].owner])) as Record<
        DatabaseName,
        string
      >,
      further_ledgers: further.map(({ name, urls: of }) => ({ name, owner: of.owner, auditor: of.further ?? '' })),
      command_line: {
        ...commandLineEnvironment({ ...parts, env }),
        LEDGER_MIGRATION_DATABASES: named('owner'),
      },
    },
    logs: paths.logs,
    baseUrl: `http://127.0.0.1:${port}/api`,
    databases: [home as LedgerServer, ...further],
    nats: servers.nats,
    services,
    ledgers: LEDGERS,
  };
}

interface Starting {
  folder: string;
  count: number;
  secrets: Secrets;
  /** Of home. */
  paths: DataPaths;
  undo: Undo;
  tell: (detail: string) => void;
}

async function startServers({ folder, count, secrets, paths, undo, tell }: Starting) {
  const natsProgram = await obtainNatsServer(process.env, tell);
  const postgres: KeptServer<PostgresServer>[] = [];
  for (const name of NAMES.slice(0, count)) {
    const own = dataPaths(join(folder, name));
    makeDataDir(own);
    // All logs of a run are in one folder.
    const logged = { ...own, postgresLog: join(paths.logs, `postgres-${name}.log`) };
    rememberPort(own.ports, 'postgres', await steadyPort());
    const server = await KeptServer.start(`Postgres of ${name}`, () => startPostgres(logged, secrets));
    undo.push(() => server.stop());
    postgres.push(server);
  }
  rememberPort(paths.ports, 'nats', await steadyPort());
  const nats = await KeptServer.start('nats-server', () => startNats(paths, secrets, natsProgram));
  undo.push(() => nats.stop());
  return { postgres, nats };
}

/** Of each server the URLs of its databases: home has all of them, the others only the ledger's. */
async function migratedDatabases(
  servers: readonly KeptServer<PostgresServer>[],
  secrets: Secrets,
): Promise<Record<DatabaseName, DatabaseUrls>[]> {
  return Promise.all(
    servers.map(async ({ current: server }, index) => {
      const names: readonly DatabaseName[] = index === 0 ? DATABASES : ['ledger'];
      const urls = databaseUrls({}, server, secrets);
      await Promise.all(names.map((name) => migrate({ name, url: urls[name].owner })));
      await allowLogins(server, secrets, names);
      return urls;
    }),
  );
}

type Parts = Parameters<typeof serviceEnvironments>[0];

function instancesOf(parts: Parts): Instance[] {
  const environments = serviceEnvironments(parts);
  const first = SERVICES.map((service) => ({ service, name: service, env: environments[service] }));
  return [...first, { service: 'wallet-ledger', name: LEDGERS[1], env: environments['wallet-ledger'] }];
}
