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
