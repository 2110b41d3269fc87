// Postgres and NATS of a checked deployment: the real servers, on loopback and free ports, with the files and the secrets
// that docker-compose.yml gives them. Which address each has is told by the name that the services know it by.

import { execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT, dataPaths, makeDataDir } from '../stack/paths.mjs';
import { obtainNatsServer } from '../stack/nats-binary.mjs';
import { readGreeting } from '../stack/nats.mjs';
import { tryPort } from '../stack/ports.mjs';
import { endProcess, waitUntil } from '../stack/processes.mjs';
import { lastLines, startPostgres } from '../stack/postgres.mjs';
import { Refusal } from '../stack/terminal.mjs';

const READY_TIMEOUT_MS = 20_000;
const POLL_MS = 50;
const DEPLOY_FOLDER = join(ROOT, 'deploy', 'nats');
const RELOADED = 'Reloaded server configuration';
const SYNC_INTERVAL_SINCE = [2, 12];

/** The embedded Postgres, with the owner's password of the secret file; what settings the image would get, it has too. */
export async function postgresOf(folder, secretsFolder) {
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  const password = readFileSync(join(secretsFolder, 'postgres_password'), 'utf8').trim();
  const server = await startPostgres(paths, { postgres_owner_password: password });
  return { address: `127.0.0.1:${server.port}`, stop: server.stop };
}

/** nats-server with deploy/nats, run by the compose file's own command; `deployFolder` is another version's deploy/nats. */
export async function natsOf(folder, secretsFolder, service, tell, deployFolder = DEPLOY_FOLDER) {
  const program = await obtainNatsServer(process.env, tell);
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }));
  const root = join(folder, 'nats');
  const omitted = mountConfiguration(root, secretsFolder, version, deployFolder);
  const [port, monitoringPort] = [await tryPort(0), await tryPort(0)];
  const log = join(folder, 'logs', 'nats.log');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const given = service.command.slice(1).map((word) => (word.startsWith('/etc/nats/') ? join(root, word) : word));
  const here = ['-a', '127.0.0.1', '-p', `${port}`, '-m', `${monitoringPort}`];
  const output = openSync(log, 'a');
  const child = spawn(program, [...given, ...here], { stdio: ['ignore', output, output] });
  closeSync(output);
  const health = /http:\/\/127\.0\.0\.1:8222(\S*)/.exec(service.healthcheck.test.at(-1))[1];
  await untilWell(child, port, `http://127.0.0.1:${monitoringPort}${health}`, log);
  return {
    address: `127.0.0.1:${port}`,
    port,
    version: version[0],
    omitted,
    violations: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => / Violation/.test(line)),
    /** A new version's deploy/nats, read anew as `docker compose kill -s HUP nats` has it do. */
    adopt: async (newer = DEPLOY_FOLDER) => {
      const reloads = () => readFileSync(log, 'utf8').split(RELOADED).length;
      const before = reloads();
      mountConfiguration(root, secretsFolder, version, newer);
      child.kill('SIGHUP');
      if (!(await waitUntil(() => reloads() > before, READY_TIMEOUT_MS)))
        throw new Refusal(`nats-server does not take the new deploy/nats: ${lastLines(log, 4)}`);
    },
    stop: () => endProcess(child.pid),
  };
}

/** Makes /etc/nats, /run/secrets and /data below `root`. An older server than the image's is spared what it doesn't know. */
export function mountConfiguration(root, secretsFolder, [, major, minor], deployFolder = DEPLOY_FOLDER) {
  const configuration = join(root, 'etc', 'nats');
  cpSync(deployFolder, configuration, { recursive: true });
  mkdirSync(join(root, 'run', 'secrets'), { recursive: true });
  cpSync(join(secretsFolder, 'nats_passwords'), join(root, 'run', 'secrets', 'nats_passwords'));
  const [sinceMajor, sinceMinor] = SYNC_INTERVAL_SINCE;
  const isOlder = Number(major) < sinceMajor || (Number(major) === sinceMajor && Number(minor) < sinceMinor);
  const file = join(configuration, 'jetstream.conf');
  const lines = readFileSync(file, 'utf8')
    .replace('"/data"', JSON.stringify(join(root, 'data')))
    .split('\n');
  const omitted = lines.filter((line) => isOlder && /^\s*sync_interval:/.test(line));
  writeFileSync(file, lines.filter((line) => !omitted.includes(line)).join('\n'));
  return omitted.map((line) => line.trim());
}

async function untilWell(child, port, healthUrl, log) {
  let ended;
  child.once('exit', (code, signal) => (ended = signal ?? code));
  for (
    const deadline = Date.now() + READY_TIMEOUT_MS;
    Date.now() < deadline && ended === undefined;
    await sleep(POLL_MS)
  ) {
    const greeting = await readGreeting('127.0.0.1', port, 1_000).catch(() => undefined);
    if (greeting?.jetstream !== true) continue;
    const answer = await fetch(healthUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
  }
  if (ended === undefined) await endProcess(child.pid);
  throw new Refusal(`nats-server does not start with deploy/nats: ${lastLines(log, 4)}`);
}
