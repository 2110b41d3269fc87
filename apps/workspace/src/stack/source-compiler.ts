// One source file after the other, as the build compiles them (tools/setup/compile.mjs runs swc over all of them): the same
// options, the same bytes, within milliseconds because no process is started for it.

import { transformFile } from '@swc/core';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { buildTools } from './build-tools';

/** A file that the build reads; specs and what is generated beside the sources it leaves out or has made itself. */
export const isSource = (file: string): boolean =>
  /^(apps|libs)\/(.+\/)?src\/.+\.(ts|json)$/.test(file) && !/\.spec\.ts$|\.d\.ts$|\/generated\//.test(file);

/** Where the build puts a source. */
export const builtFileOf = (source: string): string => `dist/${source.replace(/\.ts$/, '.js')}`;

/** A compiled file that is not written yet. */
export interface Compiled {
  source: string;
  write(): void;
}

/** @throws Error with swc's description of what is wrong in the source */
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
/** What the build gives to swc, written once. */
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
