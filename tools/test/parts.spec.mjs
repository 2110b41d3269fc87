// The launcher's small parts, each alone.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceEnvironments } from '../stack/environment.mjs';
import { lockHolder, takeLock } from '../stack/lock.mjs';
import { requireNode } from '../stack/node-version.mjs';
import { dataPaths } from '../stack/paths.mjs';
import { rememberedPort, requireGatewayPort } from '../stack/ports.mjs';
import { roleOf } from '../stack/processes.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { wholeNumber } from '../stack/terminal.mjs';
import { findingsIn } from '../tidy.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

test('lock: one holder at a time, free again afterwards', async (context) => {
  const file = join(temporaryFolder(context), 'lock');
  const release = await takeLock(file, '/data');
  assert.equal(lockHolder(file), process.pid);
  await assert.rejects(takeLock(file, '/data'), /already running/);
  release();
  (await takeLock(file, '/data'))();
  assert.equal(existsSync(file), false);
});

test('lock: a dead holder, a reused process id and half a file are no holders', async (context) => {
  const file = join(temporaryFolder(context), 'lock');
  for (const left of [
    { pid: 2 ** 22 + 1, startedAt: '1' },
    { pid: process.pid, startedAt: 'another time' },
  ]) {
    writeFileSync(file, JSON.stringify(left));
    (await takeLock(file, '/data'))();
  }
  writeFileSync(file, '{"pid":');
  (await takeLock(file, '/data'))();
});

test('lock: of many who find a dead lock, one gets it', async (context) => {
  const file = join(temporaryFolder(context), 'lock');
  writeFileSync(file, JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1' }));
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(file, '/data')));
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
});

test('ports: remembered while free, drawn anew when taken', async (context) => {
  const file = join(temporaryFolder(context), 'ports.json');
  const port = await rememberedPort(file, 'postgres');
  assert.equal(await rememberedPort(file, 'postgres'), port);
  const blocker = createServer();
  await new Promise((resolve) => blocker.listen(port, '127.0.0.1', resolve));
  context.after(() => blocker.close());
  assert.notEqual(await rememberedPort(file, 'postgres'), port);
});

test('ports: a PORT that is no port is refused by name', async () => {
  for (const text of ['http', '-1', '65536', '3000.5', ' '])
    await assert.rejects(requireGatewayPort(text), /PORT must be a number from 0 to 65535/);
});

test('processes: only those that carry this data folder are ours', () => {
  const data = '/srv/data';
  assert.equal(roleOf(['/x/bin/postgres', '-D', '/srv/data/postgres', '-c', 'port=1'], data), 'postgres');
  assert.equal(roleOf(['/usr/sbin/nats-server', '-c', '/srv/data/nats/server.conf'], data), 'nats-server');
  assert.equal(roleOf(['node', 'dist/apps/payout/src/main.js', '--stack=/srv/data'], data), 'service');
  for (const other of [
    ['postgres', '-D', '/srv/data2/postgres'],
    ['nats-server', '-c', '/etc/nats.conf'],
    ['vim', '/srv/data/nats/server.conf'],
    ['node', 'main.js', '--stack=/srv/data2'],
  ]) {
    assert.equal(roleOf(other, data), undefined);
  }
});

test('secrets: drawn once, kept, and never drawn anew over existing data', (context) => {
  const paths = dataPaths(temporaryFolder(context));
  const first = loadSecrets(paths);
  assert.deepEqual(loadSecrets(paths), first);
  assert.equal(Buffer.from(first.PERSONAL_DATA_KEY, 'base64').length, 32);
  assert.match(first.DEPOSIT_SEED, /^[0-9a-f]{128}$/);
  const lost = dataPaths(temporaryFolder(context));
  mkdirSync(lost.postgres);
  assert.throws(() => loadSecrets(lost), /is missing, but there is data that its keys encrypt/);
});

test('environment: what the user set wins and is passed on, secrets only to those who need them', () => {
  const urls = Object.fromEntries(
    ['customer', 'ledger', 'swap', 'payout'].map((name) => [name, { app: `app-${name}`, owner: `owner-${name}` }]),
  );
  const env = { QUOTE_TTL_MS: '5', BUS_KEY: 'mine', LEDGER_MIGRATION_DATABASE_URL: 'owner' };
  const told = serviceEnvironments({
    env,
    secrets: { BUS_KEY: 'drawn', DEPOSIT_SEED: 'seed' },
    natsUrl: 'nats://x',
    urls,
    port: 3000,
  });
  assert.deepEqual(told['swap-pricing'], {
    QUOTE_TTL_MS: '5',
    NATS_URL: 'nats://x',
    BUS_KEY: 'mine',
    SWAP_DATABASE_URL: 'app-swap',
  });
  assert.equal(told['wallet-ledger'].DEPOSIT_SEED, 'seed');
  assert.equal(told.gateway.DEPOSIT_SEED, undefined);
  assert.equal(told.gateway.RATE_LIMIT_PER_SECOND, '20000');
});

test('an old Node, and Windows, are one sentence', () => {
  assert.equal(requireNode('20.19.0', 'linux'), undefined);
  assert.equal(requireNode('24.1.0', 'darwin'), undefined);
  assert.match(requireNode('20.18.3', 'linux'), /^Node 20\.19 or newer is needed, this is 20\.18\.3: install it/);
  assert.match(requireNode('22.0.0', 'win32'), /WSL 2/);
});

test('tidy: finds what it is for, and only there', () => {
  const messages = (file, text) => findingsIn(file, text).map(({ message }) => message);
  assert.deepEqual(messages('apps/payout/src/a.ts', 'const a = 1;\n'), []);
  assert.equal(messages('apps/payout/src/a.ts', `// ${'TO' + 'DO'} later`).length, 1);
  assert.equal(messages('apps/payout/src/a.spec.ts', `it${'.on' + 'ly('}'x')`).length, 1);
  assert.equal(messages('apps/payout/src/a.ts', 'x as any').length, 1);
  assert.equal(messages('apps/payout/src/a.ts', 'console.log(1)').length, 1);
  assert.equal(messages('apps/operator/src/main.ts', 'console.log(1)').length, 0);
  assert.equal(messages('libs/utils/src/a.ts', '').length, 1);
  assert.equal(messages('libs/money/src/a.ts', 'x'.repeat(141)).length, 1);
  assert.equal(messages('libs/money/src/a.ts', '\n'.repeat(601)).length, 1);
});

test('flags: a number that is none, or beyond its bounds, is refused with what is taken', () => {
  const bounds = { least: 1, most: 300 };
  for (const text of ['1', '300', '007']) assert.equal(wholeNumber('kills', text, bounds), Number(text));
  for (const text of ['0', '301', '1.5', '-1', '1e2', 'ten', '', ' 1']) {
    const message = `--kills takes a whole number from 1 to 300, not "${text}".`;
    assert.throws(() => wholeNumber('kills', text, bounds), { message });
  }
});
