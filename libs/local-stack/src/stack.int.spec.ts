/**
 * The launcher with real Postgres and NATS processes: a second start, the leftovers of a killed launcher, and the
 * messages when it can't start.
 */
import { readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { readStack, type StackDescription } from './description';
import type { ServiceName } from './environment';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { readGreeting } from './nats';
import { ROOT } from './paths';
import { processesOfStack, waitUntil } from './processes';
import { nodeCommand, ServiceProcess } from './service-process';

const LAUNCHER = join(ROOT, 'dist/libs/local-stack/src/fixtures/launcher.main.js');
/** Variables of another stack: the developer's, or that of the test run. */
const OF_ANOTHER_STACK = /^(NATS_URL|PORT|DATA_DIR|TEST_.*|.*_DATABASE_URL|.*_KEY)$/;

jest.setTimeout(180_000);

const folders = new TemporaryFolders();
const launchers: ServiceProcess[] = [];
const newDataDir = () => join(folders.make(), 'data');

afterEach(async () => {
  await Promise.all(launchers.splice(0).map((launcher) => launcher.stop()));
  await folders.remove();
});

function launch(dataDir: string, env: NodeJS.ProcessEnv = {}): ServiceProcess {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_STACK.test(name)));
  const launcher = new ServiceProcess({
    title: 'launcher',
    command: nodeCommand(LAUNCHER),
    env: { ...inherited, PORT: '0', DATA_DIR: dataDir, LOCAL_CHAINS: 'false', ...env },
    output: 'tail',
  });
  launchers.push(launcher);
  return launcher;
}

type Description = StackDescription & { base_url: string; pids: Record<ServiceName | 'postgres' | 'nats', number> };

async function described(launcher: ServiceProcess, dataDir: string): Promise<Description> {
  await launcher.untilReady();
  return readStack({ DATA_DIR: dataDir }) as Description;
}

async function started(dataDir: string): Promise<{ launcher: ServiceProcess; description: Description }> {
  const launcher = launch(dataDir);
  return { launcher, description: await described(launcher, dataDir) };
}

