import { FieldContext } from '@stablecoin/contracts/wire/fields/field';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { getMetadataStorage } from 'class-validator';
import { FIELD_CODE_TABLE } from '../errors/field-code-table';
import { JsonSchema, orNull, takesNull } from '@stablecoin/http-answers/json-schema';

export interface ClassField {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type RefOf = (type: RequestClass<object>) => string;

const CONDITIONAL = 'conditionalValidation';

/** The schema of a request class, from the rules on its fields; `refOf` names the schemas of the classes inside it. */
export function classSchema(type: RequestClass<object>, refOf: RefOf): JsonSchema {
  const fields = fieldsOf(type, refOf);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export function fieldsOf(type: RequestClass<object>, refOf: RefOf): ClassField[] {
  const storage = getMetadataStorage();
  const byField = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  const defaults = new type() as Record<string, unknown>;
  return Object.entries(byField).map(([name, rules]) => fieldOf(name, rules, defaults[name], refOf));
}

function fieldOf(name: string, rules: Metadata[], fallback: unknown, refOf: RefOf): ClassField {
  const contexts = rules.flatMap(({ context }) => (context ? [context as FieldContext] : []));
  for (const { code } of contexts) requireExplained(name, code);
  const conditions = rules.filter(({ type }) => type === CONDITIONAL);
  const isIgnored = contexts.length === 0;
  const isNullable = conditions.some((rule) => rule.name === 'isOptional');
  const schema = isIgnored ? { description: 'Taken and left alone' } : contexts.reduce(merged(refOf), {});
  return {
    name,
    schema: { ...(isNullable ? orNull(schema) : schema), ...(fallback !== undefined && { default: fallback }) },
    required: !isIgnored && conditions.length === 0 && fallback === undefined && !takesNull(schema),
  };
}

function requireExplained(field: string, code: string): void {
  if (Object.hasOwn(FIELD_CODE_TABLE, code)) return;
  throw new Error(
    `${code}, which the rules of ${field} can give, has no explanation: enter it in errors/field-code-table.ts`,
  );
}

const merged =
  (refOf: RefOf) =>
  (schema: JsonSchema, { schema: own, nested, alternatives }: FieldContext): JsonSchema => {
    if (alternatives) return { ...schema, anyOf: alternatives().map((type) => ({ $ref: refOf(type) })) };
    if (!nested) return { ...schema, ...own };
    const inner: JsonSchema = { $ref: refOf(nested()) };
    return own.type === 'array' ? { ...schema, ...own, items: inner } : { ...schema, ...inner };
  };
