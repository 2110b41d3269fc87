import type { OperationDescription } from 'stablecoin-sdk/operations';
import type { Flag } from './flags';
import { kebabCase } from './kebab-case';

/** A line that works once the ids in it are real. */
export function exampleOf(operation: OperationDescription, flags: readonly Flag[]): string {
  const { resource, method, pathParameters, file, params, answer } = operation;
  const words = [
    ...['stablecoin', kebabCase(resource), kebabCase(method)],
    ...pathParameters.map(({ name }) => name.toUpperCase().replace('ID', '_ID')),
    ...(file === undefined ? [] : ['passport.pdf']),
    ...(params?.example === undefined ? flagsNeeded(operation, flags) : flagsSaying(params.example, flags)),
    ...(answer === 'page' ? ['--limit', '5'] : []),
  ];
  return words.join(' ');
}

function flagsNeeded({ params }: OperationDescription, flags: readonly Flag[]): string[] {
  if (params?.required !== true) return [];
  return flags
    .filter(({ required }) => required)
    .flatMap(({ name, kind }) => [`--${name}`, kind === 'text' ? 'VALUE' : '1']);
}

/** The example body in flags, or as data where flags can't say it. */
function flagsSaying(example: unknown, flags: readonly Flag[]): string[] {
  const words = flags.flatMap((flag) => {
    const value = valueAt(example, flag.path);
    return value === undefined || value === null ? [] : [`--${flag.name}`, shellWord(wordOf(value))];
  });
  const said = new Set(flags.map(({ path }) => path[0]));
  const isWhole = Object.entries(example as object).every(([name, value]) => said.has(name) && value !== null);
  return isWhole ? words : ['--data', shellWord(JSON.stringify(example))];
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
