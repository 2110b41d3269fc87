import { docComment, GENERATED_HEAD } from './typescript-comments';
import { SdkField, SdkModel, SdkType, TypeNode } from './sdk-model';

const EXAMPLE_LENGTH_MAX = 80;
/** A field that is null or left out may also be undefined: most callers have it so. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function typesFile(model: SdkModel): string {
  const types = model.types.map(typeDeclaration);
  return `${GENERATED_HEAD}
// A service that is newer than this package may answer with further fields, and with further values of a choice: keep a default
// where you branch on one.

${types.join('\n')}
${eventsByType(model)}`;
}

function typeDeclaration({ name, description, type }: SdkType): string {
  const comment = docComment(description === undefined ? [] : [description]);
  if (type.kind !== 'object') return `${comment}export type ${name} = ${typeText(type)};\n`;
  return `${comment}export interface ${name} ${objectText(type.fields)}\n`;
}

/** `EventOf<'payout.completed'>` */
function eventsByType({ events }: SdkModel): string {
  const rows = events.map(({ type, typeName, summary }) => `${docComment([`${summary}.`])}'${type}': ${typeName};`);
  return `${docComment(['Every event by its type.'])}export interface EventByType {
${rows.join('\n')}
}
`;
}

/** A type as TypeScript writes it. */
export function typeText(type: TypeNode): string {
  switch (type.kind) {
    case 'text':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
    case 'unknown':
      return type.kind;
    case 'literals':
      return type.values.map((value) => `'${value}'`).join(' | ');
    case 'list':
      return listText(type.items);
    case 'union':
      return type.of.map(typeText).join(' | ');
    case 'named':
      return type.name;
    case 'object':
      return objectText(type.fields);
  }
}

function listText(items: TypeNode): string {
  const text = typeText(items);
  return items.kind === 'union' || items.kind === 'literals' ? `(${text})[]` : `${text}[]`;
}

function objectText(fields: readonly SdkField[]): string {
  return `{\n${fields.map(fieldText).join('\n')}\n}`;
}

function fieldText({ name, type, required, description, example }: SdkField): string {
  const key = IDENTIFIER.test(name) ? name : `'${name}'`;
  const comment = docComment([...(description === undefined ? [] : [description]), ...exampleLine(example)]);
  return `${comment}${key}${required ? '' : '?'}: ${typeText(type)};`;
}

function exampleLine(example: unknown): string[] {
  const text = example === undefined ? undefined : JSON.stringify(example);
  return text === undefined || text.length > EXAMPLE_LENGTH_MAX ? [] : [`@example ${text}`];
}

/** The named types that a type stands on. */
export function namesIn(type: TypeNode): string[] {
  if (type.kind === 'named') return [type.name];
  if (type.kind === 'list') return namesIn(type.items);
  if (type.kind === 'union') return type.of.flatMap(namesIn);
  return type.kind === 'object' ? type.fields.flatMap((field) => namesIn(field.type)) : [];
}
