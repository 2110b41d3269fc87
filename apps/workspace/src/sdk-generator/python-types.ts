// types.py: what is sent and answered, as TypedDicts and Literals, each after what it names.

import { GENERATED, INDENT, docstring, isPythonName, listed, pythonType, quoted } from './python-text';
import { pascalCase } from './identifiers';
import { SdkField, SdkModel, SdkType, TypeNode } from './sdk-model';

/** Choices beyond this many get a name, so that a signature can be read. */
const CHOICES_INLINE_MAX = 5;

/** The model with a name for each object and each long choice. */
export function namedThroughout(model: SdkModel): SdkModel {
  const namer = new Namer(model.types);
  const types = model.types.map((type) => ({ ...type, type: namer.withNames(type.name, type.type, true) }));
  return { ...model, types: [...types, ...namer.found.values()] };
}

class Namer {
  /** By the name. */
  readonly found = new Map<string, SdkType>();
  private readonly taken: ReadonlyMap<string, string>;

  constructor(types: readonly SdkType[]) {
    this.taken = new Map(types.map(({ name, type }) => [name, keyOf(type)]));
  }

  /** @param place the name of what it stands in, its field's after it */
  withNames(place: string, type: TypeNode, isNamed = false): TypeNode {
    switch (type.kind) {
      case 'literals':
        return isNamed || type.values.length <= CHOICES_INLINE_MAX ? type : this.named(place, type);
      case 'list':
        return { ...type, items: this.withNames(place, type.items) };
      case 'union':
        return { ...type, of: type.of.map((member) => this.withNames(place, member)) };
      case 'object': {
        const fields = type.fields.map((field) => ({
          ...field,
          type: this.withNames(`${place}.${field.name}`, field.type),
        }));
        const whole: TypeNode = { kind: 'object', fields };
        return isNamed || fields.length === 0 ? whole : this.named(place, whole);
      }
      case 'text':
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
      case 'constant':
      case 'unknown':
      case 'named':
        return type;
    }
  }

  /** Choices after their field where its name says enough, else after field and owner. */
  private named(place: string, type: TypeNode): TypeNode {
    const field = place.slice(place.lastIndexOf('.') + 1);
    const saysEnough = type.kind === 'literals' && field.includes('_');
    const owned = pascalCase(place.replace(/(List)?Params\./, '.'));
    const candidates = [...(saysEnough ? [pascalCase(field)] : []), owned, pascalCase(place)];
    const name = candidates.find((candidate) => this.isFree(candidate, type));
    if (name === undefined) throw new Error(`${place} has a type that no name is free for`);
    this.found.set(name, { name, type });
    return { kind: 'named', name };
  }

  private isFree(name: string, type: TypeNode): boolean {
    const holder = this.taken.get(name) ?? keyOf(this.found.get(name)?.type ?? type);
    return holder === keyOf(type);
  }
}

const keyOf = (type: TypeNode): string => JSON.stringify(type);

export function pythonTypes(model: SdkModel): string {
  const { resources } = model;
  // Query parameters are arguments, and no type.
  const queries = new Set(resources.flatMap(({ methods }) => methods.map(({ query }) => query?.typeName)));
  const types = model.types.filter(({ name }) => !queries.has(name));
  const byName = new Map(types.map((type) => [type.name, type]));
  const answered = reachable(
    resources.flatMap(({ methods }) => methods.flatMap(({ answer }) => typesOfAnswer(answer))),
    byName,
  );
  const written = inOrderOfUse(types, byName).map((type) => declaration(type, answered.has(type.name)));
  const names = types.map(({ name }) => quoted(name)).sort();
  return [
    GENERATED,
    '"""What is sent and answered. A success\'s ``data`` is handed back as it came: a dict with these keys."""\n',
    'from typing import Literal, NotRequired, TypeAlias, TypedDict\n',
    'from ._wire import Amount\n',
    `${listed('__all__ = [', names, ']')}\n`,
    ...written,
  ].join('\n');
}

function typesOfAnswer(answer: SdkModel['resources'][number]['methods'][number]['answer']): TypeNode[] {
  if (answer.kind === 'nothing') return [];
  return [answer.kind === 'page' ? answer.item : answer.type];
}

function reachable(from: readonly TypeNode[], byName: ReadonlyMap<string, SdkType>): Set<string> {
  const seen = new Set<string>();
  const visit = (type: TypeNode): void => {
    for (const name of namesIn(type)) {
      const found = byName.get(name);
      if (found === undefined || seen.has(name)) continue;
      seen.add(name);
      visit(found.type);
    }
  };
  from.forEach(visit);
  return seen;
}

export function namesIn(type: TypeNode): string[] {
  switch (type.kind) {
    case 'named':
      return [type.name];
    case 'list':
      return namesIn(type.items);
    case 'union':
      return type.of.flatMap(namesIn);
    case 'object':
      return type.fields.flatMap((field) => namesIn(field.type));
    case 'text':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
    case 'constant':
    case 'unknown':
    case 'literals':
      return [];
  }
}

/** Python reads from above: a type stands after those that it names. */
function inOrderOfUse(types: readonly SdkType[], byName: ReadonlyMap<string, SdkType>): SdkType[] {
  const placed = new Set<SdkType>();
  const place = (type: SdkType, within: readonly string[]): void => {
    if (placed.has(type)) return;
    if (within.includes(type.name)) throw new Error(`${type.name} is made of itself`);
    for (const name of namesIn(type.type)) {
      const found = byName.get(name);
      if (found !== undefined) place(found, [...within, type.name]);
    }
    placed.add(type);
  };
  for (const type of types) place(type, []);
  return [...placed];
}

function declaration({ name, type, description }: SdkType, isAnswered: boolean): string {
  if (type.kind === 'object') return typedDict(name, type.fields, description, isAnswered);
  const comment = description === undefined ? '' : docstring([description], '');
  if (type.kind === 'literals')
    return `\n${listed(`${name}: TypeAlias = Literal[`, type.values.map(quoted), ']')}\n${comment}`;
  const written = type.kind === 'union' ? type.of.map((member) => pythonType(member, ANSWERED)) : [];
  const line = `${name}: TypeAlias = ${written.join(' | ')}`;
  const lines = line.length <= 120 ? line : `${name}: TypeAlias = (\n${INDENT}${written.join(`\n${INDENT}| `)}\n)`;
  return `\n${lines}\n${comment}`;
}

const ANSWERED = { list: 'list', text: 'str' };
const SENT_AMOUNT = { list: 'list', text: 'Amount' };

function typedDict(name: string, fields: readonly SdkField[], description: string | undefined, isAnswered: boolean) {
  if (!fields.every((field) => isPythonName(field.name))) throw new Error(`${name} has a field that Python reserves`);
  const written = fields.map((field) => {
    const type = pythonType(field.type, field.takesAmount === true && !isAnswered ? SENT_AMOUNT : ANSWERED);
    const whole = field.required ? type : `NotRequired[${type}]`;
    const about = field.description === undefined ? '' : docstring([field.description], INDENT);
    return `${INDENT}${field.name}: ${whole}\n${about}`;
  });
  const about = description === undefined ? '' : `${docstring([description], INDENT)}\n`;
  return `\nclass ${name}(TypedDict):\n${about}${written.join('') || `${INDENT}pass\n`}`;
}
