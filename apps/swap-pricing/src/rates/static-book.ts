import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { dividePrices } from '@stablecoin/money/price';
import { CurrencyPrices } from '@stablecoin/money/usd-prices';
import { RateBook, RateSource } from './rate-source';

/**
 * Prices from configuration: they are valid until the service is started with others, whatever becomes of the market. So
 * they are no prices for live merchants, unless an operator has said that they are.
 */
export class StaticBook extends RateSource {
  constructor(
    private readonly usdPrices: CurrencyPrices,
    private readonly maxAgeMs: number,
    private readonly isForLive: boolean,
  ) {
    super();
  }

  currentBook(keyMode: KeyMode | undefined): Promise<RateBook> {
    if (keyMode === 'live' && !this.isForLive) return Promise.reject(new Refusal('unavailable'));
    return Promise.resolve({
      priceOf: (from, to) => dividePrices(this.usdPrices[from], this.usdPrices[to]),
      validUntil: new Date(Date.now() + this.maxAgeMs),
    });
  }
}
