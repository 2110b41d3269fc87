// The steps of the deployment trial. Each ends with a result or with one sentence that names the fault.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { step, type Tell } from '@stablecoin/command-line/terminal';
import { IMAGES } from '@stablecoin/images/contents';
import { imageNodeVersion, obtainNode } from '@stablecoin/local-stack/node-binary';
import { journey } from '@stablecoin/testing/journey';
import type { Variables } from '../compose/interpolation';
import { bytes, COMPOSE_FILE, readComposeFile, type ComposeModel } from '../compose/compose-file';
import { brokenRules } from '../compose/rules';
import { filesIn, inspectImage, type ImageFigures } from '../dockerfile/image-contents';
import { imageFolders, type Image } from '../dockerfile/image-folders';
import { packageInstaller } from '../dockerfile/package-installer';
import type { Ending } from '../running/container';
import { Deployment } from '../running/deployment';
import { requireRefusals } from './broker-refusals';
import { newMerchant, type NewMerchant } from './merchant';
import { BLOCK_TIME_MS, depositAndPayOut, NETWORK, requireSolvency } from './money-on-a-chain';
import { checkParkedFacts } from './parked-facts';
import type { DeploymentFigures, ServiceFigures } from './report';
import { rollingRestart, type LoadedMerchant } from './rolling-restart';
import { moveToSecond, shardOf, verifyBoth } from './second-ledger';

const SCALE = { gateway: 2, 'wallet-ledger': 2 };
const INSTALLS_AT_ONCE = 2;
const VIOLATIONS_SHOWN = 5;

/** Checks the file against the specification, its variables and our rules. */
export function checkFile(variables: Variables): Promise<ComposeModel> {
  return step('docker-compose.yml: schema, variables, rules', () => {
    requireNeededVariables(variables);
    const model = readComposeFile({ variables });
    const broken = brokenRules(model);
    if (broken.length > 0) throw new OperatorError(`${COMPOSE_FILE}:\n  ${broken.join('\n  ')}`);
    return model;
  });
}

/** Requires that a missing variable without a default is reported by its name. */
function requireNeededVariables(variables: Variables): void {
  const withoutName = { ...variables, CHECKPOINT_ORIGIN: '' };
  assert.throws(() => readComposeFile({ variables: withoutName }), /CHECKPOINT_ORIGIN is missing/);
}

/** Makes every image's folder and checks its contents. */
export async function checkImages(
  model: ComposeModel,
  folder: string,
): Promise<{ deployment: Deployment; images: ImageFigures[] }> {
  const node = await step('Node of the images', async (tell) => {
    const version = imageNodeVersion();
    tell(version);
    return obtainNode(version, tell);
  });
  const { image } = imageFolders({
    folder: join(folder, 'images'),
    nodeFolder: dirname(node),
    install: packageInstaller(node),
  });
  await step('Dockerfile: build', () => image('build'));
  const images = await step('Dockerfile: images', () => allImages(image));
  const deployment = new Deployment({ model, images, folder: join(folder, 'deployment'), scale: SCALE, node });
  const secrets = deployment.prepare();
  const inspected = Object.entries(IMAGES).flatMap(([name, contents]) => {
    const made = images[name];
    return made === undefined ? [] : [inspectImage(made, contents, secrets)];
  });
  const problems = inspected.flatMap((inspection) => inspection.problems);
  if (problems.length > 0)
    throw new OperatorError(`Images hold what they should not, or lack something:\n  ${problems.join('\n  ')}`);
  return { deployment, images: inspected.map(({ figures }) => figures) };
}

async function allImages(image: (name: string) => Promise<Image>): Promise<Record<string, Image>> {
  const names = Object.keys(IMAGES);
  const waiting = [...names];
  const images: Record<string, Image> = {};
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) images[name] = await image(name);
  };
  await Promise.all(Array.from({ length: INSTALLS_AT_ONCE }, work));
  return Object.fromEntries(names.flatMap((name) => (images[name] ? [[name, images[name]]] : [])));
}

