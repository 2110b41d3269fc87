// TypeScript of apps/ and libs/ into dist/ with swc, when a byte of them changed. Compiled files without a source are
// removed, so that a deleted or renamed module can't live on; JSON next to the sources is copied along. The path aliases
// stand in tsconfig.base.json alone: swc gets them from there.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundlePrograms } from './bundles.mjs';
import { runProgram } from './child.mjs';
import { filesUnder, hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError, step } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 180_000;
const STAMP = join(ROOT, 'dist', '.build.sha256');
/** Apart, since npm run dev compiles what changes and bundles nothing. */
const BUNDLES_STAMP = join(ROOT, 'dist', '.bundles.sha256');
const BUNDLE_INPUTS = ['tools/setup/bundles.mjs'];
const SOURCES = ['apps', 'libs'];
const SETTINGS = ['.swcrc', 'tsconfig.base.json', 'package-lock.json'];
/** For browsers, which another compiler makes (console.mjs). */
export const isForBrowsers = (file) => file === 'apps/console' || file.startsWith('apps/console/');
const isInput = (file) => /\.(ts|json)$/.test(file) && !file.endsWith('.spec.ts') && !isForBrowsers(file);

const inputs = () => [...SOURCES.flatMap((folder) => filesUnder(folder, isInput)), ...SETTINGS];
/** Folders of the sources, one by one: swc is given no folder of which it should leave out a part. */
const projects = () =>
  SOURCES.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`)).filter(
    (folder) => !isForBrowsers(folder),
  );

export async function ensureBuild({ force = false } = {}) {
  const files = inputs();
  const hash = hashOf(files);
  if (force || readOr(STAMP) !== hash) await build(files, hash);
  const bundled = hashOf(BUNDLE_INPUTS, hash);
  if (!force && readOr(BUNDLES_STAMP) === bundled) return;
  await step('Bundles', bundlePrograms);
  writeFileSync(BUNDLES_STAMP, bundled);
}

async function build(files, hash) {
  await step('Build', async () => {
    rmSync(STAMP, { force: true });
    await compile(projects());
    removeOrphans(new Set(files));
    for (const file of files) if (/\/src\/.*\.json$/.test(file)) copy(file);
  });
  writeFileSync(STAMP, hash);
}

/** Says that dist/ holds what the sources are now: for npm run dev, which compiles the files that change by itself. */
export const markBuilt = () => writeFileSync(STAMP, hashOf(inputs()));

/** Compiles folders of the checkout, whatever changed. */
export async function compile(folders) {
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const args = [swc, ...folders, '-d', 'dist', '--config-file', writeConfiguration(), '--quiet'];
  const { code, output } = await runProgram(process.execPath, args, { timeoutMs: BUILD_TIMEOUT_MS });
  if (code !== 0) throw new OperatorError(`The build failed:\n${output.trim()}`);
}

/** .swcrc with the path aliases; in one step, since Nx builds several projects side by side. Gives its path. */
export function writeConfiguration() {
  const configuration = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.base.json'), 'utf8')).compilerOptions;
  Object.assign(configuration.jsc, { baseUrl: ROOT, paths });
  const file = join(ROOT, 'dist', '.swcrc.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(configuration));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

function removeOrphans(sources) {
  for (const built of SOURCES.flatMap((folder) => filesUnder(`dist/${folder}`))) {
    const source = built.slice('dist/'.length).replace(/\.map$/, '');
    if (!sources.has(source) && !sources.has(source.replace(/\.js$/, '.ts'))) rmSync(join(ROOT, built));
  }
}

function copy(file) {
  const target = join(ROOT, 'dist', file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(ROOT, file), target);
}
