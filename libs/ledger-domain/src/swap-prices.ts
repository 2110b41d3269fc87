/**
 * What bounds the price of a swap, beside what its quote says: no quote, however well signed, moves a price far, and no number of
 * them moves it further or takes more of the house's money than this. Live and test merchants have prices of their own.
 *
 * | bound     | a price                                                                                               |
 * |-----------|-------------------------------------------------------------------------------------------------------|
 * | previous  | is near to the one that the pair had an hour ago: small steps lead no further than a large one        |
 * | reference | is near to what the operator's book says, also of a pair that was never swapped                       |
 * | loss      | costs the house, by that book, no more than is left of what swaps may cost it in an hour: a pair there |
 * |           | and its inverse back, each within its band, could be swapped for ever                                 |
 *
 * Memory of the shard's owner: what it kept of a log is read from the newest events when a shard changes hands, so that what was
 * swapped before those counts for nothing; the book counts always. The auditor judges every swap of a log by it once more.
 */
import { Money } from '@stablecoin/money/money';
import { convert, dividePrices, isWithinBand } from '@stablecoin/money/price';
import { CurrencyPrices } from '@stablecoin/money/usd-prices';
import { LedgerCommand, PostSwap } from './commands';
import { RecordedEvent } from './events';

export interface SwapPriceSettings {
  /** Hundredths of a percent; 0 for no bound. */
  basisPoints: number;
  /** The same for single pairs, as in USD/NGN. */
  ofPair: ReadonlyMap<string, number>;
  /** For how long a price bounds the next one. */
  heldMs: number;
  /** The operator's book: dollars for one unit of each currency. */
  book: CurrencyPrices;
  /** Of the band around it, in hundredths of a percent; 0 for no bound. */
  bookBasisPoints: number;
  /** In whole dollars; 0 for no bound. */
  lossPerHour: number;
}

export const PRICE_BOUNDS = ['previous', 'reference', 'loss'] as const;
export type PriceBound = (typeof PRICE_BOUNDS)[number];

export type SwapTerms = Pick<
  PostSwap,
  'from_currency' | 'to_currency' | 'from_amount' | 'to_amount' | 'quoted_price' | 'mode'
>;

/** A swap as the log has it. */
export interface RecordedSwap {
  terms: SwapTerms;
  /** Of the first event of its group. */
  position: number;
  recorded_at: string;
}

const HOUR_MS = 3_600_000;
/** Of the prices of a pair, and of losses, one is kept for each minute. */
const MINUTE_MS = 60_000;
/** So many of the newest events an owner of a shard reads, when it takes the shard. */
export const READ_BACK_EVENTS = 5_000;

interface At<Value> {
  value: Value;
  /** Epoch milliseconds. */
  at: number;
}

export class SwapPrices {
  /** By pair and mode, the oldest first: the one before the hour, and the first of each minute of it. */
  private readonly prices = new Map<string, At<string>[]>();
  /** By mode: what the house lost in each minute of the hour, in dollars; less than nothing where it gained. */
  private readonly losses = new Map<string, At<Money>[]>();

  constructor(private readonly settings: SwapPriceSettings) {}

  /** @returns the first bound that a swap is beyond, if it is beyond any */
  exceeded(swap: SwapTerms, now: string): PriceBound | undefined {
    const at = Date.parse(now);
    if (!this.isNearPrevious(swap, at)) return 'previous';
    if (!this.isNearBook(swap)) return 'reference';
    return this.isAffordable(swap, at) ? undefined : 'loss';
  }

  /** After a swap was decided; other commands have no price. */
  keep(command: LedgerCommand, now: string): void {
    if (command.kind === 'PostSwap') this.set(command, now);
  }

  /** What an owner of the shard before has decided. */
  remember({ terms, recorded_at }: RecordedSwap): void {
    this.set(terms, recorded_at);
  }

