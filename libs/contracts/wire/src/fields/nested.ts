import { Type } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import { all, field, FieldContext } from './field';

type NestedClass = new () => object;

function IsObject(classes: Pick<FieldContext, 'nested' | 'alternatives'>): PropertyDecorator {
  return field({
    name: 'isObject',
    code: 'invalid_object',
    message: 'must be an object',
    schema: { type: 'object' },
    ...classes,
    check: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  });
}

/** An object of its own class. An array is refused, which class-validator's ValidateNested would let pass. */
export function IsNested(type: () => NestedClass): PropertyDecorator {
  return all(IsObject({ nested: type }), ValidateNested(), Type(type));
}

/** An object of one of several classes: `choose` picks the class that checks it, by what arrived. */
export function IsNestedOneOf(types: () => NestedClass[], choose: (plain: object) => NestedClass): PropertyDecorator {
  return all(
    IsObject({ alternatives: types }),
    ValidateNested(),
    Type((options) => choose(Object(options?.object[options.property]) as object)),
  );
}

/** A list of at most `max` objects of one class. */
export function IsNestedList(type: () => NestedClass, max: number): PropertyDecorator {
  return all(
    field({
      name: 'isList',
      code: 'invalid_list',
      message: `must be a list of at most ${max} objects`,
      schema: { type: 'array', maxItems: max },
      nested: type,
      check: (value) =>
        Array.isArray(value) &&
        value.length <= max &&
        value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item)),
    }),
    ValidateNested({ each: true }),
    Type(type),
  );
}
