import { nameOf, type Schema } from '../interface/interface-document';

type Schemas = Readonly<Record<string, Schema>>;

const DEPTH_MAX = 8;

/**
 * A value that the schema describes, made of the examples in it: what an answer looks like.
 *
 * @param says what the document says of the answer: of several choices, the one that is named there is shown
 */
export function exampleOf(schema: Schema, schemas: Schemas, says = '', depth = 0): unknown {
  if (depth > DEPTH_MAX) return null;
  const inner = (of: Schema) => exampleOf(of, schemas, says, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return choiceOf(schema.enum, says) ?? schema.examples?.[0] ?? schema.enum[0];
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.$ref !== undefined) return inner(schemas[nameOf(schema.$ref)] ?? {});
  const [variant] = schema.oneOf ?? schema.anyOf ?? [];
  if (variant !== undefined) return inner(variant);
  if (schema.properties !== undefined)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, of]) => [name, inner(of)]));
  if (schema.items !== undefined) return [inner(schema.items)];
  return plainOf(schema);
}

function plainOf({ type, minimum = 1 }: Schema): unknown {
  switch ([type].flat()[0]) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return minimum;
    case 'object':
      return {};
    case 'array':
      return [];
    case 'null':
    case undefined:
      return null;
    default:
      return '…';
  }
}

const choiceOf = (options: readonly unknown[], says: string): unknown =>
  options.find((option) => new RegExp(`\\b${String(option)}\\b`).test(says));