/** The checks that need a running deployment. */
export async function checkDeployment(deployment: Deployment): Promise<DeploymentFigures> {
  const before = contentsOf(deployment.images);
  stopOnSignal(deployment);
  try {
    await step('Postgres and NATS', (tell) => startStores(deployment, tell));
    await step('A chain', () => deployment.startChain(NETWORK, BLOCK_TIME_MS));
    await step('Migration job, twice at once', () => deployment.migrate());
    await step('Services, in their order', (tell) => deployment.startServices(tell));
    const made = await newMerchant(deployment, 'Marina Traders');
    const shard = await step("Its shard on the ledger's second database", (tell) => move(deployment, made, tell));
    const merchant = await step("A merchant's journey", () => travel(made));
    const chain = await step('Money over a chain', (tell) => depositAndPayOut(deployment, { notOn: shard }, tell));
    const services = measured(deployment);
    const restart = await step('Rolling restart under load', (tell) => rollingRestart(deployment, merchant, tell));
    await step('Audit of both databases', async (tell) => {
      const { atHome, onSecond } = await verifyBoth(deployment, shard);
      tell(`${atHome} events at home, ${onSecond} on b`);
    });
    await step('What is held covers what is owed', (tell) => requireSolvency(deployment, chain.hotWallet, tell));
    await step('Parked facts', async (tell) => {
      await checkParkedFacts(deployment);
      tell('listed, and tried again');
    });
    await step('Data keys', () => deployment.command('operator', 'rewrap-keys'));
    await step('What the broker refuses', (tell) => checkBroker(deployment, tell));
    const stopped = await step('SIGTERM to all', () => stopAll(deployment));
    assert.deepEqual(contentsOf(deployment.images), before, 'a service wrote into its image');
    return { services, restart, stopped };
  } finally {
    await deployment.stop();
  }
}

/** Makes Ctrl-C end everything that was started, too. */
function stopOnSignal(deployment: Deployment): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void deployment.stop().finally(() => process.exit(1)));
}

async function startStores(deployment: Deployment, tell: Tell): Promise<void> {
  await deployment.startStores(tell);
  const { version, omitted } = deployment.nats;
  const without = omitted.length > 0 ? `, which does not know ${omitted.join(', ')}: left out` : '';
  tell(`nats-server ${version}${without}`);
}

async function move(deployment: Deployment, { id }: NewMerchant, tell: Tell): Promise<number> {
  const shard = await shardOf(deployment, id);
  await moveToSecond(deployment, shard);
  tell(`shard ${shard}`);
  return shard;
}

/** A merchant's whole journey, from the operator's command that creates it. */
async function travel({ apiKey, client }: NewMerchant): Promise<LoadedMerchant> {
  const { wallet_id: walletId } = await journey(client.ask);
  return { apiKey, walletId };
}

function measured(deployment: Deployment): ServiceFigures[] {
  return deployment.instances().map((container) => {
    const { title, startMs, service } = container;
    const limit = bytes(service.deploy?.resources?.limits?.memory ?? 0) / 2 ** 20;
    const resident = container.residentMegabytes();
    if (resident !== undefined && resident > limit)
      throw new OperatorError(`${title} takes ${resident} MB, its limit is ${limit} MB.`);
    return { service: title, start_ms: startMs, resident_mb: resident, limit_mb: limit };
  });
}

async function checkBroker({ nats }: Deployment, tell: Tell): Promise<void> {
  const violations = nats.violations();
  if (violations.length > 0)
    throw new OperatorError(
      'A service was refused what it needs (deploy/nats/permissions.conf):\n  ' +
        violations.slice(0, VIOLATIONS_SHOWN).join('\n  '),
    );
  tell(`${await requireRefusals(nats.urlOf)} attempts`);
}

async function stopAll(deployment: Deployment): Promise<Ending[]> {
  const endings = await deployment.stopServices();
  const wrong = endings.filter(({ code, ms, grace_ms }) => code !== 0 || ms > grace_ms);
  if (wrong.length > 0)
    throw new OperatorError(
      wrong.map(({ title, code, ms }) => `${title} ended with ${code} after ${ms} ms.`).join('\n'),
    );
  return endings;
}

/** Names and sizes of all files of all images. */
const contentsOf = (images: Record<string, Image>) =>
  Object.fromEntries(
    Object.entries(images).map(([name, { root }]) => [name, filesIn(root).map(({ path, size }) => `${path} ${size}`)]),
  );
