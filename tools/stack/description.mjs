// What a running stack wrote about itself (DATA_DIR/stack.json), for the command lines that want to reach it.

import { existsSync, readFileSync } from 'node:fs';
import { dataDirFrom, dataPaths } from './paths.mjs';

/** The description of the stack that last ran in DATA_DIR, or undefined. Whether it still runs is another question. */
export function readStack(env) {
  const paths = dataPaths(dataDirFrom(env));
  return existsSync(paths.stack) ? JSON.parse(readFileSync(paths.stack, 'utf8')) : undefined;
}
