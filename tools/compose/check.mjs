// The steps of npm run compose:check, each of which ends in a result or in one sentence that says what is wrong.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal, say, step } from '../stack/terminal.mjs';
import { journey, merchantClient } from '../traffic/journey.mjs';
import { requireWalls } from './bus-walls.mjs';
import { bytes, COMPOSE_FILE, readComposeFile } from './compose-file.mjs';
import { Deployment } from './deployment.mjs';
import { filesIn, inspectImage } from './image-contents.mjs';
import { imageFolders } from './image-folders.mjs';
import { rollingRestart } from './rolling-restart.mjs';
import { brokenRules } from './rules.mjs';

const SCALE = { gateway: 2, 'wallet-ledger': 2 };
const INSTALLS_AT_ONCE = 2;
const TARGETS = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'auditor', 'operator', 'migrate'];

/** Runs `work` with a folder that is gone afterwards, whatever happens, unless it is to be kept. */
export async function inTemporaryFolder(keep, work) {
  const folder = mkdtempSync(join(tmpdir(), 'compose-check-'));
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    return await work(folder);
  } finally {
    if (keep) say(`  Kept: ${folder}`);
    else remove();
  }
}

export function checkFile(variables) {
  return step('docker-compose.yml: schema, variables, rules', () => {
    requireNeededVariables(variables);
    const model = readComposeFile({ variables });
    const broken = brokenRules(model);
    if (broken.length > 0) throw new Refusal(`${COMPOSE_FILE}:\n  ${broken.join('\n  ')}`);
    return model;
  });
}

/** What has no default has to be asked for by its name. */
function requireNeededVariables(variables) {
  const withoutName = { ...variables, CHECKPOINT_ORIGIN: '' };
  assert.throws(() => readComposeFile({ variables: withoutName }), /CHECKPOINT_ORIGIN is missing/);
}

/** Makes every image's folder; {deployment, result: {images}}. */
export async function checkImages(model, folder) {
  const { image } = imageFolders({ folder: join(folder, 'images') });
  await step('Dockerfile: build', () => image('build'));
  const images = await step('Dockerfile: images', () => allImages(image));
  const deployment = new Deployment({ model, images, folder: join(folder, 'deployment'), scale: SCALE });
  const secrets = deployment.prepare();
  const inspected = TARGETS.map((name) => ({ image: name, ...inspectImage(images[name], secrets) }));
  const problems = inspected.flatMap((inspection) => inspection.problems);
  if (problems.length > 0)
    throw new Refusal(`Images hold what they should not, or lack something:\n  ${problems.join('\n  ')}`);
  return { deployment, result: { images: inspected.map(({ problems: _none, ...figures }) => figures) } };
}

async function allImages(image) {
  const waiting = [...TARGETS];
  const images = {};
  const work = async () => {
    for (let name; (name = waiting.shift()) !== undefined;) images[name] = await image(name);
  };
  await Promise.all(Array.from({ length: INSTALLS_AT_ONCE }, work));
  return images;
}

/** Everything that needs the deployment to run. */
export async function checkDeployment({ deployment }) {
  const before = contentsOf(deployment.images);
  endWithUs(deployment);
  try {
    await step('Postgres and NATS', async (tell) => {
      await deployment.startStores(tell);
      const { version, omitted } = deployment.nats;
      tell(
        `nats-server ${version}${omitted.length > 0 ? `, which does not know ${omitted.join(', ')}: left out` : ''}`,
      );
    });
    await step('Migration job, twice at once', () => deployment.migrate());
    await step('Services, in their order', (tell) => deployment.startServices(tell));
    const call = await step("A merchant's journey", () => journeyOf(deployment));
    const services = measured(deployment);
    const restart = await step('Rolling restart under load', (tell) => rollingRestart(deployment, call, tell));
    await step('Audit', () => deployment.command('auditor', 'verify'));
    await step('Parked facts', (tell) => checkFacts(deployment, tell));
    await step('Data keys', () => deployment.command('operator', 'customers', 'rewrap-keys'));
    await step('What the broker refuses', (tell) => checkBroker(deployment, tell));
    const stopped = await step('SIGTERM to all', () => stopAll(deployment));
    assert.deepEqual(contentsOf(deployment.images), before, 'a service wrote into its image');
    return { services, restart, stopped };
  } finally {
    await deployment.stop();
  }
}

/** Ctrl-C ends what was started, too. */
function endWithUs(deployment) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void deployment.stop().finally(() => process.exit(1)));
}

async function journeyOf(deployment) {
  const created = JSON.parse(await deployment.command('operator', 'merchants', 'create', '--name', 'Marina Traders'));
  const client = (origins) => merchantClient(origins, created.api_key);
  const call = client(() => deployment.gatewayOrigins());
  const { wallet_id } = await journey(call);
  return { client, wallet_id };
}

/**
 * None is parked by itself. One that no service can read is listed, tried again by the service that is asked to, and stays:
 * the command, its role and the running service belong together.
 */
async function checkFacts(deployment, tell) {
  const { facts } = deployment.model.services;
  const listed = async () => JSON.parse(await deployment.command('facts', ...facts.command, '--json'));
  assert.deepEqual(await listed(), [], 'facts were parked');
  await deployment.onDatabase('payout', (client) => client.query(UNREADABLE_FACT));
  assert.deepEqual(
    (await listed()).map(({ service, position }) => [service, position]),
    [['payout', '0:1']],
  );
  const { code, output } = await deployment.container('facts').run('retry', 'payout', '--all', '--json');
  const tried = JSON.parse(output).parked.map(({ attempts }) => attempts);
  assert.deepEqual({ code, tried }, { code: 1, tried: [2] }, 'the service did not try again what it was asked to');
  await deployment.onDatabase('payout', (client) => client.query('DELETE FROM parked_facts'));
  tell('listed, and tried again');
}

const UNREADABLE_FACT = `
  INSERT INTO parked_facts (consumer, shard, position, movement, concerns, sealed_fact, reason, attempts)
  VALUES ('payout', 0, 1, 'payout-accepted', 'a check', 'nobody sealed this', 'made up', 1)`;

function measured({ containers, model }) {
  return containers.map((container) => {
    const memory = bytes(model.services[container.name].deploy.resources.limits.memory) / 2 ** 20;
    const resident = container.residentMegabytes();
    if (resident > memory) throw new Refusal(`${container.title} takes ${resident} MB, its limit is ${memory} MB.`);
    return { service: container.title, start_ms: container.startMs, resident_mb: resident, limit_mb: memory };
  });
}

async function checkBroker(deployment, tell) {
  const violations = deployment.nats.violations();
  if (violations.length > 0)
    throw new Refusal(
      `A service was refused what it needs (deploy/nats/permissions.conf):\n  ${violations.slice(0, 5).join('\n  ')}`,
    );
  const file = (user) => deployment.secret(`${user.replaceAll('-', '_')}_nats_url`);
  const count = await requireWalls((user) => file(user).replace('nats:4222', deployment.nats.address));
  tell(`${count} attempts`);
}

async function stopAll(deployment) {
  const endings = await deployment.stopServices();
  const wrong = endings.filter(({ code, ms, grace_ms }) => code !== 0 || ms > grace_ms);
  if (wrong.length > 0)
    throw new Refusal(wrong.map(({ title, code, ms }) => `${title} ended with ${code} after ${ms} ms.`).join('\n'));
  return endings;
}

/** Names and sizes of all files of all images. */
const contentsOf = (images) =>
  Object.fromEntries(
    Object.entries(images).map(([name, { root }]) => [name, filesIn(root).map(({ path, size }) => `${path} ${size}`)]),
  );
