import { all, field, normalized } from './field';

const WHOLE = /^[1-9]\d{0,8}$/;

/** From 1 on. Query strings arrive as text, requests on the bus as numbers: both are taken. */
export function IsWholeNumber(options: { maximum?: number; code: string }): PropertyDecorator {
  const maximum = options.maximum ?? 999_999_999;
  return all(
    normalized((value) => (typeof value === 'string' && WHOLE.test(value) ? Number(value) : value)),
    field({
      name: 'isWholeNumber',
      code: options.code,
      message: `must be a whole number from 1 to ${maximum}`,
      schema: { type: 'integer', minimum: 1, maximum },
      check: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maximum,
    }),
  );
}

export function IsPage(): PropertyDecorator {
  return IsWholeNumber({ code: 'invalid_page' });
}

export function IsLimit(): PropertyDecorator {
  return IsWholeNumber({ code: 'invalid_limit', maximum: 100 });
}

/** One page of a list, newest first, with the exact number of all rows. */
export interface Page<Item> {
  items: Item[];
  total: number;
  page: number;
  limit: number;
}
