// What npm run compose:check stands on, each part alone: variables, the Dockerfile, .dockerignore, manifests, rules.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brokenRules } from '../compose/rules.mjs';
import {
  bytes,
  environmentOf,
  milliseconds,
  readComposeFile,
  schemaProblems,
  startOrder,
} from '../compose/compose-file.mjs';
import { ignoreRules } from '../compose/docker-ignore.mjs';
import { commandOf, parseDockerfile, variablesOf } from '../compose/dockerfile.mjs';
import { imageFolders } from '../compose/image-folders.mjs';
import { interpolated, replaced } from '../compose/interpolation.mjs';
import { changeKey, SECRET_NAMES, writeSecretFiles } from '../compose/secret-files.mjs';
import { importsOf, packageOf } from '../image/imports.mjs';
import { manifestOf } from '../image/manifest.mjs';
import { ROOT } from '../stack/paths.mjs';
import { scramVerifier } from '../stack/logins.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

const VARIABLES = { CHECKPOINT_ORIGIN: 'test' };
const read = readComposeFile({ variables: VARIABLES });
const composeFile = () => structuredClone(read);

test('variables: every form that compose knows, nested ones too', () => {
  const variables = { NAME: 'value', EMPTY: '' };
  for (const [text, wanted] of [
    ['$NAME-${NAME}', 'value-value'],
    ['${NONE:-other}${EMPTY:-other}${EMPTY-other}', 'otherother'],
    ['${NONE:-${NAME:-x}}', 'value'],
    ['${NAME:+there}${NONE:+there}${EMPTY+there}', 'therethere'],
    ['$$NAME ${NONE}', '$NAME '],
    ['${NAME?why}', 'value'],
  ])
    assert.equal(replaced(text, variables), wanted, text);
  assert.throws(() => replaced('${EMPTY:?give it}', variables, 'here'), /here: required variable EMPTY .* give it/);
  assert.throws(() => replaced('${NAME', variables), /isn't closed/);
  assert.throws(() => replaced('100 $', variables), /begins no variable/);
  assert.throws(() => replaced('${NAME!x}', variables), /no variable that compose knows/);
  assert.deepEqual(interpolated({ $NAME: ['$NAME', 3, null] }, variables), { $NAME: ['value', 3, null] });
});

test('compose file: it is what the specification and our rules ask for', () => {
  assert.deepEqual(brokenRules(composeFile()), []);
  assert.throws(() => readComposeFile({ variables: {} }), /CHECKPOINT_ORIGIN is missing/);
});

test('compose file: what the schema does not know is named', () => {
  const model = composeFile();
  model.services.payout.helthcheck = {};
  model.services.payout.restart = 7;
  const problems = schemaProblems(model);
  assert.ok(
    problems.some((problem) => /payout.*helthcheck/.test(problem)),
    problems.join('\n'),
  );
  assert.ok(
    problems.some((problem) => /payout.*restart/.test(problem)),
    problems.join('\n'),
  );
});

test('compose file: every rule is broken by what it forbids', () => {
  const breaks = {
    'its file system is to be read only': (service) => (service.read_only = false),
    'it is to have no capability': (service) => (service.cap_add = ['NET_ADMIN']),
    'it is to gain no privilege': (service) => (service.security_opt = []),
    'it needs limits of processor, memory and processes': (service) => delete service.deploy.resources.limits.pids,
    'it needs a restart policy': (service) => delete service.restart,
    'with a container_name it could not be scaled': (service) => (service.container_name = 'payout'),
    'BUS_KEY belongs into a secret': (service) => (service.environment.BUS_KEY = 'in plain'),
    '/run/secrets/bus_key is not among its secrets': (service) => service.secrets.shift(),
    'only the gateway and Grafana are to be reached from outside': (service) => (service.ports = ['9400']),
    'what it mounts is to be there': (service) => (service.volumes = ['./deploy/elsewhere:/x:ro']),
    'its networks are to be named': (service) => service.networks.push('elsewhere'),
    'it needs a health check': (service) => delete service.healthcheck,
    'its stop grace is to be 15 s or more': (service) => delete service.stop_grace_period,
    "Node's heap is to fit into its memory, with a third to spare": (service) =>
      (service.environment.NODE_OPTIONS = '--max-old-space-size=384'),
  };
  for (const [what, change] of Object.entries(breaks)) {
    const model = composeFile();
    change(model.services.payout);
    assert.deepEqual(brokenRules(model), [`payout: ${what}`]);
  }
  const model = composeFile();
  model.services.postgres.networks.push('outbound');
  model.services.gateway.networks.push('data');
  model.services.nats.image = 'nats:latest';
  assert.equal(brokenRules(model).length, 3);
});

test('compose file: durations, sizes, environments and the order of starting', () => {
  assert.equal(milliseconds('1m30s'), 90_000);
  assert.equal(bytes('512M'), 512 * 2 ** 20);
  assert.throws(() => bytes('much'), /no size/);
  assert.deepEqual(environmentOf({ environment: { A: 1, B: null } }), { A: '1' });
  const order = startOrder(composeFile().services);
  for (const [first, then] of [
    ['postgres', 'migrate'],
    ['migrate', 'customer'],
    ['customer', 'gateway'],
  ])
    assert.ok(order.indexOf(first) < order.indexOf(then), `${first} before ${then}`);
  assert.throws(
    () => startOrder({ a: { depends_on: { b: {} } }, b: { depends_on: { a: {} } } }),
    /wait for each other/,
  );
});

test('Dockerfile: stages, steps, continued lines; what is not understood is refused by its line', () => {
  const [base, app] = parseDockerfile(
    'FROM node:20.1.0 AS base\nENV A=1 B=2\n# a comment\nRUN one \\\n  # and another\n  two\nFROM base AS app\nCMD ["node"]\n',
  );
  assert.deepEqual(variablesOf(base.steps[0]), { A: '1', B: '2' });
  assert.deepEqual([base.steps[1].rest.replace(/\s+/g, ' '), base.steps[1].line], ['one two', 4]);
  assert.deepEqual([app.from, commandOf(app.steps[0])], ['base', ['node']]);
  assert.throws(() => parseDockerfile('FROM a AS b\nADD x y'), /Dockerfile:2: ADD is not understood/);
  assert.throws(() => parseDockerfile('FROM a AS b\nRUN --mount=type=secret,id=x y'), /only cache mounts/);
  assert.throws(() => parseDockerfile('RUN x'), /before the first FROM/);
  assert.throws(() => parseDockerfile('FROM a'), /give the stage a name/);
  assert.throws(() => commandOf({ rest: 'node main.js', line: 3 }), /Dockerfile:3: write the command as a list/);
});

test('Dockerfile: its steps are carried out in folders', async (context) => {
  const folder = temporaryFolder(context);
  const dockerfile = [
    'FROM node:20.1.0 AS base\nENV NAME=value\nWORKDIR /app',
    'FROM base AS made\nCOPY tools/stack ./tools\nCOPY package.json ./\nRUN printf "$NAME" > written',
    'FROM base AS image\nCOPY --from=made /app/written /app/package.json ./\nUSER node\nENTRYPOINT ["node"]\nCMD ["x"]',
    'FROM base AS outside\nRUN touch /etc/passwd',
    'FROM base AS failing\nRUN exit 3',
    'FROM node AS loose\nUSER node',
  ].join('\n');
  const { image } = imageFolders({ folder, dockerfile });
  const made = await image('image');
  assert.deepEqual([made.user, made.entrypoint, made.command, made.workdir], ['node', ['node'], ['x'], '/app']);
  assert.equal(readFileSync(join(made.root, 'app', 'written'), 'utf8'), 'value');
  assert.equal(existsSync(join(made.root, 'app', 'package.json')), true);
  assert.equal(existsSync(join(made.root, 'app', 'tools')), false);
  await assert.rejects(image('outside'), /names an absolute path/);
  await assert.rejects(image('failing'), /ended with 3/);
  await assert.rejects(image('loose'), /no exact version/);
  await assert.rejects(image('absent'), /no target absent/);
});

test('.dockerignore: the last match decides; ours lets no secret, no test and no document through', () => {
  const allows = ignoreRules('*\n!apps\n**/*.spec.ts\n!apps/keep.spec.ts');
  const allowed = (paths) => paths.filter(allows);
  assert.deepEqual(allowed(['README.md', 'apps/a/b.ts', 'apps/a/b.spec.ts', 'apps/keep.spec.ts']), [
    'apps/a/b.ts',
    'apps/keep.spec.ts',
  ]);
  const ours = ignoreRules(readFileSync(join(ROOT, '.dockerignore'), 'utf8'));
  assert.equal(ours('apps/gateway/src/main.ts') && ours('prisma/swap/schema.prisma') && ours('package.json'), true);
  for (const path of [
    '.env',
    'deploy/secrets/bus_key',
    '.git/config',
    '.data/secrets.json',
    'apps/a/x.e2e.spec.ts',
    'docs/x',
  ])
    assert.equal(ours(path), false, path);
});

test('imports: every way to load a file, and a refusal of what is computed', () => {
  const text = `
    import a from './a.mjs'; export { b } from 'b/deep'; const c = require('@c/c/deep'); import('./d.mjs');
    require.resolve(\`e/\${name}\`); other.require('not'); // require('comment')`;
  assert.deepEqual(importsOf('x.mjs', text), ['./a.mjs', 'b/deep', '@c/c/deep', './d.mjs', 'e/']);
  assert.deepEqual(['@c/c/deep', 'b/deep', 'e/'].map(packageOf), ['@c/c', 'b', 'e']);
  assert.throws(() => importsOf('x.mjs', 'require(name)'), /computes the name of an import/);
});

test('manifest: what is used and what that needs, in the places of the lock, and nothing else', () => {
  const project = { version: '1.0.0', dependencies: { a: '1.0.0' }, devDependencies: { d: '1.0.0' } };
  const packages = {
    '': {},
    'node_modules/a': { version: '1.0.0', dependencies: { b: '^2' }, peerDependencies: { p: '*', o: '*' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', optionalDependencies: { missing: '*', x: '*' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', dev: true },
    'node_modules/o': { version: '1.0.0' },
    'node_modules/p': { version: '1.0.0' },
    'node_modules/x': { version: '1.0.0', devOptional: true },
  };
  packages['node_modules/a'].peerDependenciesMeta = { o: { optional: true } };
  const lock = { lockfileVersion: 3, packages };
  const { packageJson, packageLock } = manifestOf('app', ['a'], { project, lock });
  assert.deepEqual(packageJson.dependencies, { a: '1.0.0' });
  assert.deepEqual(Object.keys(packageLock.packages), [
    '',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/p',
    'node_modules/x',
  ]);
  assert.deepEqual(packageLock.packages['node_modules/x'], { version: '1.0.0', optional: true });
  assert.throws(() => manifestOf('app', ['d'], { project, lock }), /app imports d, but it is a development dependency/);
  assert.throws(() => manifestOf('app', ['z'], { project, lock }), /package.json does not name it/);
});

test('secret files: all that the compose file names, kept once drawn, and rotated by deleting', (context) => {
  const folder = join(temporaryFolder(context), 'secrets');
  const { drawn, derived } = writeSecretFiles(folder);
  assert.deepEqual([...drawn, ...derived].sort(), Object.keys(composeFile().secrets).sort());
  assert.deepEqual([...SECRET_NAMES].sort(), [...drawn, ...derived].sort());
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, 'bus_key')).mode & 0o777, 0o444);
  assert.deepEqual(writeSecretFiles(folder), { drawn: [], derived: [] });

  const passwords = join(folder, 'nats_passwords');
  const [before, { ino }] = [readFileSync(passwords, 'utf8'), statSync(passwords)];
  rmSync(join(folder, 'payout_nats_url'));
  assert.deepEqual(writeSecretFiles(folder), { drawn: ['payout_nats_url'], derived: ['nats_passwords'] });
  const changed = readFileSync(passwords, 'utf8')
    .split('\n')
    .filter((line) => !before.includes(line));
  assert.deepEqual(
    changed.map((line) => line.split(':')[0]),
    ['PAYOUT_NATS_PASSWORD'],
  );
  assert.equal(statSync(passwords).ino, ino, 'a mounted file has to be written in place');
});

