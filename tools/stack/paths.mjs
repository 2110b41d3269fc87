// Every path the tools use, in one place. The data folder (DATA_DIR, default .data/ in the checkout) belongs to one stack;
// the tool cache (.data/bin) belongs to the checkout, so that throw-away stacks needn't fetch anything again.

import { chmodSync, mkdirSync, writeFileSync, rmSync } from 'node:fs';
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
    mkdirSync(paths.logs, { recursive: true });
    mkdirSync(paths.nats, { recursive: true, mode: 0o700 });
    chmodSync(paths.dataDir, process.getuid() === 0 ? 0o711 : 0o700);
    const probe = join(paths.dataDir, `.writable.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(error.code)) throw error;
    throw new Refusal(
      `No permission to write to ${paths.dataDir} (${error.code}): make it yours (sudo chown -R "$(id -u)" ${paths.dataDir}) ` +
        'or choose another folder, e.g. DATA_DIR=/tmp/stack npm start.',
    );
  }
}
