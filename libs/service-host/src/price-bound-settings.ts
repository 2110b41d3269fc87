/** What bounds the prices of swaps: for the ledger, which refuses a swap beyond it, and for the auditor, who judges it once more. */
import { SettingDefinition, wholeNumber } from './setting';

export const SWAP_PRICE_BAND: SettingDefinition<number> = {
  env: 'SWAP_PRICE_BAND',
  describe:
    'How far the price of a swap may be from the price of the same pair an hour ago, up or down, in hundredths of a percent, on ' +
    'one shard; 0 for no bound. SWAP_PRICE_BAND_HOURS after the last swap of the pair its price is history.',
  example: '2000',
  read: wholeNumber(0, 1_000_000),
  default: 2_000,
};

export const SWAP_PRICE_BANDS: SettingDefinition<PriceBands> = {
  env: 'SWAP_PRICE_BANDS',
  describe: 'The same for single pairs, in the order in which they are sold and bought.',
  example: 'USD/NGN:5000,NGN/USD:5000',
  read: priceBands,
  default: new Map(),
};

export const SWAP_PRICE_BAND_HOURS: SettingDefinition<number> = {
  env: 'SWAP_PRICE_BAND_HOURS',
  describe: 'For how long a price bounds the next one.',
  example: '24',
  read: wholeNumber(1, 8_760),
  default: 24,
};

export const SWAP_BOOK_BAND: SettingDefinition<number> = {
  env: 'SWAP_BOOK_BAND',
  describe:
    'How far the price of a swap may be from what SWAP_RATES give, up or down, in hundredths of a percent; 0 for no bound. It ' +
    'bounds the first swap of a pair too.',
  example: '5000',
  read: wholeNumber(0, 1_000_000),
  default: 5_000,
};

export const SWAP_LOSS_PER_HOUR: SettingDefinition<number> = {
  env: 'SWAP_LOSS_PER_HOUR',
  describe:
    'What swaps may cost the house within an hour, by SWAP_RATES, in US dollars, on one shard, live and test each by itself; 0 for ' +
    'no bound. What it gains counts against it.',
  example: '100000',
  read: wholeNumber(0, 1_000_000_000_000),
  default: 100_000,
};

/** Hundredths of a percent by pair, as in USD/NGN. */
export type PriceBands = ReadonlyMap<string, number>;

function priceBands(text: string): PriceBands {
  const entries = text.split(',').map((entry) => {
    const [, pair, band] = /^([A-Z]{3,4}\/[A-Z]{3,4}):(\d{1,7})$/.exec(entry.trim()) ?? [];
    if (pair === undefined) throw new Error('pairs with hundredths of a percent each, as in USD/NGN:5000');
    return [pair, Number(band)] as const;
  });
  return new Map(entries);
}
