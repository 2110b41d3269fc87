import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { Encoded, StaticFile } from '@stablecoin/http-answers/static-file';

/** The documentation's pages (apps/documentation), as the build left them: read once, when the gateway starts. */
export interface BuiltPages {
  /** By the path below /docs/: `` for the first page, `guides/errors`, `assets/app.1f2e3d4c.js`. */
  files: ReadonlyMap<string, StaticFile>;
  notFound: StaticFile;
  policy: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const POLICY_FILE = 'content-security-policy.txt';
const NOT_FOUND_FILE = '404.html';
/** VitePress puts what has a hash in its name there, and nothing else. */
const HASHED = /^assets\/.*\.[\w-]{8}\.(lean\.)?\w+$/;

/** Beside the bundle in dist/ and in the image; for the compiled program in dist/; for one that runs from its sources. */
const FOLDERS = ['../../documentation', '../../../../documentation', '../../../../dist/documentation'];

export async function readBuiltPages(folder = builtFolder()): Promise<BuiltPages> {
  const entries = await readdir(folder, { recursive: true });
  const files = new Map<string, StaticFile>();
  for (const name of entries.filter((entry) => extname(entry) in TYPES))
    files.set(pathOf(name), await readStaticFile(folder, name));
  const notFound = files.get(pathOf(NOT_FOUND_FILE));
  if (notFound === undefined)
    throw new ConfigurationError(`${folder} has no ${NOT_FOUND_FILE}: npm run build makes it.`);
  files.delete(pathOf(NOT_FOUND_FILE));
  return { files, notFound, policy: await readFile(join(folder, POLICY_FILE), 'utf8') };
}

function builtFolder(): string {
  const folders = FOLDERS.map((folder) => resolve(__dirname, folder));
  const found = folders.find((folder) => existsSync(join(folder, POLICY_FILE)));
  if (found === undefined)
    throw new ConfigurationError(`the pages are not in ${folders.join(' or ')}: npm run build makes them.`);
  return found;
}

/** A page's address has no ending, and the first page's no name. */
const pathOf = (name: string): string => name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');

async function readStaticFile(folder: string, name: string): Promise<StaticFile> {
  const file = join(folder, name);
  const encoded: Encoded = {
    ...(existsSync(`${file}.br`) && { br: await readFile(`${file}.br`) }),
    ...(existsSync(`${file}.gz`) && { gzip: await readFile(`${file}.gz`) }),
  };
  return new StaticFile(TYPES[extname(name)] ?? '', await readFile(file), encoded, HASHED.test(name));
}
