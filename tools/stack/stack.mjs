// The local stack as a whole: lock, leftovers, Postgres, NATS, migrations, services, in that order, and back down in the
// reverse one. Whatever was started when a step fails is stopped again before the failure is told.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { allowLogins, databaseUrls, DATABASES, givenUrls, urlVariable } from './databases.mjs';
import { commandLineEnvironment, serviceEnvironments, sharedValues } from './environment.mjs';
import { takeLock } from './lock.mjs';
import { migrate } from './migrations.mjs';
import { requireNats, startNats } from './nats.mjs';
import { obtainNatsServer } from './nats-binary.mjs';
import { dataDirFrom, dataPaths, makeDataDir, permissionRefusal } from './paths.mjs';
import { requireGatewayPort } from './ports.mjs';
import { startPostgres } from './postgres.mjs';
import { endLeftovers } from './processes.mjs';
import { loadSecrets, writeOwnerOnly } from './secrets.mjs';
import { startServices } from './services.mjs';
import { Refusal, say, step } from './terminal.mjs';

const RESTART_DELAY_MS = 500;

/**
 * Starts everything; resolves to {description, stop()}. `withServices: false` stops short of the five processes.
 * `stopRequested` (a promise) ends a start that is under way. `mainOf(app)` names a service's entry file: its built one,
 * unless a test says otherwise.
 */
export async function startStack({ env, verbose = false, withServices = true, stopRequested, mainOf }) {
  const interruption = watch(stopRequested);
  const paths = dataPaths(dataDirFrom(env));
  const undo = [];
  const stop = async () => {
    while (undo.length > 0) {
      const [title, work] = undo.pop();
      await (title === undefined ? work() : step(`Stopping ${title}`, work));
    }
  };
  try {
    makeDataDir(paths);
    const release = await takeLock(paths.lock, paths.dataDir);
    undo.push([undefined, release]);
    await clearLeftovers(paths);
    const port = withServices ? await requireGatewayPort(env.PORT || '3000', env.HOST || '127.0.0.1') : undefined;
    const parts = await startInfrastructure({ env, paths, interruption, undo });
    const services = withServices
      ? await launchServices({ env, paths, parts, port, verbose, interruption, mainOf, undo })
      : undefined;
    const description = describe({ env, paths, parts, services });
    writeOwnerOnly(
      paths.stack,
      `${JSON.stringify({ ...description, environment: commandLineEnvironment({ env, ...parts }) }, null, 2)}\n`,
    );
    return { description, stop };
  } catch (error) {
    await stop();
    throw permissionRefusal(paths, error) ?? error;
  }
}

/** Turns the request to stop into something that steps can check and wait for. */
function watch(stopRequested = new Promise(() => undefined)) {
  const interruption = { requested: false };
  interruption.rejects = stopRequested.then(() => {
    interruption.requested = true;
    throw new Refusal('Stopped before everything was ready.');
  });
  interruption.rejects.catch(() => undefined);
  interruption.check = () => (interruption.requested ? interruption.rejects : undefined);
  return interruption;
}

async function clearLeftovers(paths) {
  const count = await endLeftovers(paths.dataDir);
  if (count > 0) say(`  Ended ${count} processes that an interrupted run had left behind`);
}

async function startInfrastructure({ env, paths, interruption, undo }) {
  const secrets = loadSecrets(paths);
  const given = givenUrls(env);
  const postgres = given.length === DATABASES.length ? undefined : await startOwnPostgres({ paths, secrets, undo });
  await interruption.check();
  const nats = env.NATS_URL ? await useGivenNats(env.NATS_URL) : await startOwnNats({ env, paths, secrets, undo });
  await interruption.check();
  const urls = databaseUrls(env, postgres, secrets);
  await step('Databases', async (tell) => {
    const results = await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
    const applied = results.reduce((sum, result) => sum + result.applied.length, 0);
    const newer = results.flatMap((result) => result.newer);
    const state = applied === 0 ? 'up to date' : `${applied} migrations applied`;
    tell(newer.length === 0 ? state : `${state}, newer than this checkout by ${newer.join(', ')}`);
    if (postgres)
      await allowLogins(
        postgres,
        secrets,
        DATABASES.filter((name) => !given.includes(name)),
      );
  });
  return { secrets, postgres, nats, natsUrl: nats.url, urls };
}

