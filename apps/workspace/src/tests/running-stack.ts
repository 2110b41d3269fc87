import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { lockHolder } from '@stablecoin/local-stack/lock';
import { dataDirFrom, dataPaths } from '@stablecoin/local-stack/paths';

/** Written by the build when it is complete (tools/setup/compile.mjs). */
const BUILD_STAMP = join(ROOT, 'dist', '.build.sha256');

export interface RunningStack {
  /** Its description; undefined when the journeys need a stack of their own. */
  stack?: object;
  /** For people: which stack the journeys run against, and why. */
  about: string;
}

/**
 * The stack in DATA_DIR, if journeys can run against it: its services run, and run this build. A launcher (mostly npm
 * run dev) writes stack.json once its services run the build of that time.
 */
export function runningStack(env: NodeJS.ProcessEnv): RunningStack {
  const paths = dataPaths(dataDirFrom(env));
  const launcher = lockHolder(paths.lock);
  if (launcher === undefined || !existsSync(paths.stack)) return { about: 'starts a stack of its own' };
  const stack = JSON.parse(readFileSync(paths.stack, 'utf8')) as { base_url?: string; chains?: object[] };
  const running = `the stack in ${paths.dataDir} (process ${launcher})`;
  if (stack.base_url === undefined) return { about: `starts a stack of its own: ${running} runs no services` };
  if (stack.chains !== undefined)
    return { about: `starts a stack of its own: ${running} has chains, where deposits take their time` };
  if (changedAt(BUILD_STAMP) > changedAt(paths.stack))
    return { about: `starts a stack of its own: ${running} runs an older build, which npm run dev would replace` };
  return { stack, about: `runs against ${running}` };
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
