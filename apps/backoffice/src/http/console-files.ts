import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { PageLimits } from '@stablecoin/http-answers/page-limits';
import { StaticFile } from '@stablecoin/http-answers/static-file';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSources } from './request-sources';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const FIRST_PAGE = 'index.html';
/** Vite puts what has a hash in its name there, and nothing else. */
const HASHED = /^assets\//;
/** Beside the bundle; beside the built program in dist/ and in the image; in dist/ for a program that runs from its sources. */
const FOLDERS = ['../../console', '../../../../console', '../../../../dist/console'];

/** The files of the console (apps/console), as its build left them and compressed them: in memory once. */
export async function serveConsole(fastify: FastifyInstance, sources: RequestSources): Promise<void> {
  const limits = new PageLimits();
  const folder = FOLDERS.map((name) => resolve(__dirname, name)).find((name) => existsSync(join(name, FIRST_PAGE)));
  const files = folder === undefined ? new Map<string, StaticFile>() : await readFiles(folder);
  const firstPage = files.get(FIRST_PAGE);
  if (firstPage === undefined)
    throw new ConfigurationError('the console was not found beside this program: npm run build makes it.');
  fastify.get('/*', (request, reply) => {
    const path = (request.params as { '*': string })['*'];
    const file = files.get(path) ?? (isPage(path, request) ? firstPage : undefined);
    if (file === undefined) throw new Refusal('not_found');
    return file.answer(request, reply, (bytes) => limits.take(sources.networkOf(request), bytes));
  });
}

/** The console finds its screens itself: each of their addresses has the first page. */
const isPage = (path: string, { headers }: FastifyRequest): boolean =>
  path === '' || (!path.startsWith('api/') && extname(path) === '' && (headers.accept?.includes('text/html') ?? false));

async function readFiles(folder: string): Promise<Map<string, StaticFile>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => extname(name) in TYPES);
  const files = await Promise.all(names.map(async (name) => [name, await readStaticFile(folder, name)] as const));
  return new Map(files);
}

async function readStaticFile(folder: string, name: string): Promise<StaticFile> {
  const file = join(folder, name);
  const [bytes, br, gzip] = await Promise.all([readFile(file), readFile(`${file}.br`), readFile(`${file}.gz`)]);
  return new StaticFile(TYPES[extname(name)] ?? '', bytes, { br, gzip }, HASHED.test(name));
}
