// How Python is written down: names, types, docstrings and lines of a bearable length.

import { pascalCase, snakeCase } from './identifiers';
import { TypeNode } from './sdk-model';

const COLUMNS_MAX = 120;
export const INDENT = '    ';

export const GENERATED =
  '# Written by npm run docs (apps/workspace/src/sdk-generator/python-sdk.ts), from docs/openapi.json.';

/** Words that are no names in Python, as far as a field could be called so. */
const KEYWORDS = new Set([
  ...['and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except'],
  ...['finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is', 'lambda', 'not', 'or', 'pass', 'raise', 'return'],
  ...['try', 'while', 'with', 'yield'],
]);

export const isPythonName = (name: string): boolean => !KEYWORDS.has(name);

/** An argument or a method: `from` becomes `from_`. */
export function pythonName(name: string): string {
  const snake = snakeCase(name);
  return isPythonName(snake) ? snake : `${snake}_`;
}

export const pythonClass = (name: string): string => pascalCase(name);

/** A text as Python's source has it. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A call, a signature or a literal: on one line where it fits, else an item a line. */
export function listed(before: string, items: readonly string[], after: string, indent = ''): string {
  const line = `${indent}${before}${items.join(', ')}${after}`;
  if (line.length <= COLUMNS_MAX && !line.includes('\n')) return line;
  return [`${indent}${before}`, ...items.map((item) => `${indent}${INDENT}${item},`), `${indent}${after}`].join('\n');
}

/** A docstring of paragraphs; the lines of one that begins with a line feed stay as they are. */
export function docstring(paragraphs: readonly (string | undefined)[], indent: string): string {
  const given = paragraphs.filter((text): text is string => text !== undefined && text !== '');
  const [only] = given;
  if (only === undefined) return '';
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const oneLine = `${indent}"""${escaped(only)}"""`;
  if (given.length === 1 && oneLine.length <= COLUMNS_MAX && !only.endsWith('"')) return `${oneLine}\n`;
  const opened = [`"""${escaped(only)}`, ...given.slice(1).map(escaped)];
  const blocks = opened.map((text) =>
    text
      .split('\n')
      .flatMap((line) => wrapped(line, indent))
      .join('\n'),
  );
  return `${blocks.join('\n\n')}\n${indent}"""\n`;
}

/** At spaces; what follows a line's first one stands under its beginning. */
function wrapped(text: string, indent: string): string[] {
  const hanging = /^ +/.exec(text)?.[0] ?? '';
  const start = `${indent}${hanging}`;
  const further = hanging === '' ? start : `${start}${INDENT}`;
  const lines: string[] = [];
  let line = start;
  for (const word of text.trim().split(' ')) {
    const isFirst = line === start || line === further;
    if (!isFirst && line.length + 1 + word.length > COLUMNS_MAX) {
      lines.push(line);
      line = further;
    }
    line += line === start || line === further ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** How a type is written. */
export interface TypeWriter {
  list: string;
  /** In place of what a named type or a field's text is called. */
  text: string;
}

/** @throws Error for an object without a name */
export function pythonType(type: TypeNode, writer: TypeWriter): string {
  switch (type.kind) {
    case 'text':
      return writer.text;
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'constant':
      return type.value ? 'Literal[True]' : 'Literal[False]';
    case 'unknown':
      return 'object';
    case 'literals':
      return `Literal[${type.values.map(quoted).join(', ')}]`;
    case 'list':
      return `${writer.list}[${pythonType(type.items, { ...writer, text: 'str' })}]`;
    case 'union':
      return type.of.map((member) => pythonType(member, writer)).join(' | ');
    case 'named':
      return type.name;
    case 'object':
      if (type.fields.length === 0) return 'dict[str, object]';
      throw new Error('An object in a type needs a name of its own');
    default:
      return type satisfies never;
  }
}
