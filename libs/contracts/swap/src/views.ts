import { IsKeyMode } from '@stablecoin/contracts/customer/key-mode';
import { all, IfPresent } from '@stablecoin/contracts/wire/fields/field';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { Currency } from '@stablecoin/money/currency';

/** A quote, and once it is used the swap itself: `id` is the `swapId`. */
export interface SwapQuoteView {
  id: string;
  customer_id: string | null;
  from_currency: Currency;
  to_currency: Currency;
  /** Units of `to_currency` for one `from_currency`, spread included, up to 12 decimals. */
  quoted_price: string;
  quoted_currency: Currency;
  from_amount: string;
  to_amount: string;
  /** True once the swap was executed. */
  confirmed: boolean;
  expires_at: string;
  created_at: string;
  updated_at: string;
}

/** What creating or refreshing a quote answers, and answers again: with its owner's profile of that moment, sealed. */
export interface MadeQuoteView extends SwapQuoteView {
  sealed_profile?: string;
}

/** The field under which the owner's data key seals the profile. */
export const QUOTE_PROFILE_FIELD = 'swap_quote_profile' as const;

/**
 * The mode of the key for which the price is: what is not for live merchants refuses `live`. A gateway of the version
 * before doesn't say, and gets what it got then.
 */
export function PricedFor(): PropertyDecorator {
  return all(IfPresent(), IsKeyMode());
}

/** A stored answer keeps the owner's name of that time, also after the name has changed. */
export function SealedProfile(): PropertyDecorator {
  return all(IfPresent(), IsText({ max: 8192 }));
}