  private isNearPrevious(swap: SwapTerms, at: number): boolean {
    const basisPoints = this.settings.ofPair.get(pairOf(swap)) ?? this.settings.basisPoints;
    const known = this.prices.get(keyOf(swap)) ?? [];
    const anchor = known.findLast((price) => price.at <= at - HOUR_MS) ?? known[0];
    if (basisPoints === 0 || !anchor) return true;
    const newest = known.at(-1) ?? anchor;
    return at > newest.at + this.settings.heldMs || isWithinBand(swap.quoted_price, anchor.value, basisPoints);
  }

  private isNearBook({ from_currency, to_currency, quoted_price }: SwapTerms): boolean {
    const { book, bookBasisPoints } = this.settings;
    if (bookBasisPoints === 0) return true;
    return isWithinBand(quoted_price, dividePrices(book[from_currency], book[to_currency]), bookBasisPoints);
  }

  private isAffordable(swap: SwapTerms, at: number): boolean {
    const { lossPerHour } = this.settings;
    const loss = this.lossOf(swap);
    if (lossPerHour === 0 || !loss.isPositive()) return true;
    const ofHour = (this.losses.get(modeOf(swap)) ?? []).filter((minute) => minute.at > at - HOUR_MS);
    const sum = ofHour.reduce((total, { value }) => total.plus(value), loss);
    return !Money.parse('USD', String(lossPerHour)).isLessThan(sum);
  }

  private lossOf({ from_currency, from_amount, to_currency, to_amount }: SwapTerms): Money {
    const { book } = this.settings;
    const given = convert(Money.parse(to_currency, to_amount), book[to_currency], 'USD', 'currency');
    return given.minus(convert(Money.parse(from_currency, from_amount), book[from_currency], 'USD', 'currency'));
  }

  private set(swap: SwapTerms, recordedAt: string): void {
    const at = Date.parse(recordedAt);
    const prices = this.prices.get(keyOf(swap)) ?? [];
    const newest = prices.at(-1);
    if (!newest || minuteOf(newest.at) !== minuteOf(at)) prices.push({ value: swap.quoted_price, at });
    this.prices.set(keyOf(swap), withoutOlder(prices, at));
    const losses = this.losses.get(modeOf(swap)) ?? [];
    const minute = losses.at(-1);
    const loss = this.lossOf(swap);
    if (minute && minuteOf(minute.at) === minuteOf(at)) minute.value = minute.value.plus(loss);
    else losses.push({ value: loss, at });
    this.losses.set(modeOf(swap), withoutOlder(losses, at));
  }
}

/** Keeps, of what is older than an hour, the newest. */
function withoutOlder<Value>(values: At<Value>[], at: number): At<Value>[] {
  const newestBefore = values.findLastIndex((value) => value.at <= at - HOUR_MS);
  return newestBefore > 0 ? values.slice(newestBefore) : values;
}

const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS);
const pairOf = ({ from_currency, to_currency }: SwapTerms): string => `${from_currency}/${to_currency}`;
const modeOf = ({ mode }: SwapTerms): string => mode ?? '';
const keyOf = (swap: SwapTerms): string => `${pairOf(swap)} ${modeOf(swap)}`;

/** Finds the swaps in a log: the transaction that is sold is opened before the one that is bought, in one group. */
export class RecordedSwaps {
  private sold: (Pick<SwapTerms, 'from_currency' | 'from_amount' | 'mode'> & { group: number }) | undefined;

  /** @returns the swap that this event completes; undefined for every other event */
  follow({ movement, group, recorded_at, asked_by, event }: RecordedEvent): RecordedSwap | undefined {
    const opens = movement === 'swap-accepted' && 'opens' in event ? event.opens : undefined;
    if (!opens) return undefined;
    const { currency, amount, exchange_rate } = opens;
    if (opens.transaction_mode === 'DEBIT') {
      this.sold = { from_currency: currency, from_amount: amount, mode: asked_by?.mode, group };
      return undefined;
    }
    const sold = this.sold;
    this.sold = undefined;
    if (sold?.group !== group || !exchange_rate) return undefined;
    const { group: _, ...begun } = sold;
    const terms = { ...begun, to_currency: currency, to_amount: amount, quoted_price: exchange_rate };
    return { terms, position: group, recorded_at };
  }
}
