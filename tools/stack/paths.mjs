// Every path the tools use, in one place. The data folder (DATA_DIR, default .data/ in the checkout) belongs to one stack;
// the tool cache (.data/bin) belongs to the checkout, so that throw-away stacks needn't fetch anything again.

import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './terminal.mjs';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const TOOL_CACHE = join(ROOT, '.data', 'bin');

export const dataDirFrom = (env) => resolve(ROOT, env.DATA_DIR || '.data');

export function dataPaths(dataDir) {
  return {
    dataDir,
    postgres: join(dataDir, 'postgres'),
    postgresUnfinished: join(dataDir, 'postgres.unfinished'),
    postgresLog: join(dataDir, 'logs', 'postgres.log'),
    nats: join(dataDir, 'nats'),
    natsLog: join(dataDir, 'logs', 'nats-server.log'),
    natsConfig: join(dataDir, 'nats', 'server.conf'),
    logs: join(dataDir, 'logs'),
    secrets: join(dataDir, 'secrets.json'),
    ports: join(dataDir, 'ports.json'),
    stack: join(dataDir, 'stack.json'),
    lock: join(dataDir, 'lock'),
  };
}

/** Makes the data folder, private to its user (root's may be passed through: Postgres runs as another user there). */
export function makeDataDir(paths) {
  try {
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
    mkdirSync(paths.nats, { recursive: true, mode: 0o700 });
    chmodSync(paths.dataDir, process.getuid() === 0 ? 0o711 : 0o700);
    const probe = join(paths.dataDir, `.writable.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw permissionRefusal(paths, error) ?? error;
  }
}

/** A missing permission as one sentence with the way out, or undefined for any other error. */
export function permissionRefusal({ dataDir }, error) {
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(error.code)) return undefined;
  return new Refusal(
    `No permission to write to ${error.path ?? dataDir} (${error.code}): make it yours (sudo chown -R "$(id -u)" ${dataDir}) ` +
      'or choose another folder, e.g. DATA_DIR=/tmp/stack npm start.',
  );
}

/** Every start begins its logs anew and keeps those of the start before: enough to look back, and bounded. */
export function rotateLog(file) {
  if (existsSync(file)) renameSync(file, file.replace(/\.log$/, '.previous.log'));
}
