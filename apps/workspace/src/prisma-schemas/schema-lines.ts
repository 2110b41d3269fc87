import { type Field, getSchema, type Model, type RelationArray } from '@mrleebo/prisma-ast';

type Attribute = Exclude<
  Model['properties'][number] | NonNullable<Field['attributes']>[number],
  { type: 'field' | 'comment' | 'break' }
>;

/** A table in lines that both sides can express: `wallets.id: uuid not null`, `wallets: primary key (id)`. */
export type TableLines = string[];

const TYPES: Partial<Record<string, string>> = {
  String: 'text',
  Int: 'integer',
  BigInt: 'bigint',
  Boolean: 'boolean',
  Bytes: 'bytea',
  DateTime: 'timestamp(3) without time zone',
  Decimal: 'numeric(65,30)',
  Json: 'jsonb',
};
/** The types of `@db.…`, by the name that Prisma gives them; `$` stands for the arguments. */
const NATIVE_TYPES: Partial<Record<string, string>> = {
  Uuid: 'uuid',
  Date: 'date',
  SmallInt: 'smallint',
  Decimal: 'numeric($)',
  Timestamptz: 'timestamp($) with time zone',
};

/** The tables of a schema.prisma: columns with their types, primary keys, named indexes. */
export function linesOfSchema(source: string): TableLines {
  const models = getSchema(source).list.filter((block) => block.type === 'model');
  const names = new Set(models.map(({ name }) => name));
  return models.flatMap((model) => linesOfModel(model, names)).sort();
}

function linesOfModel(model: Model, models: ReadonlySet<string>): TableLines {
  const table = mapOf(attributesOf(model)) ?? model.name;
  const fields = model.properties.filter((property) => property.type === 'field');
  const columns = fields.filter(({ fieldType }) => typeof fieldType !== 'string' || !models.has(fieldType));
  const columnOf = new Map(columns.map((field) => [field.name, mapOf(field.attributes ?? []) ?? field.name]));
  const named = (name: string) => columnOf.get(name) ?? name;
  return [
    ...columns.map((field) => `${table}.${named(field.name)}: ${typeOf(field)}`),
    ...columns.flatMap((field) =>
      (field.attributes ?? []).flatMap((attribute) => keyLine(table, attribute, named(field.name))),
    ),
    ...attributesOf(model)
      .filter(({ name }) => name !== 'map')
      .flatMap((attribute) => keyLine(table, attribute, fieldNames(attribute).map(named).join(', '))),
  ];
}

function typeOf({ fieldType, array = false, optional = false, attributes = [] }: Field): string {
  const type = typeof fieldType === 'string' ? nativeTypeOf(fieldType, attributes) : unquoted(fieldType.params?.[0]);
  return `${type}${array ? '[]' : ''}${optional || array ? '' : ' not null'}`;
}

function nativeTypeOf(type: string, attributes: Attribute[]): string {
  const native = attributes.find(({ group }) => group === 'db');
  const text = native ? NATIVE_TYPES[native.name] : TYPES[type];
  if (text === undefined) throw new Error(`${native?.name ?? type}: what is it in Postgres?`);
  return text.replace('$', (native?.args ?? []).map(({ value }) => unquoted(value)).join(','));
}

function keyLine(table: string, attribute: Attribute, columns: string): string[] {
  if (attribute.name === 'id') return [`${table}: primary key (${columns})`];
  if (attribute.name !== 'index' && attribute.name !== 'unique') return [];
  const unique = attribute.name === 'unique' ? 'unique ' : '';
  return [`${table}: ${unique}index ${namedArgument(attribute, 'map') ?? 'without a name'} (${columns})`];
}

const attributesOf = (model: Model) => model.properties.filter((property) => property.type === 'attribute');

const valuesOf = ({ args = [] }: Attribute) => args.map(({ value }) => value);

/** The name in `@map("name")`. */
function mapOf(attributes: Attribute[]): string | undefined {
  const map = attributes.find(({ name }) => name === 'map');
  return map && unquoted(valuesOf(map)[0]);
}

/** The name in `@unique(map: "name")`. */
function namedArgument(attribute: Attribute, key: string): string | undefined {
  for (const value of valuesOf(attribute)) {
    if (typeof value === 'object' && 'key' in value && value.key === key) return unquoted(value.value);
  }
  return undefined;
}

/** The fields in `@@index([one, other(ops: …)])`. */
function fieldNames(attribute: Attribute): string[] {
  const list = valuesOf(attribute).find((value) => typeof value === 'object' && 'args' in value) as RelationArray;
  return (list.args as (string | { name: string })[]).map((item) => (typeof item === 'string' ? item : item.name));
}

const unquoted = (value: unknown) => String(value).replace(/^"(.*)"$/, '$1');
