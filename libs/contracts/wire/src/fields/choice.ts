import { field, FieldSchema } from './field';

/** One of a closed set, in exact case; `schema` where further values are accepted and read as one of the set. */
export function IsOneOf(
  values: readonly string[],
  code = 'invalid_choice',
  schema: FieldSchema = { type: 'string', enum: values },
): PropertyDecorator {
  return field({
    name: 'isOneOf',
    code,
    message: values.length <= 30 ? `must be one of ${values.join(', ')}` : 'must be one of the documented values',
    schema,
    check: (value) => typeof value === 'string' && values.includes(value),
  });
}

/** A list of some of a closed set: at least one, each once. */
export function IsSomeOf(values: readonly string[], code = 'invalid_choice'): PropertyDecorator {
  return field({
    name: 'isSomeOf',
    code,
    message: `must be a list of some of ${values.join(', ')}, each once`,
    schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1, uniqueItems: true },
    check: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((item) => values.includes(item as string)) &&
      new Set(value).size === value.length,
  });
}

export function IsTrueOrFalse(): PropertyDecorator {
  return field({
    name: 'isTrueOrFalse',
    code: 'invalid_boolean',
    message: 'must be true or false',
    schema: { type: 'boolean' },
    check: (value) => typeof value === 'boolean',
  });
}

export function IsNumberBetween(minimum: number, maximum: number): PropertyDecorator {
  return field({
    name: 'isNumberBetween',
    code: 'invalid_number',
    message: `must be a number from ${minimum} to ${maximum}`,
    schema: { type: 'number', minimum, maximum },
    check: (value) => typeof value === 'number' && value >= minimum && value <= maximum,
  });
}

/** A whole number in messages between services: a shard, a part, a count. */
export function IsWholeNumberBetween(minimum: number, maximum: number): PropertyDecorator {
  return field({
    name: 'isWholeNumberBetween',
    code: 'invalid_number',
    message: `must be a whole number from ${minimum} to ${maximum}`,
    schema: { type: 'integer', minimum, maximum },
    check: (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  });
}
