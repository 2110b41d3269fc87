import { docComment, GENERATED_HEAD } from './typescript-comments';
import { SdkField, SdkMethod, SdkModel, SdkType, TypeNode } from './sdk-model';

const EXAMPLE_LENGTH_MAX = 80;
/** A field that is null or left out may also be undefined: most callers have it so. */
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function typesFile(model: SdkModel): string {
  const methods = model.resources.flatMap((resource) => resource.methods);
  const bodies = new Set(
    methods.filter(hasDryRun).map(({ body }) => body?.mediaType === 'application/json' && body.typeName),
  );
  const types = model.types.map((type) => typeDeclaration(bodies.has(type.name) ? ofRealCalls(type) : type));
  return `${GENERATED_HEAD}
// A service that is newer than this package may answer with further fields, and with further values of a choice: keep a default
// where you branch on one.

${types.join('\n')}
${eventsByType(model)}`;
}

export const hasDryRun = ({ answer }: SdkMethod): boolean => answer.kind === 'value' && answer.dryRunType !== undefined;

/** A dry run has a signature of its own (typescript-sdk.ts): a body whose type says nothing of it gets the real answer. */
function ofRealCalls(body: SdkType): SdkType {
  if (body.type.kind !== 'object') return body;
  const type: TypeNode = { kind: 'union', of: [{ kind: 'constant', value: false }, { kind: 'null' }] };
  const fields = body.type.fields.map((field) => (field.name === 'dry_run' ? { ...field, type } : field));
  return { ...body, type: { kind: 'object', fields } };
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
    case 'constant':
      return String(type.value);
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
