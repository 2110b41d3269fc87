// The console's files, into dist/console: what the back office serves. No file is inlined and no script stands in the page,
// so that its content security policy needs no exception.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const ROOT = resolve(FOLDER, '../..');

/** The aliases of tsconfig.base.json, so that the console imports a library as all others do. */
const aliases = () => {
  const { paths } = JSON.parse(readFileSync(resolve(ROOT, 'tsconfig.base.json'), 'utf8')).compilerOptions;
  return Object.entries(paths)
    .filter(([alias]) => alias.endsWith('/*'))
    .map(([alias, [target]]) => ({ find: alias.slice(0, -2), replacement: resolve(ROOT, target.slice(0, -2)) }));
};

export default defineConfig({
  root: FOLDER,
  cacheDir: resolve(ROOT, 'dist/.vite-console'),
  resolve: { alias: aliases() },
  build: {
    outDir: resolve(ROOT, 'dist/console'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    // 'use client' says something to servers that render, of which there are none here.
    rolldownOptions: { onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log) },
  },
  server: { port: 3002, strictPort: true, proxy: { '/api': process.env.BACKOFFICE_URL ?? 'http://127.0.0.1:3001' } },
});
