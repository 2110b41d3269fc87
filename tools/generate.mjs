// npm run generate: the Prisma client of each prisma/<name>/schema.prisma, when that schema (or Prisma's version) changed.
// Prisma wants a schema engine to be there but doesn't run it to generate; any executable will do, so nothing is downloaded.

import './stack/node-version.mjs';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';
import { ROOT } from './stack/paths.mjs';
import { runTool } from './stack/run-tool.mjs';
import { filesUnder, hashOf, readStamp, writeStamp } from './stack/stamp.mjs';
import { parseFlags, Refusal, runCommand, step } from './stack/terminal.mjs';

const GENERATE_TIMEOUT_MS = 120_000;
const STAMPS = join(ROOT, 'node_modules', '.cache', 'prisma-generate');
const HELP = `
npm run generate [-- --force]

Generates the Prisma client of every database whose schema.prisma changed since the last time.

  --force  generate all of them
`;

const schemas = () => filesUnder('prisma', (file) => file.endsWith('/schema.prisma'));

/** Where a schema's generator writes, so that a deleted client is noticed. */
function outputOf(schema) {
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(join(ROOT, schema), 'utf8'))?.[1];
  if (output === undefined) throw new Refusal(`${schema} names no output folder for its generator: add output = "…".`);
  return resolve(ROOT, dirname(schema), output);
}

const stampOf = (schema) => join(STAMPS, `${schema.replaceAll('/', '-')}.sha256`);
const inputsOf = (schema) =>
  hashOf([schema], readFileSync(join(ROOT, 'node_modules', 'prisma', 'package.json'), 'utf8'));

export async function ensureGenerated({ quiet = false, force = false } = {}) {
  const outdated = schemas().filter(
    (schema) => force || readStamp(stampOf(schema)) !== inputsOf(schema) || !existsSync(outputOf(schema)),
  );
  if (outdated.length === 0) return;
  mkdirSync(STAMPS, { recursive: true });
  await step(`Prisma clients (${outdated.length})`, () => Promise.all(outdated.map(generate)), { quiet });
}

async function generate(schema) {
  const inputs = inputsOf(schema);
  const prisma = join(ROOT, 'node_modules', 'prisma', 'build', 'index.js');
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  const { code, output } = await runTool(process.execPath, [prisma, 'generate', '--schema', schema], {
    cwd: ROOT,
    env,
    timeoutMs: GENERATE_TIMEOUT_MS,
  });
  if (code !== 0) throw new Refusal(`prisma generate failed for ${schema}:\n${output.trim()}`);
  writeStamp(stampOf(schema), inputs);
}

async function main(argv) {
  const parsed = await parseFlags(argv, { force: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return;
  await ensureDependencies();
  await ensureGenerated({ force: parsed.values.force });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runCommand(main);
