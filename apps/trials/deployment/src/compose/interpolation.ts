// Replaces the variables of a compose file like compose: $NAME, ${NAME}, ${NAME:-otherwise}, ${NAME-otherwise},
// ${NAME:?complaint}, ${NAME?complaint}, ${NAME:+instead}, ${NAME+instead}, and $$ for a dollar sign. With a colon, an
// empty variable counts as not set; the text after the sign may contain variables again.

import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { OperatorError } from '@stablecoin/command-line/operator-error';

export type Variables = Record<string, string | undefined>;

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

/** Every string of a parsed file with its variables replaced; keys stay as they are. */
export function interpolated(value: unknown, variables: Variables, path: string[] = []): unknown {
  if (typeof value === 'string') return replaced(value, variables, path.join('.'));
  if (Array.isArray(value))
    return value.map((item: unknown, index) => interpolated(item, variables, [...path, `${index}`]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolated(item, variables, [...path, key])]),
  );
}

/** A text with its variables replaced; `where` names it in complaints. */
export function replaced(text: string, variables: Variables, where = 'text'): string {
  let result = '';
  let position = 0;
  while (position < text.length) {
    const dollar = text.indexOf('$', position);
    if (dollar < 0) return result + text.slice(position);
    const { value, end } = variableAt(text, dollar, { variables, where });
    result += text.slice(position, dollar) + value;
    position = end;
  }
  return result;
}

interface Scope {
  variables: Variables;
  where: string;
}

/** The value of the variable whose $ is at `dollar`, and the end of the variable in the text. */
function variableAt(text: string, dollar: number, scope: Scope): { value: string; end: number } {
  const next = text[dollar + 1];
  if (next === '$') return { value: '$', end: dollar + 2 };
  if (next === '{') return braced(text, dollar, scope);
  const name = nameAt(text, dollar + 1, scope.where);
  return { value: scope.variables[name] ?? '', end: dollar + 1 + name.length };
}

function braced(text: string, dollar: number, scope: Scope): { value: string; end: number } {
  const name = nameAt(text, dollar + 2, scope.where);
  const end = closingBrace(text, dollar, scope.where);
  const [, sign, rest = ''] = /^(:?[-?+])?([^]*)$/.exec(text.slice(dollar + 2 + name.length, end)) ?? [];
  if (sign === undefined && rest !== '')
    throw new OperatorError(`${scope.where}: ${text.slice(dollar, end + 1)} is no variable that compose knows.`);
  return { value: substituted({ name, sign: sign ?? '', rest }, scope), end: end + 1 };
}

function substituted(variable: { name: string; sign: string; rest: string }, { variables, where }: Scope): string {
  const { name, sign, rest } = variable;
  const value = variables[name];
  const isGiven = value !== undefined && !(sign.startsWith(':') && value === '');
  const alternative = () => replaced(rest, variables, where);
  if (sign.endsWith('-')) return isGiven ? value : alternative();
  if (sign.endsWith('+')) return isGiven ? alternative() : '';
  if (sign.endsWith('?') && !isGiven)
    throw new OperatorError(`${where}: required variable ${name} is missing a value: ${alternative()}`);
  return value ?? '';
}

function nameAt(text: string, position: number, where: string): string {
  const name = NAME.exec(text.slice(position))?.[0];
  if (name === undefined)
    throw new OperatorError(`${where}: "${text}" has a $ that begins no variable; a dollar sign is $$.`);
  return name;
}

function closingBrace(text: string, dollar: number, where: string): number {
  let depth = 0;
  for (let index = dollar; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}') depth -= 1;
    if (text[index] === '}' && depth === 0) return index;
  }
  throw new OperatorError(`${where}: "${text}" has a \${ that isn't closed.`);
}

/** NAME=value lines, as in .env and env_file; none for a file that doesn't exist. */
export const readEnvFile = (file: string): Variables => (existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {});
