// TypeScript of apps/ and libs/ into dist/ with swc, when a byte of them changed. Compiled files without a source are
// removed, so that a deleted or renamed module can't live on; JSON next to the sources is copied along.

import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { runTool } from './run-tool.mjs';
import { filesUnder, hashOf, readStamp, writeStamp } from './stamp.mjs';
import { Refusal, step } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 180_000;
const STAMP = join(ROOT, 'dist', '.build.sha256');
const SOURCES = ['apps', 'libs'];
const SETTINGS = ['.swcrc', 'tsconfig.base.json', 'package-lock.json'];
const isInput = (file) => /\.(ts|json)$/.test(file) && !file.endsWith('.spec.ts');
const inputs = () => [...SOURCES.flatMap((folder) => filesUnder(folder, isInput, ['node_modules'])), ...SETTINGS];

export async function ensureBuild({ quiet = false, force = false } = {}) {
  const files = inputs();
  const hash = hashOf(files);
  if (!force && readStamp(STAMP) === hash) return;
  await step('Build', () => compile(files), { quiet });
  writeStamp(STAMP, hash);
}

/** Says that dist/ holds what the sources are now: for npm run dev, which compiles the files that changed by itself. */
export const markBuilt = () => writeStamp(STAMP, hashOf(inputs()));

async function compile(files) {
  rmSync(STAMP, { force: true });
  const swc = join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const args = [swc, ...SOURCES, '-d', 'dist', '--config-file', '.swcrc'];
  const { code, output } = await runTool(process.execPath, args, {
    cwd: ROOT,
    env: process.env,
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (code !== 0) throw new Refusal(`The build failed:\n${output.trim()}`);
  removeOrphans(new Set(files));
  for (const file of files) if (/\/src\/.*\.json$/.test(file)) copy(file);
}

function removeOrphans(sources) {
  for (const folder of SOURCES) {
    for (const built of filesUnder(join('dist', folder))) {
      const source = built.slice('dist/'.length).replace(/\.map$/, '');
      if (!sources.has(source) && !sources.has(source.replace(/\.js$/, '.ts'))) rmSync(join(ROOT, built));
    }
  }
}

function copy(file) {
  const target = join(ROOT, 'dist', file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(ROOT, file), target);
}
