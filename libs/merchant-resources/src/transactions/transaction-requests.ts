import { OmitType } from '@nestjs/mapped-types';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { IsCurrencyCode } from '@stablecoin/contracts/wire/fields/currency';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { all, field, normalized, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit } from '@stablecoin/contracts/wire/fields/paging';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { Currency } from '@stablecoin/money/currency';

/** Not before the day in the field `start`, if there is one. */
function IsNotBefore(start: string): PropertyDecorator {
  return field({
    name: 'isNotBefore',
    code: 'invalid_date_range',
    message: `must not be before ${start}`,
    schema: {},
    check: (value, args) => {
      const from = (args.object as Record<string, unknown>)[start];
      return typeof from !== 'string' || (typeof value === 'string' && from <= value);
    },
  });
}

export class ListTransactionsQuery extends OmitType(ListTransactions, [
  'merchant_id',
  'currency',
  'end_date',
  'after',
]) {
  @Optional() @IsCurrencyCode() currency?: Currency;
  @Optional() @IsNotBefore('start_date') @IsDay() end_date?: string;
}

const ELSEWHERE = ['merchant_id', 'customer_id', 'transaction_id', 'currency', 'end_date', 'after', 'limit'] as const;

/** Here the currency is a free text: an unknown one matches nothing. */
export class ListCustomerTransactionsQuery extends OmitType(ListTransactions, ELSEWHERE) {
  @Optional() @IsUpperCased() @IsText({ max: 16 }) currency?: string;
  @Optional() @IsNotBefore('start_date') @IsDay() end_date?: string;
  @IsLimit() limit = 20;
}

function IsUpperCased(): PropertyDecorator {
  return all(normalized((value) => (typeof value === 'string' && value.length <= 16 ? value.toUpperCase() : value)));
}
