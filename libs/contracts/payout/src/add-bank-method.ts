import { Currency } from '@stablecoin/money/currency';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MatchesPattern, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsAccountNumber, IsBankCode } from './bank-account';
import { PayoutMethodView } from './views';

const IsRoutingText = (name: string) =>
  MatchesPattern({
    pattern: /^[A-Za-z0-9-]{1,34}$/,
    code: `invalid_${name}`,
    message: 'must be 1 to 34 letters and digits',
  });

/** Mirrors the wallet method for the fields of a bank account. */
export class AddBankMethod extends MerchantCommand {
  @IsOneOf(['BANK']) type: 'BANK' = 'BANK' as const;
  @IsAccountNumber() account_number: string;
  @OptionalText({ max: 100 }) account_name?: string | null;
  @OptionalText({ max: 100 }) bank_name?: string | null;
  @IsBankCode() bank_code: string;
  @Optional() @IsRoutingText('sort_code') sort_code?: string | null;
  @Optional() @IsRoutingText('swift_code') swift_code?: string | null;
  @Optional() @IsRoutingText('routing_number') routing_number?: string | null;
  @Optional() @IsRoutingText('iban') iban?: string | null;
  @IsCurrency() currency: Currency;
  @Optional() @IsUuid() customer_id?: string | null;
}

export const addBankMethod = operation({
  subject: 'payout.add-bank-method',
  request: AddBankMethod,
  reply: replies<CommandReply<PayoutMethodView>>(),
  errors: ['not_found', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
