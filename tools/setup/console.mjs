// The console's files for browsers, into dist/console, when one of their inputs changed: its own sources, what it shares with
// the services, or the packages that it is made of. Vite types nothing: `npm run typecheck` does. Beside each file is what the
// service answers to a browser that takes brotli or gzip, so that no start of the service compresses anything.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runProgram } from './child.mjs';
import { filesUnder, hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError, step } from './terminal.mjs';

const BUILD_TIMEOUT_MS = 120_000;
const STAMP = join(ROOT, 'dist', '.console.sha256');
const FOLDER = join(ROOT, 'dist', 'console');
const BUILT = join(FOLDER, 'index.html');
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const FOLDERS = ['apps/console', 'libs/event-proofs'];
const INPUTS = ['package-lock.json', 'tsconfig.base.json', 'tools/setup/console.mjs'];
const isInput = (file) => !file.endsWith('.spec.ts') && !file.endsWith('/project.json');

export async function ensureConsole({ force = false } = {}) {
  const hash = hashOf([...FOLDERS.flatMap((folder) => filesUnder(folder, isInput)), ...INPUTS]);
  if (!force && readOr(STAMP) === hash && existsSync(BUILT)) return;
  await step('Console', async () => {
    rmSync(STAMP, { force: true });
    const args = [VITE, 'build', '--config', join(ROOT, 'apps', 'console', 'vite.config.mjs'), '--logLevel', 'warn'];
    const { code, output } = await runProgram(process.execPath, args, { timeoutMs: BUILD_TIMEOUT_MS });
    if (code !== 0) throw new OperatorError(`The console's build failed:\n${output.trim()}`);
    compressFiles();
  });
  writeFileSync(STAMP, hash);
}

function compressFiles() {
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
