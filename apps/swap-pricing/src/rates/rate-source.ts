import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { Currency } from '@stablecoin/money/currency';

/** Prices that belong together: all of one moment. */
export interface RateBook {
  /**
   * Units of `to` for one `from`, up to 12 decimals, no spread.
   *
   * @throws Refusal `unavailable` when the book lacks a currency
   */
  priceOf(from: Currency, to: Currency): string;
  /** Until when these prices may be used. */
  readonly validUntil: Date;
}

/** Where rates come from. */
export abstract class RateSource {
  /**
   * @param keyMode whose prices they are to be
   * @throws Refusal `unavailable` when it has no book that is fresh enough, or none for live merchants
   */
  abstract currentBook(keyMode: KeyMode | undefined): Promise<RateBook>;
}
