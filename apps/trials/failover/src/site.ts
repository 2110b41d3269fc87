/** The environment of a trial: two Postgres servers, three brokers, the five services, and merchants with load. */
import { join } from 'node:path';
import { step } from '@stablecoin/command-line/terminal';
import { writeSecretFiles } from '@stablecoin/local-stack/deployment-secrets';
import {
  commandLineEnvironment,
  serviceEnvironments,
  SERVICES,
  withoutAnyStack,
} from '@stablecoin/local-stack/environment';
import { obtainNatsServer } from '@stablecoin/local-stack/nats-binary';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { loadSecrets, type Secrets } from '@stablecoin/local-stack/secrets';
import { type RunningServices, startServices } from '@stablecoin/local-stack/services';
import {
  allowLogins,
  type DatabaseName,
  DATABASES,
  type DatabaseUrls,
  databaseUrls,
} from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { MerchantClient } from '@stablecoin/testing/merchant-client';
import { createMerchant } from '@stablecoin/testing/operator-command';
import { NatsCluster } from './nats-cluster';
import { PostgresPair } from './postgres-pair';
import { RetryingLoad } from './retrying-load';

const SETTINGS = { SANDBOX_SETTLE_MS: '300', LEDGER_SHARDS: '4', LOG_LEVEL: 'warn', LEDGER_STREAM_REPLICAS: '3' };
/** On several shards. */
const MERCHANTS = 4;
const REQUEST_TIMEOUT_MS = 10_000;

export interface Site {
  pair: PostgresPair;
  cluster: NatsCluster;
  urls: Record<DatabaseName, DatabaseUrls>;
  /** The environment of commands on the databases and the bus. */
  commandLine: NodeJS.ProcessEnv;
  /** Makes a whole journey before the faults and after them. */
  traveller: MerchantClient;
  load: RetryingLoad;
}

/** @param undo receives the function that stops each part, in the order of the starts */
export async function startSite(folder: string, undo: (() => Promise<unknown>)[]): Promise<Site> {
  const paths = dataPaths(join(folder, 'services'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const pair = new PostgresPair(folder, secrets);
  undo.push(() => pair.stop());
  const cluster = await startCluster(folder, undo);
  const urls = await step('Postgres with a standby, databases', () => startDatabases(pair, secrets));
  const parts = { env: { ...withoutAnyStack(process.env), ...SETTINGS }, secrets, urls };
  const environments = serviceEnvironments({ ...parts, port: 0 });
  for (const service of SERVICES) environments[service]['NATS_URL'] = cluster.urlOf(service);
  const services = await step('Services', () => startServices({ paths, environments, verbose: false }));
  undo.push(() => services.stop());
  const commandLine = { ...parts.env, ...commandLineEnvironment({ ...parts, natsUrl: cluster.urlOf('auditor') }) };
  const traveller = (await merchantAt(services, commandLine, 'Traveller')).client;
  const load = await step('Merchants', () => preparedLoad(services, commandLine));
  return { pair, cluster, urls, commandLine, traveller, load };
}

function startCluster(folder: string, undo: (() => Promise<unknown>)[]): Promise<NatsCluster> {
  return step('Three brokers', async (tell) => {
    const secretsFolder = join(folder, 'secrets');
    writeSecretFiles(secretsFolder);
    const cluster = new NatsCluster({ folder, secretsFolder, program: await obtainNatsServer(process.env, tell) });
    undo.push(() => cluster.stop());
    await cluster.start();
    tell(`nats-server ${cluster.version.text}`);
    return cluster;
  });
}

async function startDatabases(pair: PostgresPair, secrets: Secrets): Promise<Record<DatabaseName, DatabaseUrls>> {
  await pair.start();
  const server = { port: pair.port, url: (database: string) => pair.url(database) };
  const urls = databaseUrls({}, server, secrets);
  await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
  await allowLogins(server, secrets, DATABASES);
  await pair.addStandby();
  return urls;
}

async function preparedLoad(services: RunningServices, commandLine: NodeJS.ProcessEnv): Promise<RetryingLoad> {
  const merchants = [];
  for (let number = 1; number <= MERCHANTS; number += 1) {
    merchants.push(await merchantAt(services, commandLine, `Merchant ${number}`));
  }
  const load = new RetryingLoad(merchants);
  await load.prepare();
  return load;
}

async function merchantAt(services: RunningServices, commandLine: NodeJS.ProcessEnv, name: string) {
  const { merchant_id: id, api_key: apiKey } = await createMerchant(name, commandLine);
  const client = new MerchantClient({
    baseUrl: () => `${services.gatewayUrl() ?? ''}/api`,
    apiKey,
    timeoutMs: REQUEST_TIMEOUT_MS,
    drawsIdempotencyKeys: true,
  });
  return { id, client };
}
