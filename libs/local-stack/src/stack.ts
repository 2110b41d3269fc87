// Starts the local stack: lock, leftovers, Postgres, NATS, chains, migrations, services, in that order, and stops it in the
// reverse order. When a step fails, everything started before it is stopped before the failure is reported.

import { existsSync, mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say, step } from '@stablecoin/command-line/terminal';
import {
  allowLogins,
  type DatabaseName,
  DATABASES,
  type DatabaseUrls,
  databaseUrls,
  furtherLedgerOwners,
  givenUrls,
  type NamedUrl,
} from '@stablecoin/migrations/databases';
import { migrate, type MigrationResult } from '@stablecoin/migrations/migrations';
import type { LocalChain } from './chains/local-chain';
import { localChainSettings, nodeSettings, walletSettings } from './chains/local-chain-settings';
import { anvilOfStack } from './chains/local-chains-setting';
import type { ChainProcessName, StackDescription } from './description';
import { commandLineEnvironment, serviceEnvironments, sharedValues, type StackServiceName } from './environment';
import { takeLock } from './lock';
import { requireNats, startNats } from './nats';
import { obtainNatsServer } from './nats-binary';
import { dataDirFrom, type DataPaths, dataPaths, makeDataDir, permissionRefusal } from './paths';
import { requireConsolePort, requireGatewayPort } from './ports';
import { type PostgresServer, startPostgres } from './postgres';
import { endLeftovers } from './processes';
import { loadSecrets, type Secrets, writeOwnerOnly } from './secrets';
import type { ServerProcess } from './server-process';
import { type RunningServices, type ServicesRequest, startServices } from './services';

const RESTART_DELAY_MS = 500;

export interface StackRequest {
  env: NodeJS.ProcessEnv;
  /** Shows all log lines of the services, not only warnings and errors. */
  verbose?: boolean;
  /** False starts everything except the services. */
  withServices?: boolean;
  /** Ends a start that is under way when it resolves. */
  stopRequested?: Promise<unknown>;
  /** A service's entry file; the built one by default. */
  mainOf?: (service: StackServiceName) => string;
  /** Formats a line of a service's log; shown unchanged by default. */
  textOf?: ServicesRequest['textOf'];
  /** Flags of Node itself, by service. */
  nodeFlags?: ServicesRequest['nodeFlags'];
}

export interface RunningStack {
  description: StackDescription;
  /** Ends these services in order and starts them again on the same ports. */
  restart(services: readonly StackServiceName[]): Promise<void>;
  stop(): Promise<void>;
}

/** The actions that stop what was started, in the order of the starts; untitled ones are not shown. */
type Undo = { title?: string; work: () => unknown }[];
type StoppedServer<Server extends ServerProcess> = Omit<Server, 'pid' | 'stop'> & {
  /** Changes when the server was started again. */
  pid(): number;
  stop(): Promise<void>;
};

interface Infrastructure {
  secrets: Secrets;
  natsUrl: string;
  urls: Record<DatabaseName, DatabaseUrls>;
  postgres?: StoppedServer<PostgresServer>;
  nats: { pid?: () => number };
  chains: readonly StoppedServer<LocalChain>[];
}

/** Starts everything and waits until it serves. */
export async function startStack(request: StackRequest): Promise<RunningStack> {
  const { env, withServices = true } = request;
  const interruption = new Interruption(request.stopRequested);
  const paths = dataPaths(dataDirFrom(env));
  const undo: Undo = [];
  const stop = () => stopAll(undo);
  try {
    makeDataDir(paths);
    undo.push({ work: await takeLock(paths.lock, paths.dataDir) });
    await clearLeftovers(paths);
    const port = withServices ? await requireGatewayPort(env['PORT'] || '3000', env['HOST'] || undefined) : undefined;
    if (withServices && env['BACKOFFICE_PORT'])
      await requireConsolePort(env['BACKOFFICE_PORT'], env['HOST'] || undefined);
    const parts = await startInfrastructure({ env, paths, interruption, undo });
    const services =
      port === undefined ? undefined : await launchServices({ request, paths, parts, port, interruption, undo });
    const writeDescription = () => {
      const description = describe({ env, paths, parts, services });
      const chains = parts.chains.map((chain) => chain.description);
      const environment = {
        ...commandLineEnvironment({
          ...parts,
          env: { ...env, ...nodeSettings(env, chains) },
          erasuresFile: paths.erasures,
        }),
        ...walletSettings(env, chains),
        ...(description.console_url !== undefined && { CONSOLE_ORIGIN: description.console_url }),
      };
      const stored = { ...description, environment };
      writeOwnerOnly(paths.stack, `${JSON.stringify(stored, null, 2)}\n`);
      return description;
    };
    const restart = async (names: readonly StackServiceName[]) => {
      await services?.restart(names);
      writeDescription();
    };
    return { description: writeDescription(), restart, stop };
  } catch (error) {
    await stop();
    throw permissionRefusal(paths, error) ?? error;
  }
}

