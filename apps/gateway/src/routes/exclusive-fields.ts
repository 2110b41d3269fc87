import { field } from '@stablecoin/contracts/wire/fields/field';
import { ValidateIf } from 'class-validator';

const CODE = 'conflicting_fields';

/** Another name of the field `other`: the two can't be sent together. */
export function IsExclusiveWith(other: string): PropertyDecorator {
  return field({
    name: 'isExclusiveWith',
    code: CODE,
    message: `must not be sent together with ${other}`,
    schema: {},
    check: (_value, args) => ((args.object as Record<string, unknown>)[other] ?? undefined) === undefined,
  });
}

/** One of two names must be there: this one may be absent only where `other` is sent. */
export function RequiredWithout(other: string): PropertyDecorator {
  const isSent = (value: unknown) => (value ?? undefined) !== undefined;
  return ValidateIf((object: Record<string, unknown>, value) => isSent(value) || !isSent(object[other]));
}

/** An object whose fields may also be sent beside it, but not the same one twice. */
export function IsNotRepeatedBeside(): PropertyDecorator {
  return field({
    name: 'isNotRepeatedBeside',
    code: CODE,
    message: 'must not hold a field that is also sent beside it',
    schema: {},
    check: (value, args) => {
      // A text would be read as an object of its characters.
      if (typeof value !== 'object') return true;
      const beside = args.object as Record<string, unknown>;
      return Object.entries(value ?? {}).every(([name, inner]) => inner === undefined || beside[name] === undefined);
    },
  });
}
