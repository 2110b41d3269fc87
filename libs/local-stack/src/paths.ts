// Every path of the local stack, in one place. The data folder (DATA_DIR, default .data/ in the checkout) belongs to one
// stack; the tool cache (.data/bin) belongs to the checkout, so that throw-away stacks needn't fetch anything again.

import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';

export { ROOT };
export const TOOL_CACHE = join(ROOT, '.data', 'bin');

export const dataDirFrom = (env: NodeJS.ProcessEnv) => resolve(ROOT, env['DATA_DIR'] || '.data');

export function dataPaths(dataDir: string) {
  return {
    dataDir,
    postgres: join(dataDir, 'postgres'),
    postgresUnfinished: join(dataDir, 'postgres.unfinished'),
    postgresLog: join(dataDir, 'logs', 'postgres.log'),
    nats: join(dataDir, 'nats'),
    natsLog: join(dataDir, 'logs', 'nats-server.log'),
    natsConfig: join(dataDir, 'nats', 'server.conf'),
    chains: join(dataDir, 'chains'),
    signerJournal: join(dataDir, 'signer'),
    erasures: join(dataDir, 'erasures.jsonl'),
    logs: join(dataDir, 'logs'),
    secrets: join(dataDir, 'secrets.json'),
    ports: join(dataDir, 'ports.json'),
    stack: join(dataDir, 'stack.json'),
    lock: join(dataDir, 'lock'),
  };
}

export type DataPaths = ReturnType<typeof dataPaths>;

/** 0 is root. Windows has no such id and is not supported. */
export const userId = () => process.getuid?.() ?? -1;

/** Makes the data folder, private to its user; root's can be traversed, because Postgres then runs as another user. */
export function makeDataDir(paths: DataPaths): void {
  try {
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
    mkdirSync(paths.nats, { recursive: true, mode: 0o700 });
    chmodSync(paths.dataDir, userId() === 0 ? 0o711 : 0o700);
    const probe = join(paths.dataDir, `.writable.${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw permissionRefusal(paths, error) ?? error;
  }
}

/** Turns a missing permission into one sentence that says what to do; undefined for any other error. */
export function permissionRefusal({ dataDir }: Pick<DataPaths, 'dataDir'>, error: unknown): OperatorError | undefined {
  const code = errorCode(error);
  if (code === undefined || !['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code)) return undefined;
  const path = (error as NodeJS.ErrnoException).path ?? dataDir;
  return new OperatorError(
    `No permission to write to ${path} (${code}): make it yours (sudo chown -R "$(id -u)" ${dataDir}) ` +
      'or choose another folder, e.g. DATA_DIR=/tmp/stack npm start.',
  );
}
