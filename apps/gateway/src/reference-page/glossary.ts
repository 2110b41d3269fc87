import { JsonSchema } from '@stablecoin/http-answers/json-schema';
import { ClassField } from './class-schema';
import { GLOSSARY } from './glossary.table';

/**
 * Gives every field of the interface document its description and an example. A name means the same in every schema, so
 * it is explained once, in glossary.table.ts; where a schema gives it another meaning, that is explained under
 * `Schema.name`.
 */

const EXAMPLES_OF_FORMATS: Readonly<Record<string, string>> = {
  uuid: '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00.000Z',
};

/** The schema, with every field inside explained. */
export function explained(schema: JsonSchema, name: string): JsonSchema {
  const inner = (nested: JsonSchema) => explained(nested, name);
  return {
    ...schema,
    ...(schema.properties && { properties: explainedProperties(schema.properties, name) }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
  };
}

export function explainedFields(schemaName: string, fields: readonly ClassField[]): ClassField[] {
  return fields.map((field) => ({ ...field, schema: explainedField(schemaName, field.name, field.schema) }));
}

function explainedProperties(properties: Record<string, JsonSchema>, schemaName: string): Record<string, JsonSchema> {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    explainedField(schemaName, name, explained(schema, schemaName)),
  ]);
  return Object.fromEntries(entries) as Record<string, JsonSchema>;
}

function explainedField(schemaName: string, name: string, schema: JsonSchema): JsonSchema {
  const [says, ownExample] =
    GLOSSARY[`${schemaName}.${name}`] ?? GLOSSARY[`${familyOf(schemaName)}.${name}`] ?? GLOSSARY[name] ?? [];
  const description = [says, schema.description].filter(Boolean).join(' ');
  const example = isChosen(schema) ? undefined : (ownExample ?? EXAMPLES_OF_FORMATS[schema.format ?? '']);
  return {
    ...schema,
    ...(description && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Every type of event has a schema of its own; their fields mean the same. */
const familyOf = (schemaName: string): string => schemaName.replace(/^[A-Z]\w+Event(WithDeliveries)?$/, 'Event');

/** A closed set, or null alone, is its own example; a field that refers to another schema has its example there. */
function isChosen({ type, enum: values, const: constant, $ref, anyOf }: JsonSchema): boolean {
  const isReference = $ref !== undefined || (anyOf?.some((shape) => shape.$ref) ?? false);
  return values !== undefined || type === 'null' || constant !== undefined || isReference;
}
