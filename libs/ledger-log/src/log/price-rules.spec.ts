import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { READ_BACK_EVENTS, RecordedSwaps, SwapPriceSettings } from '@stablecoin/ledger-domain/swap-prices';
import { convert, dividePrices } from '@stablecoin/money/price';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { DEFAULT_USD_PRICES } from '@stablecoin/money/usd-prices';
import { PriceRules } from './price-rules';

const NOON = Date.UTC(2026, 10, 24, 12);
const MINUTE_MS = 60_000;
const SETTINGS: SwapPriceSettings = {
  ...{ basisPoints: 2_000, ofPair: new Map(), heldMs: 24 * 60 * MINUTE_MS },
  ...{ book: DEFAULT_USD_PRICES, bookBasisPoints: 5_000, lossPerHour: 1_000 },
};

interface Swap {
  minutes: number;
  /** Times what the book says. */
  times: number;
  amount?: string;
  /** Of its first event; else directly after the swap before. */
  position?: number;
  from?: Currency;
  to?: Currency;
}

/** The events of swaps, as far as prices are judged by them. */
function logOf(swaps: readonly Swap[]): RecordedEvent[] {
  let next = 1;
  return swaps.flatMap(({ minutes, times, amount = '1', from = 'USD', to = 'EUR', position = next }) => {
    next = position + 2;
    const price = (Number(dividePrices(DEFAULT_USD_PRICES[from], DEFAULT_USD_PRICES[to])) * times).toFixed(12);
    const bought = convert(Money.parse(from, amount), price, to, 'currency').toString();
    const recorded_at = new Date(NOON + minutes * MINUTE_MS).toISOString();
    const about = { shard: 2, group: position, movement: 'swap-accepted', recorded_at };
    const sold = { transaction_mode: 'DEBIT', currency: from, amount, exchange_rate: price };
    const credit = { transaction_mode: 'CREDIT', currency: to, amount: bought, exchange_rate: price };
    return [
      {
        ...about,
        position,
        asked_by: { service: 'swap-pricing', mode: 'test' },
        event: { type: 'DebitPosted', opens: sold },
      },
      { ...about, position: position + 1, event: { type: 'CreditPosted', opens: credit } },
    ] as unknown as RecordedEvent[];
  });
}

function judged(swaps: readonly Swap[], changes: Partial<SwapPriceSettings> = {}, since = new Date(0)) {
  const rules = new PriceRules(2, { settings: { ...SETTINGS, ...changes }, since });
  rules.follow(logOf(swaps));
  const { position, problem } = rules.fault ?? {};
  return { position, problem, judged: rules.judged };
}

const NEAR = { minutes: 0, times: 1 };

it('a swap near to its price before and to the book is within bounds', () =>
  expect(judged([NEAR, { minutes: 1, times: 1.1 }])).toEqual({ position: undefined, problem: undefined, judged: 2 }));

it.each<[string, Swap[], Partial<SwapPriceSettings>, number]>([
  ['the price of the pair an hour before', [NEAR, { minutes: 1, times: 1.19 }, { minutes: 2, times: 1.25 }], {}, 5],
  ["the operator's book", [{ minutes: 0, times: 1.51 }], {}, 1],
  ['what swaps may cost the house in an hour', [NEAR, { minutes: 1, times: 1.1, amount: '20000' }], {}, 3],
])('a swap beyond %s is found at its place', (what, swaps, changes, position) => {
  const found = judged(swaps, changes);
  expect(found.position).toBe(position);
  expect(found.problem).toMatch(new RegExp(`^the price of USD/EUR, [\\d.]+, is beyond what bounds it: ${what}$`));
});

it('swaps from before the given time are remembered and not judged', () => {
  const swaps = [
    { minutes: 0, times: 1.6 },
    { minutes: 1, times: 1.6 },
    { minutes: 2, times: 1 },
  ];
  const from = (minutes: number) => new Date(NOON + minutes * MINUTE_MS);
  expect(judged(swaps, {}, from(1))).toMatchObject({ position: 3, judged: 1 });
  expect(judged(swaps, {}, from(3))).toEqual({ position: undefined, problem: undefined, judged: 0 });
  const found = judged(swaps, { bookBasisPoints: 0 }, from(2));
  expect(found).toMatchObject({ position: 5, judged: 1 });
  expect(found.problem).toContain('an hour before');
});

describe('what an owner of the shard may have forgotten', () => {
  const far = { minutes: 2, times: 1.3, position: 2 + READ_BACK_EVENTS };

  it('is no fault: a price that nothing contradicts in the newest events', () => {
    expect(judged([NEAR, far]).position).toBeUndefined();
    expect(judged([NEAR, { ...far, position: far.position - 1 }]).position).toBe(far.position - 1);
  });

  it('is what comes before some position: another memory that has the swap within bounds is enough', () => {
    const steps = [NEAR, { minutes: 1, times: 1.15 }, { minutes: 2, times: 0.85 }];
    expect(judged([...steps, { ...far, position: 10_000 }]).position).toBeUndefined();
    const [first, second, third] = steps as [Swap, Swap, Swap];
    const between = [first, second, { ...third, position: 9_000 }, { ...far, position: 10_000 }];
    expect(judged(between).position).toBeUndefined();
    expect(judged([first, { ...third, position: 9_000 }, { ...far, position: 10_000 }]).position).toBe(10_000);
  });

  it('is never what is among the newest events', () => {
    const swaps = [NEAR, { ...NEAR, minutes: 60, position: 4_000 }, { ...far, minutes: 90, position: 8_999 }];
    expect(judged(swaps).position).toBe(8_999);
    expect(judged([...swaps.slice(0, 2), { ...far, minutes: 90, position: 9_001 }]).position).toBeUndefined();
  });
});

it('swaps are found in a log by their group', () => {
  const swaps = new RecordedSwaps();
  const [sold, bought] = logOf([NEAR]) as [RecordedEvent, RecordedEvent];
  expect(swaps.follow(sold)).toBeUndefined();
  expect(swaps.follow({ ...bought, group: 7 })).toBeUndefined();
  swaps.follow(sold);
  expect(swaps.follow(bought)).toMatchObject({
    position: 1,
    terms: { from_currency: 'USD', to_currency: 'EUR', mode: 'test' },
  });
});