async function endsInOrder(
  launcher: ServiceProcess,
  dataDir: string,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<void> {
  launcher.send(signal);
  expect(await launcher.ended).toMatchObject({ code: 0 });
  expect(processesOfStack(dataDir)).toEqual([]);
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}

const keepAnswer = (url: string) => query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
const keptAnswer = (url: string) => query(url, 'SELECT answer FROM kept');
const ANSWER = [{ answer: 42 }];

it('keeps data and URLs from one start to the next, and leaves nothing running after Ctrl-C', async () => {
  const dataDir = newDataDir();
  const first = await started(dataDir);
  expect((await fetch(first.description.base_url)).status).toBe(200);
  // Chains run only where they are asked for: chains/local-chains.int.spec.ts.
  expect(first.description).not.toHaveProperty('chains');
  expect(processesOfStack(dataDir).map(({ role }) => role)).not.toContain('chain');
  await keepAnswer(first.description.owner_databases.ledger);
  await endsInOrder(first.launcher, dataDir);

  const second = await started(dataDir);
  expect(second.description.owner_databases).toEqual(first.description.owner_databases);
  expect(second.description.nats_url).toBe(first.description.nats_url);
  expect(await keptAnswer(second.description.owner_databases.ledger)).toEqual(ANSWER);
  await endsInOrder(second.launcher, dataDir, 'SIGTERM');
});

it('recovers after only the launcher was killed, and its services end by themselves', async () => {
  const dataDir = newDataDir();
  const first = await started(dataDir);
  await keepAnswer(first.description.owner_databases.ledger);
  first.launcher.kill();
  await first.launcher.ended;
  const servicesGone = () => processesOfStack(dataDir).every(({ role }) => role !== 'service');
  expect(await waitUntil(servicesGone, 5_000)).toBe(true);

  const second = await started(dataDir);
  expect(await keptAnswer(second.description.owner_databases.ledger)).toEqual(ANSWER);
  await endsInOrder(second.launcher, dataDir);
});

it('recovers after everything was killed at once', async () => {
  const dataDir = newDataDir();
  const first = await started(dataDir);
  await keepAnswer(first.description.owner_databases.ledger);
  first.launcher.kill();
  for (const { pid } of processesOfStack(dataDir)) process.kill(pid, 'SIGKILL');
  await first.launcher.ended;

  const second = await started(dataDir);
  expect(await keptAnswer(second.description.owner_databases.ledger)).toEqual(ANSWER);
  await endsInOrder(second.launcher, dataDir);
});

it('shares nothing with a stack beside it, and refuses a second launcher on the same folder', async () => {
  const dataDirs = [newDataDir(), newDataDir()] as const;
  const [one, two] = await Promise.all([started(dataDirs[0]), started(dataDirs[1])]);
  expect(two.description.base_url).not.toBe(one.description.base_url);
  expect(two.description.nats_url).not.toBe(one.description.nats_url);
  expect(two.description.owner_databases.ledger).not.toBe(one.description.owner_databases.ledger);

  const refused = launch(dataDirs[0]);
  expect(await refused.ended).toMatchObject({ code: 1 });
  expect(refused.outputTail).toMatch(/already running \(process \d+\): stop that one first/);
  expect((await fetch(one.description.base_url)).status).toBe(200);
  await Promise.all([endsInOrder(one.launcher, dataDirs[0]), endsInOrder(two.launcher, dataDirs[1])]);
});

it('names a service that dies, and starts it again on the same port', async () => {
  const dataDir = newDataDir();
  const { launcher, description } = await started(dataDir);
  const { base_url: baseUrl, pids } = description;
  process.kill(pids.gateway, 'SIGKILL');
  const answersAnew = async () => {
    const response = await fetch(baseUrl).catch(() => undefined);
    return response !== undefined && (await response.text()) !== String(pids.gateway);
  };
  expect(await waitUntil(answersAnew, 10_000)).toBe(true);
  expect(launcher.outputTail).toMatch(/gateway ended unexpectedly \(SIGKILL\); starting it again in 0\.5 s/);
  await endsInOrder(launcher, dataDir);
});

it('starts a Postgres or NATS server that dies again where it was, with its data', async () => {
  const dataDir = newDataDir();
  const { launcher, description } = await started(dataDir);
  const { owner_databases: databases, nats_url: natsUrl, pids } = description;
  await keepAnswer(databases.ledger);
  process.kill(pids.postgres, 'SIGKILL');
  process.kill(pids.nats, 'SIGKILL');
  const readsAgain = () => keptAnswer(databases.ledger).catch(() => undefined);
  const greetsAgain = () => readGreeting('127.0.0.1', Number(new URL(natsUrl).port)).catch(() => undefined);
  const bothAgain = async () => (await readsAgain()) !== undefined && (await greetsAgain()) !== undefined;
  expect(await waitUntil(bothAgain, 20_000)).toBe(true);
  expect(launcher.outputTail).toMatch(/Postgres ended unexpectedly/);
  expect(launcher.outputTail).toMatch(/nats-server ended unexpectedly/);
  await endsInOrder(launcher, dataDir);
});

it('keeps secrets private, gives them only where they are needed, and app roles are not owners', async () => {
  const dataDir = newDataDir();
  const { launcher, description } = await started(dataDir);
  const { databases } = description;
  for (const file of ['secrets.json', 'stack.json']) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600);
  const ofLedger = ['BUS_KEY', 'CHECKPOINT_SIGNING_KEY', 'DEPOSIT_SEED', 'LEDGER_DATABASE_URL', 'NATS_URL'];
  expect(secretsOf(dataDir, 'wallet-ledger')).toEqual(ofLedger);
  const ofPeople = ['AUDIT_DATABASE_URL', 'CUSTOMER_COMPLIANCE_DATABASE_URL', 'CUSTOMER_MIGRATION_DATABASE_URL'];
  expect(secretsOf(dataDir, 'customer').filter((name) => ofPeople.includes(name))).toEqual([]);
  expect(secretsOf(dataDir, 'swap-pricing')).toEqual(['BUS_KEY', 'COMMAND_KEY', 'NATS_URL', 'SWAP_DATABASE_URL']);
  await expect(query(databases.ledger, 'CREATE TABLE mine (id int)')).rejects.toThrow(/permission denied/);
  const elsewhere = databases.ledger.replace(/\/ledger$/, '/customer');
  await expect(query(elsewhere, 'SELECT 1')).rejects.toThrow(/permission denied/);
  await endsInOrder(launcher, dataDir);
});