async function startOwnPostgres({ paths, secrets, undo }) {
  const title = existsSync(paths.postgres) ? 'Postgres' : 'Postgres, first start';
  const server = await step(title, () =>
    keepRunning('Postgres', paths.postgresLog, () => startPostgres(paths, secrets)),
  );
  undo.push(['Postgres', server.stop]);
  return server;
}

async function startOwnNats({ env, paths, secrets, undo }) {
  const server = await step('NATS', async (tell) => {
    const program = await obtainNatsServer(env, tell);
    return keepRunning('nats-server', paths.natsLog, () => startNats(paths, secrets, program));
  });
  undo.push(['NATS', server.stop]);
  return server;
}

/** A server that ends unexpectedly is named and started again, where it was, after a bounded delay. */
async function keepRunning(name, log, start) {
  let current = await start();
  let stopping = false;
  let restart = Promise.resolve();
  const watch = () =>
    current.onUnexpectedExit((reason) => {
      say(`  ${name} ended unexpectedly (${reason}); starting it again. Its last words are in ${log}`);
      restart = startAgain();
    });
  async function startAgain() {
    while (!stopping) {
      await sleep(RESTART_DELAY_MS);
      try {
        current = await start();
        say(`  ${name} is back (process ${current.pid})`);
        return watch();
      } catch (error) {
        say(`  ${error.message}`);
      }
    }
  }
  watch();
  return {
    ...current,
    pid: () => current.pid,
    stop: async () => {
      stopping = true;
      await restart;
      await current.stop();
    },
  };
}

async function useGivenNats(url) {
  await step('NATS: the one of NATS_URL', () => requireNats(url));
  return { url };
}

async function launchServices({ env, paths, parts, port, verbose, interruption, mainOf, undo }) {
  await interruption.check();
  const environments = serviceEnvironments({ env, ...parts, port });
  const services = await step('Services', () =>
    startServices({ paths, environments, verbose, interrupted: interruption.rejects, ...(mainOf && { mainOf }) }),
  );
  undo.push(['services', services.stop]);
  return services;
}

function describe({ env, paths, parts, services }) {
  const by = (kind) => Object.fromEntries(DATABASES.map((name) => [name, parts.urls[name][kind]]));
  const origin = services?.gatewayUrl()?.replace(/\/(api)?\/?$/, '');
  return {
    ...(origin && {
      base_url: `${origin}/api`,
      docs_url: `${origin}/docs`,
      api_key: sharedValues(env, parts.secrets).SANDBOX_API_KEY,
    }),
    ...(env.OPERATIONS_PORT && services && { operations_urls: services.operationsUrls() }),
    nats_url: parts.natsUrl,
    databases: by('app'),
    owner_databases: by('owner'),
    ...(parts.urls.ledger.reader && { auditor_database: parts.urls.ledger.reader }),
    ...(parts.postgres && { postgres_url: parts.postgres.url('postgres') }),
    pids: {
      launcher: process.pid,
      ...(parts.postgres && { postgres: parts.postgres.pid() }),
      ...(parts.nats.pid && { nats: parts.nats.pid() }),
      ...services?.pids(),
    },
    data_dir: paths.dataDir,
  };
}

/** For a command that reads the data of a stopped stack: Postgres alone, for as long as `work` takes. */
export async function withPostgres(env, work) {
  const paths = dataPaths(dataDirFrom(env));
  if (!existsSync(paths.postgres)) throw new Refusal(`There is no data in ${paths.dataDir} yet: npm start makes it.`);
  const unnecessary = DATABASES.every((name) => env[urlVariable(name)]);
  if (unnecessary) return work({});
  const release = await takeLock(paths.lock, paths.dataDir);
  try {
    await endLeftovers(paths.dataDir);
    const secrets = loadSecrets(paths);
    const postgres = await step('Postgres', () => startPostgres(paths, secrets));
    try {
      return await work(commandLineEnvironment({ env, secrets, urls: databaseUrls(env, postgres, secrets) }));
    } finally {
      await postgres.stop();
    }
  } finally {
    release();
  }
}
