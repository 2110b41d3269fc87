// Every setting of every service and command line: a wrong or missing value is refused by name, with what was expected and
// an example that would do; a secret is never repeated; no service's variable looks like a slip of another's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeSecretFiles } from '../compose/secret-files.mjs';
import { configurationPage, configurations, formatOf, SERVICES } from '../configuration-page.mjs';
import { ROOT } from '../stack/paths.mjs';
import { ensureReady } from '../stack/setup.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

await ensureReady({ quiet: true });
const built = createRequire(import.meta.url);
const { loadConfiguration } = built(join(ROOT, 'dist/libs/service-host/src/setting.js'));
const { inputHashKeyOf } = built(join(ROOT, 'dist/apps/gateway/src/idempotency/input-hash-key.js'));
const { misspeltVariables } = built(join(ROOT, 'dist/libs/service-host/src/misspelt-variables.js'));

const WRONG = '\0 neither-this-nor-that';
const all = configurations();

/** A value that the setting takes: its example, or, where that says how to make one, one that is made so. */
function valueFor({ example }) {
  const made = /^(\d+) random bytes, from: openssl rand -(base64|hex) (\d+)/.exec(example);
  if (made === null) return example;
  assert.equal(made[1], made[3]);
  return randomBytes(Number(made[1])).toString(made[2]);
}

const environmentOf = (settings) => Object.fromEntries(settings.map((setting) => [setting.env, valueFor(setting)]));

function problemOf(type, environment) {
  try {
    loadConfiguration(type, environment);
  } catch (error) {
    return error.message;
  }
  return undefined;
}

test('each of the five services has its class', () => {
  const services = new Set(all.map(({ app }) => app));
  assert.deepEqual([...services], ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'operator']);
  assert.ok(all.length > services.size, 'the command lines have theirs');
});

for (const { app, name, type, settings } of all) {
  test(`${app}, ${name}: every example will do`, () => {
    assert.equal(problemOf(type, environmentOf(settings)), undefined);
  });

  for (const setting of settings) {
    const { env, example, describe, secret } = setting;
    const explained = (problem) => {
      assert.equal(problem.split('\n').length, 1);
      assert.ok(problem.startsWith(`${env}: expected `), problem);
      assert.ok(problem.endsWith(`, for example ${example}. ${describe}`), problem);
    };

    test(`${app}, ${name}: a wrong ${env} is refused with what was expected and an example`, () => {
      const problem = problemOf(type, { ...environmentOf(settings), [env]: WRONG });
      explained(problem);
      assert.ok(problem.includes(formatOf(setting)), problem);
      if (secret) assert.ok(!problem.includes(WRONG));
    });

    test(`${app}, ${name}: ${env} ${setting.default === undefined ? 'is required' : 'may be left out'}`, () => {
      const problem = problemOf(type, { ...environmentOf(settings), [env]: '' });
      if (setting.default === undefined) explained(problem);
      else assert.equal(problem, undefined);
    });
  }
}

test('everything that is wrong is told at once', () => {
  const { type, settings } = all[0];
  const wrong = Object.fromEntries(settings.map(({ env }) => [env, WRONG]));
  assert.equal(problemOf(type, wrong).split('\n').length, settings.length);
});

test('no variable of one service looks like a slip of another one', () => {
  const environment = Object.fromEntries(all.flatMap(({ settings }) => settings.map(({ env }) => [env, 'x'])));
  for (const { type } of all) assert.deepEqual(misspeltVariables(type, environment), []);
});

test('the page has a line for each', () => {
  const page = configurationPage();
  for (const { settings } of all) for (const { env } of settings) assert.ok(page.includes(`| \`${env}\` |`), env);
});

test('secret files: a deployment from before the key of input hashes goes on with what its gateway derives', (context) => {
  const folder = join(temporaryFolder(context), 'secrets');
  writeSecretFiles(folder);
  rmSync(join(folder, 'input_hash_key'));
  assert.deepEqual(writeSecretFiles(folder).drawn, ['input_hash_key']);
  const key = (name) => Buffer.from(readFileSync(join(folder, name), 'utf8'), 'base64');
  const personalDataKey = key('personal_data_key');
  assert.deepEqual(key('input_hash_key'), inputHashKeyOf({ personalDataKey }));
});

/** Starts a service's own program as an orchestrator would, with this environment and nothing else. */
function started(app, env) {
  const main = join(ROOT, 'dist/apps', app, 'src/main.js');
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [main], {
    env,
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, signal, said: stdout + stderr };
}

for (const { app, settings } of all.filter(({ app: one }) => SERVICES.includes(one))) {
  test(`${app} that is told nothing says so and ends`, () => {
    const { status, said } = started(app, {});
    assert.equal(status, 1);
    assert.ok(said.startsWith(`${app} could not start: NATS_URL: expected it to be set, for example nats://`), said);
  });

  test(`${app} that is told wrong things names them all at once, shows no secret, and ends`, () => {
    const environment = environmentOf(settings);
    delete environment.BUS_KEY;
    environment.LOG_LEVEL = 'loudest';
    environment.OPERATIONS_PORT = '70000';
    const secret = settings.find(({ env, secret }) => secret && env !== 'BUS_KEY');
    environment[secret.env] = 'neither-this-nor-that-but-secret';
    const { status, signal, said } = started(app, environment);
    assert.deepEqual({ status, signal }, { status: 1, signal: null });
    const lines = said.trimEnd().split('\n');
    assert.equal(lines.length, 4, said);
    for (const env of ['BUS_KEY', 'LOG_LEVEL', 'OPERATIONS_PORT', secret.env]) {
      const { example } = settings.find((setting) => setting.env === env);
      const line = lines.find((one) => one.replace(`${app} could not start: `, '').startsWith(`${env}: expected `));
      assert.ok(line?.includes(`, for example ${example}. `), said);
    }
    assert.ok(said.includes('BUS_KEY: expected it to be set'), said);
    assert.ok(said.includes('OPERATIONS_PORT: expected a whole number from 0 to 65535'), said);
    const secrets = settings.filter(({ secret }) => secret).map(({ env }) => environment[env]);
    for (const text of secrets.filter(Boolean)) assert.ok(!said.replaceAll(/for example .*/g, '').includes(text), said);
  });
}
