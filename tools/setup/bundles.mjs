// One file for each service, and for the operator's commands: what its compiled main.js loads, packages included, into
// dist/bundles/<program>, with V8's code cache beside it. Compiled JavaScript is bundled, because the metadata of decorators
// comes from swc. What is needed late, or never, is a file of its own there: Prisma's query compiler, the exporter of traces,
// what makes documents, the programs of threads.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runProgram } from './child.mjs';
import { hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError } from './terminal.mjs';

const PROGRAMS = [
  'gateway',
  'customer',
  'wallet-ledger',
  'swap-pricing',
  'payout',
  'signer',
  'chain',
  'backoffice',
  'audit-runner',
  'operator',
];
const CONTENTS = 'contents.json';
const STAMP = '.inputs.sha256';
const TOOLS = ['tools/setup/bundles.mjs', 'package-lock.json'];
const CACHE_TIMEOUT_MS = 60_000;
const START = 'dist/libs/service-host/src/bundle/main.js';
const WRITE_CACHE = join(ROOT, 'dist/libs/service-host/src/bundle/code-cache.main.js');
/** Asked for by packages that do without, where they are not installed; none of them is. */
const ABSENT = [
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@grpc/*',
  '@fastify/view',
  '@fastify/static',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer/storage',
  'ioredis',
  'kafkajs',
  'mqtt',
  'pg-native',
];
/** Programs of threads, by the program that starts them. */
const THREADS = { gateway: { 'large-json.worker': 'dist/apps/gateway/src/documents/large-json.worker.js' } };
/** Modules that are loaded by import() when first needed, and the file that each becomes. */
const LATE = [
  [/^@prisma\/client\/runtime\/query_compiler_\w+\.postgresql\.js$/, 'query-compiler'],
  [/^@prisma\/client\/runtime\/query_compiler_\w+\.postgresql\.wasm-base64\.js$/, 'query-compiler-code'],
  [/^pdfkit$/, 'pdfkit'],
];

export async function bundlePrograms() {
  await Promise.all(PROGRAMS.map(bundleIfChanged));
}

/** Where a byte of what it is made of has changed. */
async function bundleIfChanged(name) {
  const folder = join(ROOT, 'dist', 'bundles', name);
  if (readOr(join(folder, STAMP)) === stampOf(folder)) return;
  await bundleProgram({ program: `dist/apps/${name}/src/main.js`, threads: THREADS[name], folder });
  writeFileSync(join(folder, STAMP), stampOf(folder));
}

/** A further file comes in only by a change of one of these. Code caches are of one version of V8. */
function stampOf(folder) {
  const contents = readOr(join(folder, CONTENTS));
  if (contents === undefined) return 'none';
  const files = JSON.parse(contents).files.filter((file) => existsSync(join(ROOT, file)));
  return hashOf([...files, ...TOOLS], `${process.versions.v8} ${contents}`);
}

/** Makes the folder whose main.js starts a compiled program. `threads` has the programs of its threads by their file's name there. */
export async function bundleProgram({ program, threads = {}, folder }) {
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const late = new Map();
  const built = await bundle({ program, ...threads }, draft, [moduleLater(late), sourcesOfOursOnly]);
  const further = late.size > 0 ? [await bundle(Object.fromEntries(late), draft, [sourcesOfOursOnly])] : [];
  const start = await bundle({ main: START }, draft, []);
  nameLostNamesOnly(join(draft, 'program.js'));
  writeInAscii(join(draft, 'program.js'));
  const hash = createHash('sha256')
    .update(readFileSync(join(draft, 'program.js')))
    .digest('hex');
  const named = `program-${hash.slice(0, 16)}.js`;
  renameSync(join(draft, 'program.js'), join(draft, named));
  renameSync(join(draft, 'program.js.map'), join(draft, `${named}.map`));
  writeContents(draft, [built, ...further, start]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  await writeCache(join(folder, named));
}

/** What esbuild puts before a program, to give each function the name that it has in its source. */
const NAMED = '__defProp(target, "name", { value, configurable: true });';
const NAMES = `var __name = (target, value) => ${NAMED}`;
/** What has no prototype is no class: an arrow, a method or an async function. */
const NAMES_LOST = `var __name = (target, value) => target.name === value || target.prototype === void 0 ? target : ${NAMED}`;

/**
 * A function that is made within another, as each call makes its closures, would be named again in each: two of a hundred in the
 * profile of a service under load. Names count for classes (loggers, Nest's messages), and most of them have theirs.
 */
function nameLostNamesOnly(file) {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(NAMES, () => NAMES_LOST),
  );
}

/**
 * V8 holds a text that is not ASCII in two bytes for each character: 5 to 12 MB more for each service. esbuild has escaped such
 * characters but in regular expressions and comments, where an escape means the same, and in tagged templates, where it doesn't.
 */
function writeInAscii(file) {
  const { parse } = createRequire(import.meta.url)('acorn');
  const text = readFileSync(file, 'utf8');
  const places = [];
  parse(text, {
    ecmaVersion: 'latest',
    onToken: ({ type, start, end }) => type.label === 'regexp' && places.push({ start, end }),
    onComment: (_isBlock, _text, start, end) => places.push({ start, end }),
  });
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  let [escaped, written] = ['', 0];
  for (const { start, end } of places.sort((one, other) => one.start - other.start)) {
    escaped += text.slice(written, start) + text.slice(start, end).replace(/[^\0-\x7f]/g, escape);
    written = end;
  }
  writeFileSync(file, escaped + text.slice(written));
}

function writeContents(folder, builds) {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set(inputs.map(packageOf).filter(Boolean));
  const files = new Set(inputs.filter((file) => file.startsWith('dist/')));
  const contents = { files: [...files].sort(), packages: [...packages].sort() };
  writeFileSync(join(folder, CONTENTS), `${JSON.stringify(contents, null, 2)}\n`);
}

function bundle(entryPoints, outdir, plugins) {
  const { build } = createRequire(import.meta.url)('esbuild');
  mkdirSync(outdir, { recursive: true });
  return build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    keepNames: true,
    // import() becomes a require, which the program is given: it is no module of Node's own loader.
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    sourcesContent: false,
    external: ABSENT,
    metafile: true,
    logLevel: 'silent',
    plugins,
  }).catch((error) => {
    throw new OperatorError(`The bundle of ${Object.values(entryPoints).join(', ')} failed:\n${error.message}`);
  });
}

const packageOf = (input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];

const moduleLater = (late) => ({
  name: 'module-later',
  setup: ({ onResolve, resolve }) =>
    onResolve(
      { filter: /^(@prisma\/client\/runtime\/query_compiler|pdfkit$)/ },
      async ({ path, resolveDir, kind, pluginData }) => {
        const name = LATE.find(([pattern]) => pattern.test(path))?.[1];
        if (name === undefined || pluginData === 'direct') return undefined;
        const found = await resolve(path, { resolveDir, kind, pluginData: 'direct' });
        late.set(name, found.path);
        return { path: `./${name}.js`, external: true };
      },
    ),
});

/** A map of no line: traces keep the bundle's lines in packages, and the map stays a tenth of its size. */
const NO_SOURCES = Buffer.from('{"version":3,"sources":[""],"mappings":"A"}').toString('base64');
const sourcesOfOursOnly = {
  name: 'sources-of-ours-only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${NO_SOURCES}`,
      loader: 'default',
    })),
};

async function writeCache(program) {
  const { code, output } = await runProgram(process.execPath, [WRITE_CACHE, program], { timeoutMs: CACHE_TIMEOUT_MS });
  if (code !== 0) throw new OperatorError(`${program} could not be loaded:\n${output.trim()}`);
}