async function stopAll(undo: Undo): Promise<void> {
  for (let last = undo.pop(); last !== undefined; last = undo.pop()) {
    const { title, work } = last;
    await (title === undefined
      ? work()
      : step(`Stopping ${title}`, async () => {
          await work();
        }));
  }
}

/** The request to stop, which steps can check and wait for. */
class Interruption {
  readonly rejects: Promise<never>;
  private requested = false;

  constructor(stopRequested: Promise<unknown> = new Promise(() => undefined)) {
    this.rejects = stopRequested.then(() => {
      this.requested = true;
      throw new OperatorError('Stopped before everything was ready.');
    });
    this.rejects.catch(() => undefined);
  }

  async check(): Promise<void> {
    if (this.requested) await this.rejects;
  }
}

async function clearLeftovers(paths: DataPaths): Promise<void> {
  const count = await endLeftovers(paths.dataDir);
  if (count > 0) say(`  Ended ${count} processes that an interrupted run had left behind`);
}

interface Starting {
  env: NodeJS.ProcessEnv;
  paths: DataPaths;
  interruption: Interruption;
  undo: Undo;
}

async function startInfrastructure({ env, paths, interruption, undo }: Starting): Promise<Infrastructure> {
  // What can be refused is refused before anything is started.
  const anvil = anvilOfStack(env, say);
  const secrets = loadSecrets(paths);
  const given = givenUrls(env);
  const postgres = given.length === DATABASES.length ? undefined : await startOwnPostgres(paths, secrets, undo);
  await interruption.check();
  const natsUrl = env['NATS_URL'];
  const nats = natsUrl ? await useGivenNats(natsUrl) : await startOwnNats(env, paths, secrets, undo);
  await interruption.check();
  const chains = anvil === undefined ? [] : await startOwnChains({ program: anvil, env, paths, secrets, undo });
  await interruption.check();
  const urls = databaseUrls(env, postgres, secrets);
  await step('Databases', async (tell) => {
    const results = await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
    // One after the other: on one server they would make the same roles.
    for (const further of furtherLedgerOwners(env)) results.push(await migrateFurther(further));
    const applied = results.reduce((sum, result) => sum + result.applied.length, 0);
    const newer = results.flatMap((result) => result.newer);
    const state = applied === 0 ? 'up to date' : `${applied} migrations applied`;
    tell(newer.length === 0 ? state : `${state}, newer than this checkout by ${newer.join(', ')}`);
    const own = DATABASES.filter((name) => !given.includes(name));
    if (postgres) await allowLogins(postgres, secrets, own);
  });
  return { secrets, postgres, nats, natsUrl: nats.url, chains, urls };
}

/** The user's own, beside the one of LEDGER_DATABASE_URL (docs/adr/0066). */
async function migrateFurther({ name, url }: NamedUrl): Promise<MigrationResult> {
  try {
    return await migrate({ name: 'ledger', url });
  } catch (error) {
    throw new OperatorError(
      `The database ${name} of LEDGER_DATABASES: ${errorMessage(error)} LEDGER_MIGRATION_DATABASES takes the login of its owner.`,
    );
  }
}

async function startOwnPostgres(paths: DataPaths, secrets: Secrets, undo: Undo) {
  const title = existsSync(paths.postgres) ? 'Postgres' : 'Postgres, first start';
  const server = await step(title, () =>
    keepRunning('Postgres', paths.postgresLog, () => startPostgres(paths, secrets)),
  );
  undo.push({ title: 'Postgres', work: () => server.stop() });
  return server;
}

async function startOwnNats(env: NodeJS.ProcessEnv, paths: DataPaths, secrets: Secrets, undo: Undo) {
  const server = await step('NATS', async (tell) => {
    const program = await obtainNatsServer(env, tell);
    return keepRunning('nats-server', paths.natsLog, () => startNats(paths, secrets, program));
  });
  undo.push({ title: 'NATS', work: () => server.stop() });
  return server;
}

async function startOwnChains({
  program,
  env,
  paths,
  secrets,
  undo,
}: Omit<Starting, 'interruption'> & { program: string; secrets: Secrets }) {
  const [{ hotWalletAddress }, { chainLog, startLocalChain }] = await Promise.all([
    import('./chains/accounts.js'),
    import('./chains/local-chain.js'),
  ]);
  const chains: StoppedServer<LocalChain>[] = [];
  undo.push({ title: 'chains', work: () => Promise.all(chains.map((chain) => chain.stop())) });
  const { SIGNER_SEED: ofSigner, DEPOSIT_SEED: ofLedger = '' } = sharedValues(env, secrets);
  const hotWallet = hotWalletAddress(ofSigner ?? ofLedger, Number(env['SIGNER_HOT_INDEX'] || 0));
  const start = async (network: EvmNetwork) => {
    const request = { network, paths, secrets, program, hotWallet };
    const startOne = () => startLocalChain(request);
    chains.push(await keepRunning(`The ${network} chain`, chainLog(paths, network), startOne));
  };
  await step('Chains', () => allOf(EVM_NETWORKS.map(start)));
  return EVM_NETWORKS.flatMap((network) => chains.filter((chain) => chain.description.network === network));
}

