import { Currency } from '@stablecoin/money/currency';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { MadeQuoteView, PricedFor, SealedProfile } from './views';

/** A new price and expiry for the same quote, also an expired one; currencies and amount can't change. */
export class RefreshQuote extends MerchantCommand {
  @IsUuid() swap_id: string;
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() from_currency: Currency;
  @IsCurrency() to_currency: Currency;
  @IsAmount() from_amount: string;
  @PricedFor() key_mode?: KeyMode;
  @SealedProfile() sealed_profile?: string;
}

export const refreshQuote = operation({
  subject: 'swap.refresh-quote',
  request: RefreshQuote,
  reply: replies<CommandReply<MadeQuoteView>>(),
  errors: [
    'not_found',
    'quote_used',
    'quote_mismatch',
    'amount_too_small',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
