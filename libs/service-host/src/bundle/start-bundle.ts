// How a bundled service starts: `main.js` of its folder is this file, and `program-<hash>.js` beside it everything that the service
// loads (tools/setup/bundles.mjs makes both). The program is compiled from V8's code cache where the build left one for this Node.
// Stack traces name the sources; the source map is read with the first trace, since most processes never print one.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { nameSources } from './source-names';

type ProgramFunction = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
) => void;

const PARAMETERS = 'exports, require, module, __filename, __dirname';

/** Stands on one line before the program's first, whose columns no source has. */
export const wrapped = (source: string): string => `(function (${PARAMETERS}) {${source}\n})`;

/** Of one version and one set of flags of V8, which refuses any other. */
export const cacheOf = (program: string): string => program.replace(/\.js$/, `.${cachedDataVersionTag()}.cache`);

/** The name has the content's hash, because V8 compares only lengths to tell whether a cache is of this text. */
const PROGRAM = /^program-[0-9a-f]{16}\.js$/;

/** Compiles a program and gives what begins it. */
export function compileProgram(file: string): { script: Script; run: () => void } {
  const cache = cacheOf(file);
  const script = new Script(wrapped(readFileSync(file, 'utf8')), {
    filename: file,
    ...(existsSync(cache) && { cachedData: readFileSync(cache) }),
  });
  const module = { exports: {} };
  const run = () =>
    (script.runInThisContext() as ProgramFunction)(module.exports, createRequire(file), module, file, join(file, '..'));
  return { script, run };
}

export function programIn(folder: string): string {
  const found = readdirSync(folder).filter((name) => PROGRAM.test(name));
  if (found.length !== 1)
    throw new Error(`${folder} has ${found.length} programs and not one: npm run build makes it.`);
  return join(folder, String(found[0]));
}

export function startBundle(folder: string): void {
  const program = programIn(folder);
  nameSources(program);
  compileProgram(program).run();
}
