import { convert, dividePrices } from '@stablecoin/money/price';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { DEFAULT_USD_PRICES } from '@stablecoin/money/usd-prices';
import { PostSwap } from './commands';
import { SwapPrices, SwapPriceSettings } from './swap-prices';

const NOON = Date.UTC(2026, 10, 24, 12);
const MINUTE_MS = 60_000;
const SETTINGS: SwapPriceSettings = {
  ...{ basisPoints: 2_000, ofPair: new Map([['USD/NGN', 5_000]]), heldMs: 24 * 60 * MINUTE_MS },
  ...{ book: DEFAULT_USD_PRICES, bookBasisPoints: 5_000, lossPerHour: 1_000 },
};

interface Swap {
  from?: Currency;
  to?: Currency;
  amount?: string;
  /** Times what the book says. */
  times?: number;
  mode?: PostSwap['mode'];
}

class Prices {
  private constructor(private readonly prices: SwapPrices) {}

  static with(changes: Partial<SwapPriceSettings> = {}): Prices {
    return new Prices(new SwapPrices({ ...SETTINGS, ...changes }));
  }

  /** The bound that it exceeds; what exceeds none is swapped. */
  swap({ from = 'USD', to = 'EUR', amount = '1', times = 1, mode = 'test' }: Swap = {}, minutes = 0): string {
    const book = dividePrices(DEFAULT_USD_PRICES[from], DEFAULT_USD_PRICES[to]);
    const quoted_price = (Number(book) * times).toFixed(12);
    const to_amount = convert(Money.parse(from, amount), quoted_price, to, 'currency').toString();
    const terms = { from_currency: from, to_currency: to, from_amount: amount, to_amount, quoted_price, mode };
    const now = new Date(NOON + minutes * MINUTE_MS).toISOString();
    const bound = this.prices.exceeded(terms, now);
    if (bound !== undefined) return bound;
    this.prices.keep({ kind: 'PostSwap', ...terms } as PostSwap, now);
    return 'swapped';
  }
}

describe('the price of a pair an hour ago', () => {
  it('bounds every step from it, however small each is', () => {
    const prices = Prices.with({ bookBasisPoints: 0, lossPerHour: 0 });
    const steps = [1, 1.1, 1.19, 1.25, 1.15, 0.84, 0.82];
    expect(steps.map((times, minute) => prices.swap({ times }, minute))).toEqual([
      ...['swapped', 'swapped', 'swapped', 'previous', 'swapped', 'swapped', 'previous'],
    ]);
  });

  it('moves on with time: the band in an hour, and no more', () => {
    const prices = Prices.with({ bookBasisPoints: 0, lossPerHour: 0 });
    prices.swap({}, 0);
    prices.swap({ times: 1.19 }, 30);
    expect(prices.swap({ times: 1.4 }, 89)).toBe('previous');
    expect(prices.swap({ times: 1.4 }, 91)).toBe('swapped');
    expect(prices.swap({ times: 1.6 }, 92)).toBe('previous');
  });

  it('is that of its pair, direction and mode, with a band of its own where it is given one', () => {
    const prices = Prices.with({ bookBasisPoints: 0, lossPerHour: 0 });
    prices.swap({});
    for (const other of [{ from: 'EUR', to: 'USD' }, { to: 'GBP' }, { mode: 'live' }] as Swap[])
      expect(prices.swap({ ...other, times: 2 })).toBe('swapped');
    prices.swap({ to: 'NGN' });
    expect([1.49, 1.51].map((times) => prices.swap({ to: 'NGN', times }))).toEqual(['swapped', 'previous']);
  });

  it('is history a day after the last swap of the pair', () => {
    const prices = Prices.with({ bookBasisPoints: 0, lossPerHour: 0 });
    prices.swap({});
    expect([24 * 60, 24 * 60 + 1].map((minutes) => prices.swap({ times: 2 }, minutes))).toEqual([
      'previous',
      'swapped',
    ]);
  });
});

describe('the operator’s book', () => {
  it('bounds a pair that was never swapped, up and down', () => {
    const prices = Prices.with({ basisPoints: 0, lossPerHour: 0 });
    const answers = [1e6, 1.51, 1.49, 0.67, 0.66].map((times) =>
      prices.swap({ from: 'NGN', to: 'USDT', amount: '10000', times }),
    );
    expect(answers).toEqual(['reference', 'reference', 'swapped', 'swapped', 'reference']);
  });

  it('bounds none with a band of 0', () => {
    const prices = Prices.with({ basisPoints: 0, bookBasisPoints: 0, lossPerHour: 0 });
    expect(prices.swap({ times: 1_000 })).toBe('swapped');
  });
});

describe('what swaps may cost the house', () => {
  const roundTrip = (prices: Prices, minutes: number) => [
    prices.swap({ amount: '10000', times: 1.04 }, minutes),
    prices.swap({ from: 'EUR', to: 'USD', amount: '10000', times: 1.04 }, minutes),
  ];

  it('ends a way there and back on which each price is within its bands', () => {
    const prices = Prices.with();
    expect(roundTrip(prices, 0)).toEqual(['swapped', 'swapped']);
    expect(roundTrip(prices, 1)).toEqual(['loss', 'loss']);
    expect(prices.swap({ amount: '10000' }, 1)).toBe('swapped');
    expect(prices.swap({ amount: '10000', times: 1.04, mode: 'live' }, 1)).toBe('swapped');
  });

  it('is counted over an hour, and what the house gains counts against it', () => {
    const prices = Prices.with();
    roundTrip(prices, 0);
    expect(prices.swap({ amount: '10000', times: 1.04 }, 59)).toBe('loss');
    prices.swap({ amount: '10000', times: 0.96 }, 59);
    expect(prices.swap({ amount: '10000', times: 1.04 }, 59)).toBe('swapped');
    expect(prices.swap({ amount: '10000', times: 1.04 }, 60)).toBe('swapped');
  });

  it('has no end with 0', () => {
    const prices = Prices.with({ lossPerHour: 0 });
    expect(prices.swap({ amount: '100000000', times: 1.19 })).toBe('swapped');
  });
});
