// The launcher against real Postgres and NATS processes: what a second start finds, what a killed one leaves, and what the
// user reads when it can't start.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { readGreeting } from '../stack/nats.mjs';
import { processesOfStack, waitUntil } from '../stack/processes.mjs';
import { launch, temporaryFolder } from './fixtures/launch.mjs';

const STEP_TIMEOUT_MS = 60_000;

async function query(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function started(launcher) {
  const description = await launcher.ready;
  assert.ok(description, launcher.errors);
  return description;
}

test(
  'a start, Ctrl-C and a second start: data and URLs are the same, nothing is left running',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const first = launch(dataDir);
    const description = await started(first);
    assert.equal((await fetch(description.base_url)).status, 200);
    await query(description.owner_databases.ledger, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.kill('SIGINT');
    assert.equal(await first.exited, 0);
    assert.deepEqual(processesOfStack(dataDir), []);

    const second = launch(dataDir);
    const again = await started(second);
    assert.deepEqual(again.owner_databases, description.owner_databases);
    assert.equal(again.nats_url, description.nats_url);
    assert.deepEqual(await query(again.owner_databases.ledger, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    second.kill('SIGTERM');
    assert.equal(await second.exited, 0);
    assert.deepEqual(processesOfStack(dataDir), []);
  },
);

test(
  'the launcher alone is killed: its services end by themselves, the next start recovers',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const first = launch(dataDir);
    const { owner_databases: databases } = await started(first);
    await query(databases.ledger, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.kill('SIGKILL');
    await first.exited;
    const servicesGone = () => processesOfStack(dataDir).every(({ role }) => role !== 'service');
    assert.ok(await waitUntil(servicesGone, 5_000), 'services outlived their launcher');

    const second = launch(dataDir);
    const description = await started(second);
    assert.deepEqual(await query(description.owner_databases.ledger, 'SELECT answer FROM kept'), [{ answer: 42 }]);
    second.kill('SIGINT');
    assert.equal(await second.exited, 0);
  },
);

test('everything is killed at once: the next start recovers', { timeout: STEP_TIMEOUT_MS }, async (context) => {
  const dataDir = join(temporaryFolder(context), 'data');
  const first = launch(dataDir);
  const { owner_databases: databases } = await started(first);
  await query(databases.ledger, 'CREATE TABLE kept AS SELECT 42 AS answer');
  first.kill('SIGKILL');
  for (const { pid } of processesOfStack(dataDir)) process.kill(pid, 'SIGKILL');
  await first.exited;

  const second = launch(dataDir);
  const description = await started(second);
  assert.deepEqual(await query(description.owner_databases.ledger, 'SELECT answer FROM kept'), [{ answer: 42 }]);
  second.kill('SIGINT');
  assert.equal(await second.exited, 0);
});

test(
  'two stacks side by side share nothing; a second launcher on the same folder is refused',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDirs = [1, 2].map(() => join(temporaryFolder(context), 'data'));
    const launchers = dataDirs.map((dataDir) => launch(dataDir));
    const [one, two] = await Promise.all(launchers.map(started));
    assert.notEqual(one.base_url, two.base_url);
    assert.notEqual(one.nats_url, two.nats_url);
    assert.notEqual(one.owner_databases.ledger, two.owner_databases.ledger);

    const refused = launch(dataDirs[0]);
    assert.equal(await refused.exited, 1);
    assert.match(refused.errors, /already running \(process \d+\): stop that one first/);
    assert.equal((await fetch(one.base_url)).status, 200);
    for (const launcher of launchers) launcher.kill('SIGINT');
    assert.deepEqual(await Promise.all(launchers.map((launcher) => launcher.exited)), [0, 0]);
  },
);

test(
  'a service that dies is named and started again, on the same port',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const launcher = launch(dataDir);
    const { base_url: baseUrl, pids } = await started(launcher);
    process.kill(pids.gateway, 'SIGKILL');
    const answersAnew = async () => {
      const response = await fetch(baseUrl).catch(() => undefined);
      return response !== undefined && (await response.text()) !== String(pids.gateway);
    };
    assert.ok(await waitUntil(answersAnew, 10_000));
    assert.match(launcher.errors, /gateway ended unexpectedly \(SIGKILL\); starting it again in 0\.5 s/);
    launcher.kill('SIGINT');
    assert.equal(await launcher.exited, 0);
    assert.deepEqual(processesOfStack(dataDir), []);
  },
);

test(
  'a Postgres or NATS server that dies is started again where it was, with its data',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const launcher = launch(dataDir);
    const { owner_databases: databases, nats_url: natsUrl, pids } = await started(launcher);
    await query(databases.ledger, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(pids.postgres, 'SIGKILL');
    process.kill(pids.nats, 'SIGKILL');
    const readsAgain = () => query(databases.ledger, 'SELECT answer FROM kept').catch(() => undefined);
    const greetsAgain = () => readGreeting('127.0.0.1', Number(new URL(natsUrl).port)).catch(() => undefined);
    assert.ok(await waitUntil(async () => (await readsAgain()) && (await greetsAgain()), 20_000), launcher.errors);
    assert.match(launcher.errors, /Postgres ended unexpectedly/);
    assert.match(launcher.errors, /nats-server ended unexpectedly/);
    launcher.kill('SIGINT');
    assert.equal(await launcher.exited, 0);
    assert.deepEqual(processesOfStack(dataDir), []);
  },
);

test(
  'secrets are private, go only where they are needed, and app roles are not owners',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const launcher = launch(dataDir);
    const { databases } = await started(launcher);
    for (const file of ['secrets.json', 'stack.json'])
      assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
    const told = (app) =>
      JSON.parse(readFileSync(join(dataDir, 'logs', `${app}.log`), 'utf8').split('\n')[0]).secrets.sort();
    const ofLedger = ['BUS_KEY', 'CHECKPOINT_SIGNING_KEY', 'DEPOSIT_SEED', 'LEDGER_DATABASE_URL', 'NATS_URL'];
    assert.deepEqual(told('wallet-ledger'), ofLedger);
    const ofPeople = ['AUDIT_DATABASE_URL', 'CUSTOMER_COMPLIANCE_DATABASE_URL', 'CUSTOMER_MIGRATION_DATABASE_URL'];
    assert.deepEqual(
      told('customer').filter((name) => ofPeople.includes(name)),
      [],
    );
    assert.deepEqual(told('swap-pricing'), ['BUS_KEY', 'NATS_URL', 'SWAP_DATABASE_URL']);
    await assert.rejects(query(databases.ledger, 'CREATE TABLE mine (id int)'), /permission denied/);
    await assert.rejects(query(databases.ledger.replace(/\/ledger$/, '/customer'), 'SELECT 1'), /permission denied/);
    launcher.kill('SIGINT');
    assert.equal(await launcher.exited, 0);
  },
);

test(
  'a taken port is one sentence with the way out, before anything is started',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const blocker = createServer();
    await new Promise((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    context.after(() => blocker.close());
    const launcher = launch(dataDir, { PORT: String(blocker.address().port) });
    assert.equal(await launcher.exited, 1);
    assert.match(
      launcher.errors.trim(),
      /^Port \d+ is taken by another program: stop that one or choose another, e\.g\. PORT=\d+ npm start\.$/,
    );
    assert.deepEqual(processesOfStack(dataDir), []);
  },
);

test(
  'a NATS_URL where nothing answers is one sentence, and what was started is stopped again',
  { timeout: STEP_TIMEOUT_MS },
  async (context) => {
    const dataDir = join(temporaryFolder(context), 'data');
    const launcher = launch(dataDir, { NATS_URL: 'nats://127.0.0.1:1' });
    assert.equal(await launcher.exited, 1);
    assert.match(
      launcher.errors,
      /There is no NATS server at 127\.0\.0\.1:1 \(ECONNREFUSED\): start it, correct NATS_URL, or leave NATS_URL out/,
    );
    assert.deepEqual(processesOfStack(dataDir), []);
  },
);
