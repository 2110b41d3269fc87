import { FieldSchema } from '@stablecoin/contracts/wire/fields/field';

/** JSON Schema 2020-12, as far as the interface document needs it. */
export type JsonSchema = Omit<FieldSchema, 'oneOf' | 'anyOf'> & {
  $ref?: string;
  const?: unknown;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  /** The field by which clients tell the shapes of `oneOf` apart. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: boolean;
  default?: unknown;
};

/** The same schema, with null taken as well. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (takesNull(schema)) return schema;
  if (schema.anyOf && Object.keys(schema).length === 1) return { anyOf: [...schema.anyOf, { type: 'null' }] };
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

export const takesNull = ({ type, anyOf }: JsonSchema): boolean =>
  [type ?? []].flat().includes('null') || (anyOf?.some(takesNull) ?? false);
