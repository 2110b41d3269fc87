// A query or a body, put together of --data and of flags; a flag goes before the same field of the data.

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { UsageError } from '../failures';
import type { Terminal } from '../output/terminal';
import { Flag, flagName, requiredFields, valueOf } from './flags';

type Fields = Record<string, unknown>;

/** What was given for each flag, by its name. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

export async function paramsOf(
  terminal: Terminal,
  { typeName, flags, given, data }: { typeName: string; flags: readonly Flag[]; given: GivenFlags; data?: string },
): Promise<Fields> {
  const params = data === undefined ? {} : objectIn(await dataText(terminal, data));
  for (const flag of flags) {
    const texts = given.get(flag.name);
    if (texts !== undefined) setAt(params, flag, valueOf(flag, texts));
  }
  const missing = requiredFields(typeName).filter((name) => params[name] === undefined);
  if (missing.length > 0) throw new UsageError(missing.map((name) => wayToGive(name, flags)).join('\n'));
  return params;
}

function wayToGive(field: string, flags: readonly Flag[]): string {
  const own = flags.filter(({ path, required }) => path[0] === field && required);
  if (own.length === 0) return `${field} is required: give it in --data.`;
  const names = own.map(({ path }) => `--${flagName(path)}`);
  return names.length === 1
    ? `${names.join('')} is required, or "${field}" in --data.`
    : `${names.join(', ')} are required, or "${field}" in --data.`;
}

/** The text itself, that of a file (`@customer.json`), or that of stdin (`-`). */
async function dataText({ stdin }: Terminal, data: string): Promise<string> {
  if (data === '-') return text(stdin);
  if (!data.startsWith('@')) return data;
  try {
    return readFileSync(data.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(`--data: ${(error as Error).message}`);
  }
}

function objectIn(json: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new UsageError(`--data is no JSON. Take a file (--data @body.json), or quote it: --data '{"amount":"10"}'.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new UsageError('--data is a JSON object.');
}

function setAt(params: Fields, { path, name }: Flag, value: unknown): void {
  const [last = '', ...above] = [...path].reverse();
  let holder = params;
  for (const key of above.reverse()) {
    holder[key] ??= {};
    const inner = holder[key];
    if (typeof inner !== 'object' || Array.isArray(inner)) throw new UsageError(`--data has no object for --${name}.`);
    holder = inner as Fields;
  }
  holder[last] = value;
}
