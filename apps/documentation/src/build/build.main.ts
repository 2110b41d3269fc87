import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { parseFlags, runCommand } from '@stablecoin/command-line/terminal';
import { readInterfaceDocument } from '../interface/interface-document';
import { referencePagesOf } from '../reference/reference-pages';
import { finishSite } from './finished-site';

const HELP = `
node dist/apps/documentation/src/build/build.main.js

Builds the pages that the gateway serves at /docs, into dist/documentation: the guides of apps/documentation/guides and
the reference of docs/openapi.json, as VitePress renders them, compressed. npm run build does it when an input changed.
`;
const SOURCE = join(ROOT, 'apps', 'documentation');
const PAGES = join(ROOT, 'dist', 'documentation-pages');
const SITE = join(ROOT, 'dist', 'documentation');
const VITEPRESS = join(ROOT, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
const TIMEOUT_MS = 180_000;

void runCommand(async (argv) => {
  if (parseFlags(argv, {}, HELP) === undefined) return;
  writePages();
  render();
  await finishSite(SITE);
});

/** VitePress searches only in pages that are files: the reference is written beside the guides. */
function writePages(): void {
  rmSync(PAGES, { recursive: true, force: true });
  cpSync(join(SOURCE, 'guides'), join(PAGES, 'guides'), { recursive: true });
  cpSync(join(PAGES, 'guides', 'start.md'), join(PAGES, 'index.md'));
  rmSync(join(PAGES, 'guides', 'start.md'));
  for (const { path, text } of referencePagesOf(readInterfaceDocument(join(ROOT, 'docs', 'openapi.json')))) {
    const file = join(PAGES, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** In a process of its own: VitePress is a module that a CommonJS program doesn't load on every Node. */
function render(): void {
  rmSync(SITE, { recursive: true, force: true });
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [VITEPRESS, 'build', SOURCE], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0)
    throw new OperatorError(`The pages were not built:\n${error?.message ?? `${stdout}${stderr}`.trim()}`);
}
