import { Currency } from '@stablecoin/money/currency';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { MadeQuoteView, PricedFor, SealedProfile } from './views';

/** A price for exchanging `amount` of `from_currency`, good until it expires. It needs neither wallets nor money. */
export class CreateQuote extends MerchantCommand {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() from_currency: Currency;
  @IsCurrency() to_currency: Currency;
  @IsAmount() amount: string;
  @PricedFor() key_mode?: KeyMode;
  @SealedProfile() sealed_profile?: string;
}

export const createQuote = operation({
  subject: 'swap.create-quote',
  request: CreateQuote,
  reply: replies<CommandReply<MadeQuoteView>>(),
  errors: ['unsupported_pair', 'amount_too_small', 'idempotency_key_reused', 'idempotency_in_flight'],
});
