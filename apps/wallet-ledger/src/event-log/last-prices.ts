/**
 * The price of the last swap of each pair on a shard, which bounds the next one's: no single quote, however well signed,
 * moves a price far at once. Live and test merchants have prices of their own. Memory of the shard's owner: what it kept of
 * a log is read from the newest events when a shard changes hands, so that a pair without a swap among those, or for too
 * long, has no bound until its next swap.
 */
import { LedgerCommand, PostSwap } from '@stablecoin/ledger-domain/commands';
import { PriceBound } from '@stablecoin/ledger-domain/decide';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { Sql } from '@stablecoin/persistence/sql';

export interface PriceBandSettings {
  /** Hundredths of a percent; 0 for no bound. */
  basisPoints: number;
  /** The same for single pairs, as in USD/NGN. */
  ofPair: ReadonlyMap<string, number>;
  /** For how long a price bounds the next one. */
  heldMs: number;
}

type Swap = Pick<PostSwap, 'from_currency' | 'to_currency' | 'mode'>;

const READ_BACK_EVENTS = 5_000;

interface LastPrice {
  price: string;
  /** Epoch milliseconds. */
  at: number;
}

export class LastPrices {
  private readonly prices = new Map<string, LastPrice>();

  private constructor(private readonly settings: PriceBandSettings) {}

  /** @returns undefined where no price is bounded */
  static async load(
    sql: Sql,
    shard: number,
    position: number,
    settings: PriceBandSettings | undefined,
  ): Promise<LastPrices | undefined> {
    if (!settings) return undefined;
    const rows = await sql.$queryRaw<{ body: string }[]>`
      SELECT body FROM ledger_events
      WHERE shard = ${shard} AND position > ${position - READ_BACK_EVENTS}
        AND body LIKE '%"movement":"swap-accepted"%' AND body LIKE '%"opens":{%'
      ORDER BY position`;
    const prices = new LastPrices(settings);
    const sold = new Map<number, Pick<Swap, 'from_currency' | 'mode'>>();
    for (const { group, recorded_at, asked_by, event } of rows.map(({ body }) => JSON.parse(body) as RecordedEvent)) {
      const opens = 'opens' in event ? event.opens : undefined;
      const begun = sold.get(group);
      if (opens?.transaction_mode === 'DEBIT') sold.set(group, { from_currency: opens.currency, mode: asked_by?.mode });
      else if (opens?.exchange_rate && begun)
        prices.set({ ...begun, to_currency: opens.currency }, opens.exchange_rate, recorded_at);
    }
    return prices;
  }

  bound(swap: Swap, now: string): PriceBound | undefined {
    const last = this.prices.get(keyOf(swap));
    const basisPoints = this.settings.ofPair.get(pairOf(swap)) ?? this.settings.basisPoints;
    if (!last || basisPoints === 0 || Date.parse(now) > last.at + this.settings.heldMs) return undefined;
    return { price: last.price, basisPoints };
  }

  /** After a swap was decided; other commands have no price. */
  keep(command: LedgerCommand, now: string): void {
    if (command.kind === 'PostSwap') this.set(command, command.quoted_price, now);
  }

  private set(swap: Swap, price: string, at: string): void {
    this.prices.set(keyOf(swap), { price, at: Date.parse(at) });
  }
}

const pairOf = ({ from_currency, to_currency }: Swap): string => `${from_currency}/${to_currency}`;
const keyOf = (swap: Swap): string => `${pairOf(swap)} ${swap.mode ?? ''}`;
