import { all, field, normalized } from '@stablecoin/contracts/wire/fields/field';

const SIZE = /^[1-9]\d{0,14}$/;
const SIZE_MAX = 999_999_999_999_999;

/** The size of a checkpoint: a whole number, which in a query arrives as text. */
export function IsTreeSize(): PropertyDecorator {
  return all(
    normalized((value) => (typeof value === 'string' && SIZE.test(value) ? Number(value) : value)),
    field({
      name: 'isTreeSize',
      code: 'invalid_number',
      message: 'must be the size of a checkpoint',
      schema: { type: 'integer', minimum: 1, maximum: SIZE_MAX },
      check: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= SIZE_MAX,
    }),
  );
}