/** The secrets that the stand-in of a service found in its environment. */
function secretsOf(dataDir: string, service: ServiceName): string[] {
  const [first = ''] = readFileSync(join(dataDir, 'logs', `${service}.log`), 'utf8').split('\n');
  return (JSON.parse(first) as { secrets: string[] }).secrets.sort();
}

it('with a taken port, says what to do in one sentence, before it starts anything', async () => {
  const dataDir = newDataDir();
  const blocker = createServer();
  await new Promise<void>((listening) => blocker.listen(0, '127.0.0.1', listening));
  try {
    const launcher = launch(dataDir, { PORT: String((blocker.address() as AddressInfo).port) });
    expect(await launcher.ended).toMatchObject({ code: 1 });
    expect(launcher.outputTail.trim()).toMatch(
      /^Port \d+ is taken by another program: stop that one or choose another, e\.g\. PORT=\d+ npm start\.$/,
    );
    expect(processesOfStack(dataDir)).toEqual([]);
  } finally {
    blocker.close();
  }
});

it('with a NATS_URL that does not answer, says what to do, and stops what was started', async () => {
  const dataDir = newDataDir();
  const launcher = launch(dataDir, { NATS_URL: 'nats://127.0.0.1:1' });
  expect(await launcher.ended).toMatchObject({ code: 1 });
  expect(launcher.outputTail).toMatch(
    /There is no NATS server at 127\.0\.0\.1:1 \(ECONNREFUSED\): start it, correct NATS_URL, or leave NATS_URL out/,
  );
  expect(processesOfStack(dataDir)).toEqual([]);
});

describe('with further databases of the ledger', () => {
  it('makes those that are not there, brings them up to date, and tells command lines of their owner', async () => {
    const dataDir = newDataDir();
    const { launcher, description } = await started(dataDir);
    const further = description.owner_databases.ledger.replace(/\/ledger$/, '/further');
    const besideDir = newDataDir();
    const beside = launch(besideDir, { LEDGER_DATABASES: `b=${further}` });
    await described(beside, besideDir);
    const migrations = 'SELECT migration_name FROM _prisma_migrations ORDER BY migration_name';
    expect(await query(further, migrations)).toEqual(await query(description.owner_databases.ledger, migrations));
    expect(readStack({ DATA_DIR: besideDir })?.environment).toMatchObject({
      LEDGER_MIGRATION_DATABASES: `b=${further}`,
    });
    await endsInOrder(beside, besideDir);
    await endsInOrder(launcher, dataDir);
  });

  it('says of one that does not answer which it is and what to do, and stops what was started', async () => {
    const dataDir = newDataDir();
    const launcher = launch(dataDir, { LEDGER_DATABASES: 'b=postgresql://owner@127.0.0.1:1/ledger' });
    expect(await launcher.ended).toMatchObject({ code: 1 });
    expect(launcher.outputTail).toMatch(/The database b of LEDGER_DATABASES: .*no server answers there: start it/);
    expect(launcher.outputTail).toMatch(/LEDGER_MIGRATION_DATABASES takes the login of its owner\./);
    expect(processesOfStack(dataDir)).toEqual([]);
  });
});
