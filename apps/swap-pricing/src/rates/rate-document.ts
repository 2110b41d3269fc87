import { CURRENCIES, Currency, assetTypeOf, isCurrency } from '@stablecoin/money/currency';
import { formatPrice } from '@stablecoin/money/price';
import { parseWithExactNumbers } from '@stablecoin/money/exact-json';

/** The answer of a source: units of each currency for one unit of its base currency, and the time of these rates. */
export interface RateDocument {
  unitsPerBase: Partial<Record<Currency, string>>;
  /** Epoch milliseconds. */
  asOf: number;
}

const CLOCK_SKEW_MS_MAX = 60_000;

/**
 * Reads `{"base": "USD", "rates": {"NGN": 1540.2, …}, "timestamp": 1732147200}`, the shape of answers of public
 * exchange-rate APIs. Without a timestamp the rates count as made at the time of the request. Sources of fiat rates
 * know no stablecoins: where the base is USD, those are taken at par.
 *
 * @throws Error when the text isn't such a document, or its time is in the future
 */
export function readRateDocument(json: string, requestedAt: number): RateDocument {
  const { base, rates, timestamp } = parseWithExactNumbers(json) as Record<string, unknown>;
  if (typeof base !== 'string' || !isCurrency(base)) throw new Error('no base currency of ours');
  if (typeof rates !== 'object' || rates === null) throw new Error('no rates');
  const unitsPerBase: Partial<Record<Currency, string>> = {};
  for (const currency of Object.keys(CURRENCIES) as Currency[]) {
    const rate = rateOf(rates, currency, base);
    if (rate !== undefined) unitsPerBase[currency] = formatPrice(rate);
  }
  return { unitsPerBase, asOf: momentOf(timestamp, requestedAt) };
}

function rateOf(rates: object, currency: Currency, base: Currency): string | undefined {
  const given: unknown = Object.hasOwn(rates, currency) ? (rates as Record<string, unknown>)[currency] : undefined;
  if (given !== undefined) return typeof given === 'string' ? given : JSON.stringify(given);
  const atPar = currency === base || (base === 'USD' && assetTypeOf(currency) === 'STABLECOIN');
  return atPar ? '1' : undefined;
}

function momentOf(timestamp: unknown, requestedAt: number): number {
  if (timestamp === undefined || timestamp === null) return requestedAt;
  const moment = Number(timestamp) * 1_000;
  if (!Number.isFinite(moment) || moment > requestedAt + CLOCK_SKEW_MS_MAX) throw new Error('no timestamp in the past');
  return Math.min(moment, requestedAt);
}
