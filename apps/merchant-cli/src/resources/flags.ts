/**
 * The flags of a method's query or body, made of its type: `--amount`, `--registered-address.city`, `--events a,b`. What a flag
 * can't say, such as a list of objects, is said by `--data`.
 */

import { INPUT_TYPES, InputField, InputType } from 'stablecoin-sdk/operations';
import { UsageError } from '../failures';

export interface Flag {
  /** Without its dashes. */
  name: string;
  /** Leads to the field in the body. */
  path: readonly string[];
  kind: 'text' | 'integer' | 'number' | 'boolean';
  isList: boolean;
  required: boolean;
  choices: readonly string[];
  description: string;
}

const DEPTH_MAX = 3;
const CHOICES_SHOWN_MAX = 16;

export function flagsOf(typeName: string): Flag[] {
  return flagsOfFields(fieldsOf({ kind: 'named', name: typeName }), [], true);
}

/** Fields that only --data can give. */
export function fieldsWithoutFlag(typeName: string): InputField[] {
  const flagged = new Set(flagsOf(typeName).map(({ path }) => path[0]));
  const isGiven = ({ name, type }: InputField) => !flagged.has(name) && !['null', 'unknown'].includes(type.kind);
  return fieldsOf({ kind: 'named', name: typeName }).filter(isGiven);
}

export function requiredFields(typeName: string): string[] {
  return fieldsOf({ kind: 'named', name: typeName })
    .filter(({ required }) => required)
    .map(({ name }) => name);
}

export const flagName = (path: readonly string[]): string => path.map((name) => name.replaceAll('_', '-')).join('.');

/** What a person reads about a flag. */
export function flagHelp({ description, required, choices, isList }: Flag): string {
  const shown = choices.slice(0, CHOICES_SHOWN_MAX).join(', ');
  const more = choices.length > CHOICES_SHOWN_MAX ? ', …' : '';
  return [
    ...(required ? ['(required)'] : []),
    description,
    // Of a choice in any case, the description has them.
    ...(choices.length > 0 && !description.includes('One of') ? [`One of: ${shown}${more}`] : []),
    ...(isList ? ['May be repeated.'] : []),
  ].join(' ');
}

/** The value as the body has it. @throws UsageError */
export function valueOf(flag: Flag, texts: readonly string[]): unknown {
  const values = texts.map((text) => scalarOf(flag, text));
  if (!flag.isList) return values[values.length - 1];
  return flag.choices.length === 0 ? values : values.flatMap((value) => String(value).split(','));
}

function scalarOf({ kind, name }: Flag, text: string): string | number | boolean {
  switch (kind) {
    case 'text':
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new UsageError(`--${name} is true or false, not "${text}".`);
    case 'integer':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw new UsageError(`--${name} takes a whole number, not "${text}".`);
    case 'number':
      if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
      throw new UsageError(`--${name} takes a number, not "${text}".`);
  }
}

function flagsOfFields(fields: readonly InputField[], above: readonly string[], aboveRequired: boolean): Flag[] {
  return fields.flatMap((field) => {
    const path = [...above, field.name];
    const required = aboveRequired && field.required;
    const type = withoutNull(field.type);
    const inner = path.length < DEPTH_MAX ? fieldsOf(type) : [];
    if (inner.length > 0) return flagsOfFields(inner, path, required);
    return flagOf(field, type, path, required);
  });
}

function flagOf({ description = '' }: InputField, type: InputType, path: string[], required: boolean): Flag[] {
  const isList = type.kind === 'list';
  const scalar = isList ? withoutNull(type.items) : type;
  const about = { name: flagName(path), path, isList, required, description };
  switch (scalar.kind) {
    case 'text':
    case 'integer':
    case 'number':
    case 'boolean':
      return [{ ...about, kind: scalar.kind, choices: [] }];
    case 'literals':
      return [{ ...about, kind: 'text', choices: scalar.values }];
    case 'null':
    case 'unknown':
    case 'list':
    case 'union':
    case 'named':
    case 'object':
      return [];
  }
}

function fieldsOf(type: InputType): readonly InputField[] {
  const named = type.kind === 'named' ? INPUT_TYPES[type.name] : type;
  return named?.kind === 'object' ? named.fields : [];
}

/** The one type beside null; a named choice as the choice itself. */
function withoutNull(type: InputType): InputType {
  if (type.kind === 'named') {
    const named = INPUT_TYPES[type.name];
    return named === undefined || named.kind === 'object' ? type : withoutNull(named);
  }
  if (type.kind !== 'union') return type;
  const [only, ...others] = type.of.filter(({ kind }) => kind !== 'null');
  return only !== undefined && others.length === 0 ? withoutNull(only) : type;
}
