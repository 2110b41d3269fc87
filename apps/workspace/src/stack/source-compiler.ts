// Compiles single source files like the build, for which tools/setup/compile.mjs runs swc over all of them: with the
// same options and the same output, but within milliseconds because it starts no process.

import { transformFile } from '@swc/core';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { buildTools } from './build-tools';

/** Whether the build compiles a file: not specs, nor files that are generated beside the sources, nor what is for browsers. */
export const isSource = (file: string): boolean =>
  /^(apps|libs)\/(.+\/)?src\/.+\.(ts|json)$/.test(file) &&
  !/^apps\/console\/|\.spec\.ts$|\.d\.ts$|\/generated\//.test(file);

/** The compiled file of a source. */
export const builtFileOf = (source: string): string => `dist/${source.replace(/\.ts$/, '.js')}`;

/** A compiled file that is not written yet. */
export interface Compiled {
  source: string;
  write(): void;
}

/** @throws Error with swc's description of the fault in the source */
export async function compiled(source: string): Promise<Compiled> {
  const target = join(ROOT, builtFileOf(source));
  if (!existsSync(join(ROOT, source))) return { source, write: () => remove(target) };
  if (source.endsWith('.json')) return { source, write: () => copy(join(ROOT, source), target) };
  const sourceFileName = relative(dirname(target), join(ROOT, source));
  const output = await transformFile(join(ROOT, source), {
    cwd: ROOT,
    configFile: configuration(),
    outputPath: target,
    sourceFileName,
  });
  return { source, write: () => writeWithMap(target, output.code, output.map, sourceFileName) };
}

let written: string | undefined;
/** The build's configuration of swc, written once. */
const configuration = () => (written ??= buildTools().writeConfiguration());

function writeWithMap(target: string, code: string, map: string | undefined, sourceFileName: string): void {
  mkdirSync(dirname(target), { recursive: true });
  if (map === undefined) return writeFileSync(target, code);
  const sourceMap = { ...(JSON.parse(map) as object), sources: [sourceFileName] };
  writeFileSync(`${target}.map`, JSON.stringify(sourceMap));
  writeFileSync(target, `${code}\n//# sourceMappingURL=${target.slice(dirname(target).length + 1)}.map`);
}

function copy(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}

function remove(target: string): void {
  for (const file of [target, `${target}.map`]) rmSync(file, { force: true });
}
