/**
 * Was a swap's price within the bounds that the ledger holds it to (ADR 55)? Judged from the log by the ledger's own rule, by settings that
 * the auditor is given: they are in no log. Swaps from before a given moment, when other settings may have held, are remembered only.
 *
 * What an owner of a shard remembers begins at some position at or before the newest 5,000 events: all that it read back when it took
 * the shard. Where it took it no log says, so that a swap is a fault only where every such memory refuses it.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import {
  PriceBound,
  READ_BACK_EVENTS,
  RecordedSwap,
  RecordedSwaps,
  SwapPrices,
  SwapPriceSettings,
} from '@stablecoin/ledger-domain/swap-prices';
import { LogFault } from './fault';

const HOUR_MS = 3_600_000;

export interface PriceRulesOptions {
  settings: SwapPriceSettings;
  /** From when on swaps are judged by these settings. */
  since: Date;
}

export class PriceRules {
  private readonly swaps = new RecordedSwaps();
  private readonly prices: SwapPrices;
  /** All that an owner of the shard may remember, besides the prices from before the hour: the oldest first. */
  private recent: RecordedSwap[] = [];
  private found: LogFault | undefined;
  private judgedSwaps = 0;

  constructor(
    readonly shard: number,
    private readonly options: PriceRulesOptions,
  ) {
    this.prices = new SwapPrices(options.settings);
  }

  get fault(): LogFault | undefined {
    return this.found;
  }

  /** How many swaps were judged. */
  get judged(): number {
    return this.judgedSwaps;
  }

  /** @param events of the shard, directly after those of the call before */
  follow(events: readonly RecordedEvent[]): void {
    for (const recorded of events) {
      if (this.found) return;
      const swap = this.swaps.follow(recorded);
      if (swap) this.judge(swap);
    }
  }

  private judge(swap: RecordedSwap): void {
    const { terms, position, recorded_at } = swap;
    const at = Date.parse(recorded_at);
    if (at >= this.options.since.getTime()) {
      this.judgedSwaps += 1;
      const bound = this.exceeded(swap);
      if (bound) {
        const pair = `${terms.from_currency}/${terms.to_currency}`;
        const problem = `the price of ${pair}, ${terms.quoted_price}, is beyond what bounds it: ${WHAT[bound]}`;
        this.found = { shard: this.shard, position, problem };
      }
    }
    this.prices.remember(swap);
    this.recent.push(swap);
    const isForgotten = (one: RecordedSwap) =>
      one.position < position - READ_BACK_EVENTS && Date.parse(one.recorded_at) <= at - HOUR_MS;
    const first = this.recent.findIndex((one) => !isForgotten(one));
    if (first > 0) this.recent.splice(0, first);
  }

  private exceeded(swap: RecordedSwap): PriceBound | undefined {
    const bound = this.prices.exceeded(swap.terms, swap.recorded_at);
    // Only where it is beyond one: an owner that has taken the shard since may have known less.
    return bound && this.memoriesBefore(swap).every((memory) => memory.exceeded(swap.terms, swap.recorded_at))
      ? bound
      : undefined;
  }

  /** What owners that have read back from here and there remember. */
  private memoriesBefore({ position }: RecordedSwap): SwapPrices[] {
    const since = this.recent.findIndex((one) => one.position >= position - READ_BACK_EVENTS);
    const latest = since < 0 ? this.recent.length : since;
    return Array.from({ length: latest + 1 }, (_, first) => {
      const memory = new SwapPrices(this.options.settings);
      this.recent.slice(first).forEach((one) => memory.remember(one));
      return memory;
    });
  }
}

const WHAT: Readonly<Record<PriceBound, string>> = {
  previous: 'the price of the pair an hour before',
  reference: "the operator's book",
  loss: 'what swaps may cost the house in an hour',
};
