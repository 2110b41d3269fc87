import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CURRENCIES, Currency } from '@stablecoin/money/currency';
import { dividePrices, formatPrice } from '@stablecoin/money/price';
import { parseWithExactNumbers } from './exact-json';
import { RateBook, RateSource } from './rate-source';

export type CurrencyPrices = Readonly<Record<Currency, string>>;

export const DEFAULT_USD_PRICES: CurrencyPrices = {
  USDC: '1',
  USDT: '1',
  USD: '1',
  NGN: '0.00065',
  GBP: '1.27',
  EUR: '1.08',
  CAD: '0.73',
};

const currencies = Object.keys(CURRENCIES) as Currency[];

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

/** Reads SWAP_RATES and tries every pair, so that a book which can't price one is found at the start. */
export function readUsdPrices(text: string): CurrencyPrices {
  try {
    const given = parseWithExactNumbers(text) as Record<string, unknown>;
    const prices = Object.fromEntries(
      currencies.map((currency) => [currency, formatPrice(String(given[currency]))]),
    ) as Record<Currency, string>;
    for (const from of currencies) for (const to of currencies) dividePrices(prices[from], prices[to]);
    return prices;
  } catch {
    throw new Error(`a JSON object with a US dollar price above 0 for each of ${currencies.join(', ')}`);
  }
}
