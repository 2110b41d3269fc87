import { OmitType } from '@nestjs/mapped-types';
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { RefreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { IsAmount, isAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { all, field, IfPresent, normalized, Optional } from '@stablecoin/contracts/wire/fields/field';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';
import { isSameAmount } from '@stablecoin/money/amount';
import { ValidateIf } from 'class-validator';

export class CreateQuoteBody extends OmitType(CreateQuote, [...INJECTED_FIELDS, 'key_mode', 'sealed_profile']) {}

export class ExecuteSwapBody extends OmitType(ExecuteSwap, [...INJECTED_FIELDS, 'shard', 'signed_order']) {
  @Optional() @IsTrueOrFalse() dry_run?: boolean | null;
}

/** The amount under either of its two names; under both, it must be the same amount. */
export class RefreshQuoteBody extends OmitType(RefreshQuote, [
  ...INJECTED_FIELDS,
  'swap_id',
  'from_amount',
  'key_mode',
  'sealed_profile',
]) {
  @NullIsAbsent() @IsNeededWithout('amount') @IsAmount() from_amount?: string;
  @NullIsAbsent() @IfPresent() @IsSameAmountAs('from_amount') @IsAmount() amount?: string;
}

function NullIsAbsent(): PropertyDecorator {
  return normalized((value) => value ?? undefined);
}

/** Required when the field `other` is absent. */
function IsNeededWithout(other: string): PropertyDecorator {
  return all(ValidateIf((body: Record<string, unknown>, value) => value !== undefined || body[other] === undefined));
}

function IsSameAmountAs(other: string): PropertyDecorator {
  return field({
    name: 'isSameAmountAs',
    code: 'conflicting_fields',
    message: `must equal ${other} when both are given`,
    schema: {},
    check: (value, args) => {
      const compared = (args.object as Record<string, unknown>)[other];
      return !isAmount(compared) || !isAmount(value) || isSameAmount(compared, value);
    },
  });
}
