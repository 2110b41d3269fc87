import { AMOUNT_PATTERN, amountFromJsonNumber } from '@stablecoin/money/amount';
import { isCurrency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { all, field, normalized } from './field';

/** The code of a field whose amount is finer than its currency, wherever that is found. */
export const TOO_MANY_DECIMALS = 'too_many_decimals' as const;

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

/**
 * Beside `IsAmount`, for money that is to move: an amount that the currency in the field `currencyField` has units for.
 * Judged by value, so 1.50000000 NGN is one, and 0.001 NGN is none.
 */
export function HasUnitsOf(currencyField: string): PropertyDecorator {
  return field({
    name: 'hasUnitsOf',
    code: TOO_MANY_DECIMALS,
    message: `must not be finer than the currency's smallest unit: 2 decimals for fiat, 6 for stablecoins`,
    schema: {},
    check: (value, args) => {
      const currency = (args.object as Record<string, unknown>)[currencyField];
      // Without an amount or a currency there is nothing to judge: their own rules refuse the request.
      if (!isAmount(value) || typeof currency !== 'string' || !isCurrency(currency)) return true;
      return !Money.parse(currency, value).isFinerThanCurrency();
    },
  });
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
