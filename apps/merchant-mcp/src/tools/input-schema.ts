// What a tool takes, made of the SDK's description of the interface. What it does not name is refused, so that the arguments which a
// person confirmed are all that there is.

import { INPUT_TYPES, InputField, InputType, OperationDescription } from 'stablecoin-sdk/operations';
import { z } from 'zod';

/** More rows than these tell a model nothing; the next page is a call away. */
export const ROWS_MAX = 50;
const ROWS_DEFAULT = 20;
/** Said by the server itself: a preview is a dry run, its confirmation is none. */
export const DRY_RUN = 'dry_run';

/** The fields of a method's query or body, without `dry_run`. */
export function fieldsOf({ params }: OperationDescription): readonly InputField[] {
  const type = params === undefined ? undefined : INPUT_TYPES[params.typeName];
  return type?.kind === 'object' ? type.fields.filter(({ name }) => name !== DRY_RUN) : [];
}

export function takesDryRun({ params }: OperationDescription): boolean {
  const type = params === undefined ? undefined : INPUT_TYPES[params.typeName];
  return type?.kind === 'object' && type.fields.some(({ name }) => name === DRY_RUN);
}

/** `walletId` as the tools call it, like every field: `wallet_id`. */
export const argumentName = (parameter: string): string =>
  parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export function inputSchemaOf(operation: OperationDescription): z.ZodObject {
  const ids = operation.pathParameters.map(({ name, description = '' }) => {
    return [argumentName(name), z.string().min(1).describe(description)] as const;
  });
  const fields = fieldsOf(operation).map((field) => [field.name, fieldSchema(field)] as const);
  const bounded =
    operation.answer === 'page'
      ? { limit: z.int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT).describe('How many rows at most.') }
      : {};
  return z.strictObject({ ...Object.fromEntries<z.ZodType>([...ids, ...fields]), ...bounded });
}

function fieldSchema({ type, required, description, example }: InputField): z.ZodType {
  const said = [description, example === undefined ? undefined : `Example: ${JSON.stringify(example)}`];
  const text = said.filter((each) => each !== undefined).join(' ');
  const schema = schemaOf(type);
  const described = text === '' ? schema : schema.describe(text);
  return required ? described : described.optional();
}

function schemaOf(type: InputType): z.ZodType {
  switch (type.kind) {
    case 'text':
      return z.string();
    case 'integer':
      return z.int();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'null':
      return z.null();
    case 'unknown':
      return z.unknown();
    case 'literals':
      return z.enum(type.values as [string, ...string[]]);
    case 'list':
      return z.array(schemaOf(type.items));
    case 'union':
      return z.union(type.of.map(schemaOf) as [z.ZodType, ...z.ZodType[]]);
    case 'named':
      return schemaOf(INPUT_TYPES[type.name] ?? { kind: 'unknown' });
    case 'object':
      return z.strictObject(Object.fromEntries(type.fields.map((field) => [field.name, fieldSchema(field)])));
  }
}
