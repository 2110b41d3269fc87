import { Currency } from '@stablecoin/money/currency';
import { IsCurrencyCode } from '@stablecoin/contracts/wire/fields/currency';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PricedFor } from './views';

/** The price of one currency in another at this moment, without spread; 1 for a currency in itself. */
export class GetPrice {
  @IsCurrencyCode() from_currency: Currency;
  @IsCurrencyCode() to_currency: Currency;
  @PricedFor() key_mode?: KeyMode;
}

export interface Price {
  /** Units of `to_currency` for one `from_currency`, up to 12 decimals. */
  price: string;
  /** Until when the price may be used. */
  valid_until: string;
}

export const getPrice = operation({
  subject: 'swap.get-price',
  readOnly: true,
  request: GetPrice,
  reply: replies<Price>(),
  errors: [],
});
