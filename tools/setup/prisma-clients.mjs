// The Prisma client of each prisma/<name>/schema.prisma, and of a benchmark with a database of its own, when that schema (or
// Prisma's version) changed. Prisma wants a schema engine to be there but doesn't run it to generate; any executable will
// do, so nothing is downloaded.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { runProgram } from './child.mjs';
import { filesUnder, hashOf, readOr, ROOT } from './files.mjs';
import { OperatorError, step } from './terminal.mjs';

const GENERATE_TIMEOUT_MS = 120_000;
const STAMPS = join(ROOT, 'node_modules', '.cache', 'prisma-generate');
const PRISMA = join(ROOT, 'node_modules', 'prisma');

const FOLDERS = ['prisma', 'apps/benchmarks/src'];
const schemas = () => FOLDERS.flatMap((folder) => filesUnder(folder, (file) => file.endsWith('/schema.prisma')));
const stampOf = (schema) => join(STAMPS, `${schema.replaceAll('/', '-')}.sha256`);
const inputsOf = (schema) => hashOf([schema], readFileSync(join(PRISMA, 'package.json'), 'utf8'));

/** Where a schema's generator writes, so that a deleted client is noticed. */
function outputOf(schema) {
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(join(ROOT, schema), 'utf8'))?.[1];
  if (output === undefined)
    throw new OperatorError(`${schema} names no output folder for its generator: add output = "…".`);
  return resolve(ROOT, dirname(schema), output);
}

export async function ensureGenerated({ force = false } = {}) {
  const outdated = schemas().filter(
    (schema) => force || readOr(stampOf(schema)) !== inputsOf(schema) || !existsSync(outputOf(schema)),
  );
  if (outdated.length === 0) return;
  mkdirSync(STAMPS, { recursive: true });
  await step(`Prisma clients (${outdated.length})`, () => Promise.all(outdated.map(generate)));
}

/** Without Prisma, as after `npm ci --omit=dev`, there is no development to generate for. */
export const isPrismaInstalled = () => existsSync(join(PRISMA, 'package.json'));

async function generate(schema) {
  const inputs = inputsOf(schema);
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  const args = [join(PRISMA, 'build', 'index.js'), 'generate', '--schema', schema];
  const { code, output } = await runProgram(process.execPath, args, { env, timeoutMs: GENERATE_TIMEOUT_MS });
  if (code !== 0) throw new OperatorError(`prisma generate failed for ${schema}:\n${output.trim()}`);
  writeFileSync(stampOf(schema), inputs);
}
