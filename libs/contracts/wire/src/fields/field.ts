import 'reflect-metadata';
import { Transform } from 'class-transformer';
import { IsOptional, ValidateBy, ValidateIf, ValidationArguments } from 'class-validator';

/** The part of JSON Schema 2020-12 that our fields use; the gateway's OpenAPI document is read from it. */
export interface FieldSchema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: FieldSchema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  description?: string;
  examples?: readonly unknown[];
  oneOf?: readonly FieldSchema[];
  anyOf?: readonly FieldSchema[];
}

/** The data of a field decorator in class-validator's metadata: the code of its error, and its schema for OpenAPI. */
export interface FieldContext {
  code: string;
  schema: FieldSchema;
  /** The class of the object, or of the list's items. */
  nested?: () => new () => object;
  /** The classes of which the object is one. */
  alternatives?: () => (new () => object)[];
}

/** Defines a field rule: a name, the code and sentence of its error, its schema, and the check itself. */
export function field(rule: {
  name: string;
  code: string;
  message: string | ((args: ValidationArguments) => string);
  schema: FieldSchema;
  nested?: () => new () => object;
  alternatives?: () => (new () => object)[];
  check: (value: unknown, args: ValidationArguments) => boolean;
}): PropertyDecorator {
  const { code, schema, nested, alternatives } = rule;
  const context: FieldContext = { code, schema, nested, alternatives };
  return ValidateBy(
    {
      name: rule.name,
      validator: {
        validate: (value, args) => rule.check(value, args as ValidationArguments),
        defaultMessage: (args) =>
          typeof rule.message === 'string' ? rule.message : rule.message(args as ValidationArguments),
      },
    },
    { context },
  );
}

/** Applies `change` before validation, so that the checked value is the stored one. */
export function normalized(change: (value: unknown) => unknown): PropertyDecorator {
  return Transform(({ value }) => change(value));
}

export function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, key) => decorators.forEach((decorate) => decorate(target, key));
}

/** May be absent, and may be null: on create null is the same as absent, on update it clears the field. */
export function Optional(): PropertyDecorator {
  return IsOptional();
}

/** May be absent, but not null: in an update, a field that a record must have. */
export function IfPresent(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}
