// The run of npm run test:failover: everything started → a merchant's journey → load, and under it one fault after the
// other, each over when every kind of write is acknowledged again → load ended → the books, the audit, another journey.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { journey, merchantClient } from '../traffic/journey.mjs';
import { writeSecretFiles } from '../compose/secret-files.mjs';
import { DATABASES, allowLogins, databaseUrls } from '../stack/databases.mjs';
import { commandLineEnvironment, serviceEnvironments, withoutAnyStack } from '../stack/environment.mjs';
import { migrate } from '../stack/migrations.mjs';
import { obtainNatsServer } from '../stack/nats-binary.mjs';
import { dataPaths, makeDataDir, ROOT } from '../stack/paths.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { startServices } from '../stack/services.mjs';
import { Refusal, step } from '../stack/terminal.mjs';
import { audited, differences, untilAtRest } from './books.mjs';
import { Load } from './load.mjs';
import { NatsCluster } from './nats-cluster.mjs';
import { PostgresPair } from './postgres-pair.mjs';

const SETTINGS = { SANDBOX_SETTLE_MS: '300', LEDGER_SHARDS: '4', LOG_LEVEL: 'warn', LEDGER_STREAM_REPLICAS: '3' };
/** On several shards. */
const MERCHANTS = 4;
const STEADY_MS = 3_000;
const RECOVERED_WITHIN_MS = 45_000;
/** How long a server stays away that the others can do without. */
const AWAY_MS = 8_000;
/** How long an address leads to a standby before that is promoted. */
const TOO_EARLY_MS = 3_000;
const POLL_MS = 50;
const FAILURES_SHOWN = 5;

export async function runTrial(folder, rounds) {
  const undo = [];
  try {
    const parts = await started(folder, undo);
    const { call, load, cluster } = parts;
    await step('The journey of a merchant', () => journey(call));
    load.start();
    await sleep(STEADY_MS);
    const told = [];
    for (let round = 1; round <= rounds; round += 1) {
      for (const [what, fault] of FAULTS) {
        const recovery = await step(what, (tell) => fault(parts, tell));
        told.push({ what, ...recovery });
        await sleep(STEADY_MS);
      }
    }
    await load.stop();
    await step('Books', () => requireBooks(parts));
    await step('The journey once more', () => journey(call));
    const { requests, sentAgain: sent_again, slowestMs: slowest_ms } = load;
    return { nats_server: cluster.version[0], rounds: told, requests, sent_again, slowest_ms, ...counted(load) };
  } finally {
    while (undo.length > 0) await undo.pop()();
  }
}

const counted = ({ acknowledged }) => ({ acknowledged: acknowledged.filter(({ kind }) => kind !== 'read').length });

// -- what is started ----------------------------------------------------------------------------------------------