test('secret files: a key is changed in three steps, and in no other order', (context) => {
  const folder = join(temporaryFolder(context), 'secrets');
  writeSecretFiles(folder);
  for (const [name, beside] of [
    ['bus_key', 'bus_accepted_key'],
    ['personal_data_key', 'personal_data_previous_key'],
  ]) {
    const keys = () => [name, beside].map((file) => readFileSync(join(folder, file), 'utf8'));
    const [before] = keys();
    assert.deepEqual(keys(), [before, '']);
    assert.throws(() => changeKey(folder, name, 'use'), /is empty: --accept/);
    changeKey(folder, name, 'accept');
    const [, next] = keys();
    assert.equal(Buffer.from(next, 'base64').length, 32);
    assert.deepEqual(keys(), [before, next]);
    assert.throws(() => changeKey(folder, name, 'accept'), /holds a key already/);
    changeKey(folder, name, 'use');
    assert.deepEqual(keys(), [next, before]);
    changeKey(folder, name, 'drop');
    assert.deepEqual(keys(), [next, '']);
  }
  assert.deepEqual(writeSecretFiles(folder), { drawn: [], derived: [] });
});

test('secret files: a change of keys that is interrupted anywhere loses none, and is ended by asking again', (context) => {
  const folder = join(temporaryFolder(context), 'secrets');
  writeSecretFiles(folder);
  const [file, beside] = ['bus_key', 'bus_accepted_key'].map((name) => join(folder, name));
  changeKey(folder, 'bus_key', 'accept');
  const [before, next] = [file, beside].map((each) => readFileSync(each, 'utf8'));
  const half = (text) => text.slice(0, 20);
  for (const [inFile, inBeside] of [
    [before, next],
    ['', next],
    [half(next), next],
    [next, next],
    [next, ''],
    [next, half(before)],
    [next, before],
  ]) {
    for (const [path, text] of [
      [`${file}.before`, before],
      [file, inFile],
      [beside, inBeside],
    ]) {
      rmSync(path, { force: true });
      writeFileSync(path, text);
    }
    changeKey(folder, 'bus_key', 'use');
    assert.deepEqual(
      [file, beside].map((each) => readFileSync(each, 'utf8')),
      [next, before],
    );
    assert.equal(existsSync(`${file}.before`), false);
  }
});

test('the deployed broker notices silence as soon as that of the local stack', () => {
  const noticing = (file) => readFileSync(join(ROOT, file), 'utf8').match(/^ping_(interval|max): .*$/gm);
  assert.deepEqual(noticing('deploy/nats/nats.conf'), ['ping_interval: "1s"', 'ping_max: 2']);
  assert.deepEqual(noticing('tools/stack/nats.mjs'), noticing('deploy/nats/nats.conf'));
});

test('passwords reach the database as verifiers', () => {
  // The example of RFC 7677: user, "pencil", its salt and 4096 iterations.
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  assert.match(
    scramVerifier('pencil', salt),
    /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/,
  );
  assert.throws(() => scramVerifier('grün'), /printable ASCII/);
});
