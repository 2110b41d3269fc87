// What an upgrade goes on around: a Postgres and a NATS server that stay the same, databases that the older version made,
// the broker with that version's permissions, and the environment of each service. `adoptPermissions` and `adoptSchema`
// bring broker and databases to this version, in this order.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readComposeFile } from '../compose/compose-file.mjs';
import { writeSecretFiles } from '../compose/secret-files.mjs';
import { natsOf } from '../compose/stores.mjs';
import { DATABASES, databaseUrls } from '../stack/databases.mjs';
import { commandLineEnvironment, serviceEnvironments, sharedValues } from '../stack/environment.mjs';
import { setPassword } from '../stack/logins.mjs';
import { migrate } from '../stack/migrations.mjs';
import { startNats } from '../stack/nats.mjs';
import { obtainNatsServer } from '../stack/nats-binary.mjs';
import { dataPaths, makeDataDir } from '../stack/paths.mjs';
import { startPostgres } from '../stack/postgres.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { migrateAsItDid } from './old-checkout.mjs';

/** The bank settles soon, the log is signed often, and a gateway gives our balancer ten times as long as it needs. */
const SETTINGS = {
  SANDBOX_SETTLE_MS: '300',
  CHECKPOINT_INTERVAL_MS: '2000',
  DRAIN_LEAD_MS: '2000',
  OPERATIONS_PORT: '0',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'json',
};

/**
 * Resolves to {environments, commandEnvironment, apiKey, paths, hasPermissions, migrateOlder(), adoptPermissions(),
 * expectAnswers(), adoptSchema(tell), violations(), stop()}.
 */
export async function startSite({ folder, olderRoot, tell }) {
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const undo = [];
  const stop = async () => {
    while (undo.length > 0) await undo.pop()();
  };
  try {
    const postgres = await startPostgres(paths, secrets);
    undo.push(postgres.stop);
    const bus = await startBus({ folder, paths, secrets, olderRoot, tell });
    undo.push(bus.stop);
    const urls = databaseUrls({}, postgres, secrets);
    return { ...describe({ paths, secrets, bus, urls }), ...databaseSteps({ bus, urls, olderRoot }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** With the permissions of the older version; from before there were any, one user may say everything. */
async function startBus({ folder, paths, secrets, olderRoot, tell }) {
  const deployFolder = join(olderRoot, 'deploy', 'nats');
  if (!existsSync(join(deployFolder, 'permissions.conf'))) {
    const server = await startNats(paths, secrets, await obtainNatsServer(process.env, tell));
    tell('the older version has no permissions on the bus');
    return { urlOf: () => server.url, hasPermissions: false, violations: () => [], stop: server.stop };
  }
  const secretsFolder = join(folder, 'secrets');
  writeSecretFiles(secretsFolder);
  const { nats } = readComposeFile({ variables: { CHECKPOINT_ORIGIN: 'upgrade' } }).services;
  const server = await natsOf(folder, secretsFolder, nats, tell, deployFolder);
  const urlOf = (user) => {
    const file = join(secretsFolder, `${user.replaceAll('-', '_')}_nats_url`);
    return readFileSync(file, 'utf8').trim().replace('nats:4222', server.address);
  };
  return { ...server, hasPermissions: true, urlOf };
}

function describe({ paths, secrets, bus, urls }) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...SETTINGS };
  const parts = { env, secrets, natsUrl: bus.urlOf('gateway'), urls };
  const environments = Object.entries(serviceEnvironments({ ...parts, port: 0 })).map(([app, environment]) => [
    app,
    { ...environment, NATS_URL: bus.urlOf(app) },
  ]);
  return {
    environments: Object.fromEntries(environments),
    commandEnvironment: { ...env, ...commandLineEnvironment(parts) },
    apiKey: sharedValues(env, secrets).SANDBOX_API_KEY,
    paths,
  };
}

function databaseSteps({ bus, urls, olderRoot }) {
  let [own, answers] = [0, 0];
  const owners = Object.fromEntries(DATABASES.map((name) => [name, urls[name].owner]));
  return {
    migrateOlder: async () => {
      await migrateAsItDid(olderRoot, owners);
      for (const name of DATABASES) await setPassword(owners[name], urls[name].app);
    },
    hasPermissions: bus.hasPermissions,
    adoptPermissions: async () => {
      await bus.adopt();
      own = bus.violations().length;
    },
    /** What was under way when the permissions changed has ended; from here on an answer that is refused is a finding. */
    expectAnswers: () => {
      answers = bus.violations().length;
    },
    /** One database after the other; resolves to the migrations that were applied. */
    adoptSchema: async (tell) => {
      const applied = [];
      for (const name of DATABASES) {
        const result = await migrate({ name, url: owners[name], tell });
        applied.push(...result.applied.map((migration) => `${name}/${migration}`));
        if (urls[name].reader) await setPassword(owners[name], urls[name].reader);
      }
      return applied;
    },
    /** Less what the older version's own permissions refused, and the answers to calls that were under way at the change. */
    violations: () =>
      bus.violations().filter((line, index) => index >= answers || (index >= own && !line.includes('"_INBOX_'))),
  };
}
