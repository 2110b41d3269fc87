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
 * swapped before those counts for nothing; the book counts always.
 */
import { LedgerCommand, PostSwap } from '@stablecoin/ledger-domain/commands';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { Money } from '@stablecoin/money/money';
import { convert, dividePrices, isWithinBand } from '@stablecoin/money/price';
import { CurrencyPrices } from '@stablecoin/money/usd-prices';
import { Sql } from '@stablecoin/persistence/sql';

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
type PriceBound = (typeof PRICE_BOUNDS)[number];

type Terms = Pick<PostSwap, 'from_currency' | 'to_currency' | 'from_amount' | 'to_amount' | 'mode'> & {
  quoted_price: string;
};

const HOUR_MS = 3_600_000;
/** Of the prices of a pair, and of losses, one is kept for each minute. */
const MINUTE_MS = 60_000;
const READ_BACK_EVENTS = 5_000;

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

  private constructor(private readonly settings: SwapPriceSettings) {}

  /** @returns undefined where no price is bounded */
  static async load(
    sql: Sql,
    shard: number,
    position: number,
    settings: SwapPriceSettings | undefined,
  ): Promise<SwapPrices | undefined> {
    if (!settings) return undefined;
    const rows = await sql.$queryRaw<{ body: string }[]>`
      SELECT body FROM ledger_events
      WHERE shard = ${shard} AND position > ${position - READ_BACK_EVENTS}
        AND body LIKE '%"movement":"swap-accepted"%' AND body LIKE '%"opens":{%'
      ORDER BY position`;
    const prices = new SwapPrices(settings);
    const sold = new Map<number, Pick<Terms, 'from_currency' | 'from_amount' | 'mode'>>();
    for (const { group, recorded_at, asked_by, event } of rows.map(({ body }) => JSON.parse(body) as RecordedEvent)) {
      const opens = 'opens' in event ? event.opens : undefined;
      const begun = sold.get(group);
      if (opens?.transaction_mode === 'DEBIT')
        sold.set(group, { from_currency: opens.currency, from_amount: opens.amount, mode: asked_by?.mode });
      else if (opens?.exchange_rate && begun) {
        const bought = { to_currency: opens.currency, to_amount: opens.amount, quoted_price: opens.exchange_rate };
        prices.set({ ...begun, ...bought }, recorded_at);
      }
    }
    return prices;
  }

  /** @returns the first bound that a swap is beyond, if it is beyond any */
  exceeded(swap: Terms, now: string): PriceBound | undefined {
    const at = Date.parse(now);
    if (!this.isNearPrevious(swap, at)) return 'previous';
    if (!this.isNearBook(swap)) return 'reference';
    return this.isAffordable(swap, at) ? undefined : 'loss';
  }

  /** After a swap was decided; other commands have no price. */
  keep(command: LedgerCommand, now: string): void {
    if (command.kind === 'PostSwap') this.set(command, now);
  }

  private isNearPrevious(swap: Terms, at: number): boolean {
    const basisPoints = this.settings.ofPair.get(pairOf(swap)) ?? this.settings.basisPoints;
    const known = this.prices.get(keyOf(swap)) ?? [];
    const anchor = known.findLast((price) => price.at <= at - HOUR_MS) ?? known[0];
    if (basisPoints === 0 || !anchor) return true;
    const newest = known.at(-1) ?? anchor;
    return at > newest.at + this.settings.heldMs || isWithinBand(swap.quoted_price, anchor.value, basisPoints);
  }

  private isNearBook({ from_currency, to_currency, quoted_price }: Terms): boolean {
    const { book, bookBasisPoints } = this.settings;
    if (bookBasisPoints === 0) return true;
    return isWithinBand(quoted_price, dividePrices(book[from_currency], book[to_currency]), bookBasisPoints);
  }

  private isAffordable(swap: Terms, at: number): boolean {
    const { lossPerHour } = this.settings;
    const loss = this.lossOf(swap);
    if (lossPerHour === 0 || !loss.isPositive()) return true;
    const ofHour = (this.losses.get(modeOf(swap)) ?? []).filter((minute) => minute.at > at - HOUR_MS);
    const sum = ofHour.reduce((total, { value }) => total.plus(value), loss);
    return !Money.parse('USD', String(lossPerHour)).isLessThan(sum);
  }

  private lossOf({ from_currency, from_amount, to_currency, to_amount }: Terms): Money {
    const { book } = this.settings;
    const given = convert(Money.parse(to_currency, to_amount), book[to_currency], 'USD', 'currency');
    return given.minus(convert(Money.parse(from_currency, from_amount), book[from_currency], 'USD', 'currency'));
  }

  private set(swap: Terms, recordedAt: string): void {
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
const pairOf = ({ from_currency, to_currency }: Terms): string => `${from_currency}/${to_currency}`;
const modeOf = ({ mode }: Terms): string => mode ?? '';
const keyOf = (swap: Terms): string => `${pairOf(swap)} ${modeOf(swap)}`;
