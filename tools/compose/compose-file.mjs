// docker-compose.yml as compose would understand it: YAML → variables → the compose specification's JSON schema (which
// the dclint package carries) → each service with what it is given.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { ROOT } from '../stack/paths.mjs';
import { Refusal } from '../stack/terminal.mjs';
import { interpolated, readEnvFile } from './interpolation.mjs';

export const COMPOSE_FILE = join(ROOT, 'docker-compose.yml');
const PROBLEMS_SHOWN = 20;

export function readComposeFile({ file = COMPOSE_FILE, variables }) {
  const written = parse(readFileSync(file, 'utf8'), { merge: true });
  const problems = schemaProblems(written);
  const model = interpolated(written, variables);
  problems.push(...schemaProblems(model).filter((problem) => !problems.includes(problem)));
  if (problems.length > 0)
    throw new Refusal(
      `${file} is not what the compose specification allows:\n  ${problems.slice(0, PROBLEMS_SHOWN).join('\n  ')}`,
    );
  return model;
}

let validate;
function schemaValidator() {
  const package_ = createRequire(import.meta.url).resolve('dclint/package.json');
  const schema = JSON.parse(readFileSync(join(package_, '..', 'schemas', 'compose.schema.json'), 'utf8'));
  delete schema.$schema; // Spelt as ajv doesn't know it: draft 7 by https.
  const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addFormat('expose', true).addFormat('ports', true).addFormat('subnet_ip_address', true);
  return ajv.addFormat('duration', isDuration).compile(schema);
}

/** What the compose specification's schema finds wrong, one line each. */
export function schemaProblems(model) {
  validate ??= schemaValidator();
  if (validate(model)) return [];
  return validate.errors.map(({ instancePath, message, params }) =>
    `${instancePath || '/'} ${message}${params.additionalProperty ? `: ${params.additionalProperty}` : ''}`.trim(),
  );
}

const UNITS_MS = { us: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const isDuration = (text) => /^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(text);

/** `1m30s` in milliseconds. */
export function milliseconds(text) {
  return [...text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS_MS[unit],
    0,
  );
}

const UNITS_BYTES = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** `512M` in bytes. */
export function bytes(text) {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([bkmg]?)b?$/i.exec(String(text)) ?? [];
  if (count === undefined) throw new Refusal(`"${text}" is no size: write it as 512M.`);
  return Number(count) * UNITS_BYTES[unit.toLowerCase()];
}

/** A service's environment: its env_file, and above it `environment`. Values are text; null passes nothing on. */
export function environmentOf({ env_file: files = [], environment = {} }) {
  const fromFiles = [files].flat().map((entry) => readEnvFile(join(ROOT, entry.path ?? entry)));
  const given = Object.entries(environment).filter(([, value]) => value !== null);
  return Object.assign({}, ...fromFiles, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}

/** Services by name in the order in which their dependencies allow them to start. */
export function startOrder(services) {
  const order = [];
  const visit = (name, path) => {
    if (order.includes(name)) return;
    if (path.includes(name)) throw new Refusal(`Services wait for each other: ${[...path, name].join(' → ')}.`);
    if (services[name] === undefined)
      throw new Refusal(`${path.at(-1)} depends on ${name}, which the file doesn't have.`);
    for (const needed of Object.keys(services[name].depends_on ?? {})) visit(needed, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}
