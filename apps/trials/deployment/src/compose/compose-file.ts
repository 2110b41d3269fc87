// Reads docker-compose.yml like compose: YAML → variables → the compose specification's JSON schema (from the dclint
// package) → each service with its settings.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { interpolated, readEnvFile, type Variables } from './interpolation';

export const COMPOSE_FILE = join(ROOT, 'docker-compose.yml');
const PROBLEMS_SHOWN = 20;

type EnvironmentFile = string | { path: string };

export interface HealthCheck {
  test: string[];
  interval?: string;
  timeout?: string;
  retries?: number;
  start_period?: string;
}

/** A service in the forms that our file uses; the schema allows others. */
export interface ComposeService {
  image: string;
  build?: { target: string };
  profiles?: readonly string[];
  restart?: string | number;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string | number | boolean | null>;
  env_file?: EnvironmentFile | EnvironmentFile[];
  secrets?: string[];
  volumes?: string[];
  ports?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition?: string; required?: boolean }>;
  healthcheck?: HealthCheck;
  stop_grace_period?: string;
  stop_signal?: NodeJS.Signals;
  container_name?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  deploy?: { resources?: { limits?: { cpus?: string; memory?: string; pids?: number } } };
}

export interface ComposeModel {
  services: Record<string, ComposeService>;
  networks: Record<string, unknown>;
  secrets: Record<string, unknown>;
}

export function readComposeFile({ file = COMPOSE_FILE, variables }: { file?: string; variables: Variables }) {
  // The parser's bound on aliases is against files of strangers.
  const written: unknown = parse(readFileSync(file, 'utf8'), { merge: true, maxAliasCount: -1 });
  const problems = schemaProblems(written);
  const model = interpolated(written, variables);
  problems.push(...schemaProblems(model).filter((problem) => !problems.includes(problem)));
  if (problems.length > 0)
    throw new OperatorError(
      `${file} is not what the compose specification allows:\n  ${problems.slice(0, PROBLEMS_SHOWN).join('\n  ')}`,
    );
  return model as ComposeModel;
}

let validate: ValidateFunction | undefined;
function schemaValidator(): ValidateFunction {
  const folder = dirname(createRequire(join(ROOT, 'package.json')).resolve('dclint/package.json'));
  const schema = JSON.parse(readFileSync(join(folder, 'schemas', 'compose.schema.json'), 'utf8')) as object;
  const ajv = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addFormat('expose', true).addFormat('ports', true).addFormat('subnet_ip_address', true);
  // The schema names its draft by an https address, draft 7's, which ajv doesn't know.
  return ajv.addFormat('duration', isDuration).compile({ ...schema, $schema: undefined });
}

/** The faults by the compose specification's schema, one line each. */
export function schemaProblems(model: unknown): string[] {
  validate ??= schemaValidator();
  if (validate(model)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    const unknownProperty: unknown = params['additionalProperty'];
    const named = typeof unknownProperty === 'string' ? `: ${unknownProperty}` : '';
    return `${instancePath || '/'} ${message}${named}`.trim();
  });
}

const UNITS_MS: Record<string, number> = { us: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const isDuration = (text: string) => /^(\d+(\.\d+)?(us|ms|s|m|h))+$/.test(text);

/** `1m30s` in milliseconds. */
export function milliseconds(text: string): number {
  return [...text.matchAll(/(\d+(?:\.\d+)?)(us|ms|s|m|h)/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0),
    0,
  );
}

const UNITS_BYTES: Record<string, number> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** `512M` in bytes. */
export function bytes(text: string | number): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([bkmg]?)b?$/i.exec(String(text)) ?? [];
  if (count === undefined) throw new OperatorError(`"${text}" is no size: write it as 512M.`);
  return Number(count) * (UNITS_BYTES[unit.toLowerCase()] ?? 1);
}

/** A service's environment: its env_file, overridden by `environment`. Values are text; null passes nothing on. */
export function environmentOf(service: Pick<ComposeService, 'env_file' | 'environment'>): Record<string, string> {
  const files = [service.env_file ?? []].flat();
  const fromFiles = files.map((entry) => readEnvFile(join(ROOT, typeof entry === 'string' ? entry : entry.path)));
  const given = Object.entries(service.environment ?? {}).filter(([, value]) => value !== null);
  const own = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  return Object.assign({}, ...fromFiles, own) as Record<string, string>;
}

/** Services by name in the order in which their dependencies allow them to start. */
export function startOrder(services: Record<string, Pick<ComposeService, 'depends_on'>>): string[] {
  const order: string[] = [];
  const visit = (name: string, path: string[]): void => {
    if (order.includes(name)) return;
    if (path.includes(name)) throw new OperatorError(`Services wait for each other: ${[...path, name].join(' → ')}.`);
    const service = services[name];
    if (service === undefined)
      throw new OperatorError(`${path.at(-1) ?? 'A service'} depends on ${name}, which the file doesn't have.`);
    for (const needed of Object.keys(service.depends_on ?? {})) visit(needed, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}
