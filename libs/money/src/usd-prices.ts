/** What one unit of each currency is worth in US dollars: a book that is set by hand. */
import { CURRENCIES, Currency } from './currency';
import { parseWithExactNumbers } from './exact-json';
import { dividePrices, formatPrice } from './price';

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