async function started(folder, undo) {
  const paths = dataPaths(join(folder, 'services'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const pair = new PostgresPair(folder, secrets);
  undo.push(() => pair.stop());
  const cluster = await startedCluster(folder, undo);
  const urls = await step('Postgres with a standby, databases', () => startedDatabases(pair, secrets));
  const env = { ...withoutAnyStack(process.env), ...SETTINGS };
  const parts = { env, secrets, urls };
  const environments = serviceEnvironments({ ...parts, natsUrl: '', port: 0 });
  for (const [app, environment] of Object.entries(environments)) environment.NATS_URL = cluster.urlOf(app);
  const services = await step('Services', () =>
    startServices({ paths, environments, verbose: false, interrupted: new Promise(() => undefined) }),
  );
  undo.push(services.stop);
  const commandLine = { ...env, ...commandLineEnvironment({ ...parts, natsUrl: cluster.urlOf('auditor') }) };
  const [traveller, ...merchants] = await step('Merchants', () => createdMerchants(commandLine, services));
  const load = new Load(merchants);
  await load.prepare();
  return { pair, cluster, urls, commandLine, call: traveller.call, load };
}

function startedCluster(folder, undo) {
  return step('Three brokers', async (tell) => {
    const secretsFolder = join(folder, 'secrets');
    writeSecretFiles(secretsFolder);
    const cluster = new NatsCluster({ folder, secretsFolder, program: await obtainNatsServer(process.env, tell) });
    undo.push(() => cluster.stop());
    await cluster.start();
    tell(`nats-server ${cluster.version[0]}`);
    return cluster;
  });
}

async function startedDatabases(pair, secrets) {
  await pair.start();
  const server = { port: pair.port, url: (database) => pair.url(database) };
  const urls = databaseUrls({}, server, secrets);
  await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
  await allowLogins(server, secrets, DATABASES);
  await pair.addStandby();
  return urls;
}

/** {id, call} of each: the one of the journeys, and those of the load. */
async function createdMerchants(commandLine, services) {
  const origin = () => [services.gatewayUrl().replace(/\/(api)?\/?$/, '')];
  const merchants = [];
  for (let number = 1; number <= 1 + MERCHANTS; number += 1) {
    const args = [join(ROOT, 'dist/apps/operator/src/main.js'), 'merchants', 'create', '--name', `Merchant ${number}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: commandLine });
    const { merchant_id: id, api_key } = JSON.parse(stdout);
    merchants.push({ id, call: merchantClient(origin, api_key) });
  }
  return merchants;
}

// -- faults -------------------------------------------------------------------------------------------------------

/** In this order, each with how long it took until all was well again. */
const FAULTS = [
  ["The stream's leader is killed", ({ cluster, load }, tell) => killBroker(cluster, load, 0, tell)],
  ['The next broker is killed', ({ cluster, load }, tell) => killBroker(cluster, load, 1, tell)],
  ['The third broker is killed', ({ cluster, load }, tell) => killBroker(cluster, load, 2, tell)],
  ['Two brokers are killed at once', killTwoBrokers],
  ['The primary is killed, the standby promoted, the address moved', (parts, tell) => failOver(parts, false, tell)],
  [
    'The primary is killed, the address moved, the standby promoted later',
    (parts, tell) => failOver(parts, true, tell),
  ],
  ['The standby is killed', loseStandby],
];

/** The leader of the moment, and then the two that were not. */
async function killBroker(cluster, load, turn, tell) {
  const { leader, replicas, created } = await cluster.stream();
  if (replicas !== cluster.servers.length) throw new Refusal(`The stream has ${replicas} replicas.`);
  if (turn === 0)
    cluster.inTurns = [leader, ...cluster.servers.map(({ name }) => name).filter((name) => name !== leader)];
  const victim = cluster.named(cluster.inTurns[turn]);
  const at = Date.now();
  await cluster.kill(victim);
  const recovery = await recovered(load, at, tell);
  await sleep(AWAY_MS);
  await cluster.revive(victim);
  await requireSameStream(cluster, created);
  return recovery;
}

/** One server by itself keeps no stream: requests go on, and facts wait for the others. */
async function killTwoBrokers({ cluster, load }, tell) {
  const { created } = await cluster.stream();
  const victims = cluster.servers.slice(0, 2);
  const at = Date.now();
  await Promise.all(victims.map((victim) => cluster.kill(victim)));
  const recovery = await recovered(load, at, tell);
  await sleep(AWAY_MS);
  await Promise.all(victims.map((victim) => cluster.revive(victim)));
  await requireSameStream(cluster, created);
  return recovery;
}

async function requireSameStream(cluster, created) {
  const found = await cluster.stream();
  if (found?.created !== created) throw new Refusal(`The stream is another: ${found?.created} instead of ${created}.`);
}

/** Afterwards the new primary gets a standby of its own. */
async function failOver({ pair, load }, isEarly, tell) {
  const at = Date.now();
  await pair.killPrimary();
  if (isEarly) {
    pair.moveAddress();
    await sleep(TOO_EARLY_MS);
    await pair.promote();
  } else {
    const { port } = pair.standby;
    await pair.promote();
    pair.target = port;
  }
  const recovery = await recovered(load, at, tell);
  await pair.addStandby();
  return recovery;
}

/** Nothing is acknowledged while there is nobody to keep the second copy. */
async function loseStandby({ pair, load }, tell) {
  await pair.killStandby();
  const lost = Date.now();
  await sleep(AWAY_MS);
  const meanwhile = load.acknowledged.filter(({ kind, at, tookMs }) => kind === 'payout' && at - tookMs > lost);
  if (meanwhile.length > 0)
    throw new Refusal(`${meanwhile.length} payouts were acknowledged that are on one disk only.`);
  const at = Date.now();
  await pair.reviveStandby();
  return recovered(load, at, tell);
}

async function recovered(load, moment, tell) {
  for (const deadline = Date.now() + RECOVERED_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const recovery = load.recoveryFrom(moment);
    if (recovery) {
      tell(`writes again after ${seconds(recovery.first_ms)} s, all kinds after ${seconds(recovery.all_ms)} s`);
      return recovery;
    }
  }
  throw new Refusal(`Not every kind of write was acknowledged again within ${RECOVERED_WITHIN_MS / 1000} s.`);
}

// -- what must hold -----------------------------------------------------------------------------------------------

async function requireBooks({ cluster, urls, commandLine, load }) {
  await untilAtRest(urls);
  const wrong = [
    ...load.failures,
    ...(await differences(urls, load)),
    ...cluster.violations().map((line) => `A broker refused what a service needs: ${line}`),
  ];
  if (wrong.length > 0)
    throw new Refusal(`${wrong.length} things are wrong:\n  ${wrong.slice(0, FAILURES_SHOWN).join('\n  ')}`);
  await audited(commandLine, 'verify');
  await audited(commandLine, 'replay');
}

const seconds = (ms) => (ms / 1_000).toFixed(1);

export function report(outcome, json) {
  if (json) return void process.stdout.write(`${JSON.stringify(outcome)}\n`);
  const lines = outcome.rounds.map(
    ({ what, first_ms, all_ms, longest_ms }) =>
      `${what}: writes again after ${seconds(first_ms)} s, all kinds after ${seconds(all_ms)} s, longest wait ${seconds(longest_ms)} s`,
  );
  const { nats_server, requests, sent_again, slowest_ms, acknowledged } = outcome;
  const sums =
    `nats-server ${nats_server}: ${requests} requests, ${sent_again} of them sent again, the slowest took ${slowest_ms} ms; ` +
    `${acknowledged} acknowledged, none lost, none twice`;
  process.stdout.write(`\n${[...lines, sums].join('\n')}\n`);
}
