import { AMOUNT_PATTERN, amountFromJsonNumber } from '@stablecoin/money/amount';
import { all, field, normalized } from './field';

const isPositive = (text: string) => /[1-9]/.test(text);

export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && AMOUNT_PATTERN.test(value) && isPositive(value);
}

/** A positive decimal string, up to 18 digits before the point and 8 after; never trimmed, never a number. */
export function IsAmount(): PropertyDecorator {
  return field({
    name: 'isAmount',
    code: 'invalid_amount',
    message: 'must be a positive decimal string with at most 18 digits before and 8 after the point',
    schema: { type: 'string', pattern: AMOUNT_PATTERN.source, examples: ['10.50'] },
    check: isAmount,
  });
}

/** Where the interface says number: such a string, or a JSON number of at most 15 significant digits and 8 decimals. */
export function IsAmountOrNumber(): PropertyDecorator {
  return all(
    normalized((value) => (typeof value === 'number' ? (amountFromJsonNumber(value) ?? value) : value)),
    field({
      name: 'isAmountOrNumber',
      code: 'invalid_amount',
      message:
        'must be a positive amount: a decimal string, or a number of at most 15 significant digits and 8 decimals',
      schema: {
        oneOf: [
          { type: 'string', pattern: AMOUNT_PATTERN.source },
          { type: 'number', minimum: 0.00000001 },
        ],
        examples: ['10.50', 10.5],
      },
      check: isAmount,
    }),
  );
}

const INCOME = /^(0|[1-9]\d{0,15})(\.\d{1,2})?$/;

/** An income or a payment volume: number or string, zero or more, at most 2 decimals; kept as a string of 2 decimals. */
export function IsIncome(): PropertyDecorator {
  return all(
    normalized((value) => {
      // A JSON number of more than 15 digits may differ from the one that was sent.
      const text = typeof value === 'number' ? (value === 0 ? '0' : amountFromJsonNumber(value)) : value;
      if (typeof text !== 'string' || !INCOME.test(text)) return value;
      const [whole, decimals = ''] = text.split('.');
      return `${whole}.${decimals.padEnd(2, '0')}`;
    }),
    field({
      name: 'isIncome',
      code: 'invalid_amount',
      message: 'must be zero or more, with at most 2 decimals',
      schema: {
        oneOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: INCOME.source },
        ],
      },
      check: (value) => typeof value === 'string' && INCOME.test(value),
    }),
  );
}