/** Waits for all of them also where one fails: what has started is then there to be stopped. */
async function allOf(starts: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(starts)).find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Reports a server that ends unexpectedly and starts it again on the same port, after a bounded delay. */
async function keepRunning<Server extends ServerProcess>(
  name: string,
  log: string,
  start: () => Promise<Server>,
): Promise<StoppedServer<Server>> {
  const first = await start();
  let current = first;
  let stopping = false;
  let restart = Promise.resolve();
  const watch = () =>
    current.onUnexpectedExit((reason) => {
      say(`  ${name} ended unexpectedly (${reason}); starting it again. Its last words are in ${log}`);
      restart = startAgain();
    });
  const isStopping = () => stopping;
  async function startAgain(): Promise<void> {
    while (!isStopping()) {
      await sleep(RESTART_DELAY_MS);
      try {
        current = await start();
        say(`  ${name} is back (process ${current.pid})`);
        watch();
        return;
      } catch (error) {
        say(`  ${errorMessage(error)}`);
      }
    }
  }
  watch();
  return {
    ...first,
    pid: () => current.pid,
    stop: async () => {
      stopping = true;
      await restart;
      await current.stop();
    },
  };
}

async function useGivenNats(url: string): Promise<{ url: string; pid?: () => number }> {
  await step('NATS: the one of NATS_URL', () => requireNats(url));
  return { url };
}

async function launchServices({
  request: { env, verbose = false, mainOf, textOf, nodeFlags },
  paths,
  parts,
  port,
  interruption,
  undo,
}: Omit<Starting, 'env'> & { request: StackRequest; parts: Infrastructure; port: number }): Promise<RunningServices> {
  await interruption.check();
  const chains = parts.chains.map((chain) => chain.description);
  const settings = localChainSettings(env, chains);
  const { signerJournal: journalDirectory, erasures: erasuresFile } = paths;
  const request = { ...parts, port, journalDirectory, erasuresFile };
  const environments = serviceEnvironments({ env: { ...env, ...settings }, ...request });
  if (environments.signer !== undefined) mkdirSync(journalDirectory, { recursive: true, mode: 0o700 });
  const services = await step('Services', () =>
    startServices({
      ...{ paths, environments, verbose, mainOf, textOf, nodeFlags },
      interrupted: interruption.rejects,
    }),
  );
  undo.push({ title: 'services', work: () => services.stop() });
  return services;
}

function describe({
  env,
  paths,
  parts,
  services,
}: Pick<Starting, 'env' | 'paths'> & { parts: Infrastructure; services?: RunningServices }): StackDescription {
  const by = (kind: 'app' | 'owner') =>
    Object.fromEntries(DATABASES.map((name) => [name, parts.urls[name][kind]])) as Record<DatabaseName, string>;
  const origin = services?.gatewayUrl()?.replace(/\/(api)?\/?$/, '');
  return {
    ...(origin && {
      base_url: `${origin}/api`,
      docs_url: `${origin}/docs`,
      api_key: sharedValues(env, parts.secrets)['SANDBOX_API_KEY'],
    }),
    ...(services?.consoleUrl() && { console_url: env['CONSOLE_ORIGIN'] || services.consoleUrl() }),
    ...(env['OPERATIONS_PORT'] && services && { operations_urls: services.operationsUrls() }),
    nats_url: parts.natsUrl,
    databases: by('app'),
    owner_databases: by('owner'),
    ...(parts.urls.ledger.further && { auditor_database: parts.urls.ledger.further }),
    ...(parts.postgres && { postgres_url: parts.postgres.url('postgres') }),
    ...(parts.chains.length > 0 && { chains: parts.chains.map((chain) => chain.description) }),
    pids: {
      launcher: process.pid,
      ...(parts.postgres && { postgres: parts.postgres.pid() }),
      ...(parts.nats.pid && { nats: parts.nats.pid() }),
      ...chainPids(parts.chains),
      ...services?.pids(),
    },
    data_dir: paths.dataDir,
  };
}

const chainPids = (chains: Infrastructure['chains']) =>
  Object.fromEntries(
    chains.map((chain): [ChainProcessName, number] => [`chain-${chain.description.network}`, chain.pid()]),
  );

/**
 * For a command that reads the data of a stopped stack: runs only Postgres, while `work` runs. `work` receives the
 * environment with which a command line reaches the databases; nothing when the user's own environment names them all.
 */
export async function withPostgres<Result>(
  env: NodeJS.ProcessEnv,
  work: (environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const paths = dataPaths(dataDirFrom(env));
  if (!existsSync(paths.postgres))
    throw new OperatorError(`There is no data in ${paths.dataDir} yet: npm start makes it.`);
  if (givenUrls(env).length === DATABASES.length) return work({});
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    await endLeftovers(paths.dataDir);
    const secrets = loadSecrets(paths);
    const postgres = await step('Postgres', () => startPostgres(paths, secrets));
    try {
      const urls = databaseUrls(env, postgres, secrets);
      return await work(commandLineEnvironment({ env, secrets, urls, erasuresFile: paths.erasures }));
    } finally {
      await postgres.stop();
    }
  } finally {
    release();
  }
}
