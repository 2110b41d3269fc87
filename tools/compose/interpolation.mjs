// The variables of a compose file, as compose replaces them: $NAME, ${NAME}, ${NAME:-otherwise}, ${NAME-otherwise},
// ${NAME:?complaint}, ${NAME?complaint}, ${NAME:+instead}, ${NAME+instead}, and $$ for a dollar sign. With a colon an empty
// variable counts as one that isn't set; what stands after the sign may hold variables again.

import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Refusal } from '../stack/terminal.mjs';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*/;

/** Every string of a parsed file with its variables replaced; keys stay as they are. */
export function interpolated(value, variables, path = []) {
  if (typeof value === 'string') return replaced(value, variables, path.join('.'));
  if (Array.isArray(value)) return value.map((item, index) => interpolated(item, variables, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, interpolated(item, variables, [...path, key])]),
  );
}

export function replaced(text, variables, where = 'text') {
  let result = '';
  for (let at = 0; at < text.length;) {
    if (text[at] !== '$') result += text[at++];
    else if (text[at + 1] === '$') [result, at] = [`${result}$`, at + 2];
    else {
      const { value, end } =
        text[at + 1] === '{' ? braced(text, at, variables, where) : bare(text, at, variables, where);
      [result, at] = [result + value, end];
    }
  }
  return result;
}

function bare(text, at, variables, where) {
  const name = nameAt(text, at + 1, where);
  return { value: variables[name] ?? '', end: at + 1 + name.length };
}

function braced(text, at, variables, where) {
  const name = nameAt(text, at + 2, where);
  const end = closingBrace(text, at, where);
  const [, sign, rest] = /^(:?[-?+])?([^]*)$/.exec(text.slice(at + 2 + name.length, end));
  if (sign === undefined && rest !== '')
    throw new Refusal(`${where}: ${text.slice(at, end + 1)} is no variable that compose knows.`);
  return { value: substituted({ name, sign, rest, variables, where }), end: end + 1 };
}

function substituted({ name, sign = '', rest, variables, where }) {
  const value = variables[name];
  const given = value !== undefined && !(sign.startsWith(':') && value === '');
  const alternative = () => replaced(rest, variables, where);
  if (sign.endsWith('-')) return given ? value : alternative();
  if (sign.endsWith('+')) return given ? alternative() : '';
  if (sign.endsWith('?') && !given)
    throw new Refusal(`${where}: required variable ${name} is missing a value: ${alternative()}`);
  return value ?? '';
}

function nameAt(text, at, where) {
  const name = NAME.exec(text.slice(at))?.[0];
  if (name === undefined)
    throw new Refusal(`${where}: "${text}" has a $ that begins no variable; a dollar sign is $$.`);
  return name;
}

function closingBrace(text, at, where) {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    if (text.startsWith('${', index)) depth += 1;
    if (text[index] === '}' && (depth -= 1) === 0) return index;
  }
  throw new Refusal(`${where}: "${text}" has a \${ that isn't closed.`);
}

/** NAME=value lines, as in .env and env_file; what isn't there gives nothing. */
export const readEnvFile = (file) => (existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {});
