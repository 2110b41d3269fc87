import { Type } from 'class-transformer';
import { ArrayMaxSize, ValidateNested } from 'class-validator';
import { all, field } from './field';

/** An object of its own class. An array is refused, which class-validator's ValidateNested would let pass. */
export function IsNested(type: () => new () => object): PropertyDecorator {
  return all(
    field({
      name: 'isObject',
      code: 'invalid_object',
      message: 'must be an object',
      schema: { type: 'object' },
      nested: type,
      check: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    }),
    ValidateNested(),
    Type(type),
  );
}

/** A list of at most `max` objects of one class. */
export function IsNestedList(type: () => new () => object, max: number): PropertyDecorator {
  return all(
    field({
      name: 'isList',
      code: 'invalid_list',
      message: `must be a list of at most ${max} objects`,
      schema: { type: 'array', maxItems: max },
      nested: type,
      check: (value) =>
        Array.isArray(value) &&
        value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)),
    }),
    ArrayMaxSize(max),
    ValidateNested({ each: true }),
    Type(type),
  );
}
