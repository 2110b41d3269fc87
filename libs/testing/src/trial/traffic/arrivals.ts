/** Draws the next operation: one whose recovery is being measured, or else one from the mix. */
import { Drawing } from '../../drawing';
import { Merchant } from './merchants';
import { Capability, OperationKind } from './operation';

export interface Arrival {
  kind: 'deposit' | 'payout' | 'swap' | 'read';
  merchant: Merchant;
  /** Of a payout: to its end. */
  followed: boolean;
}

/** How often each kind arrives. */
const MIX: readonly Arrival['kind'][] = [
  ...(['deposit', 'deposit', 'deposit', 'deposit'] as const),
  ...(['payout', 'payout', 'payout', 'payout', 'payout', 'payout'] as const),
  ...(['swap', 'swap', 'swap', 'swap'] as const),
  ...(['read', 'read', 'read'] as const),
];
const FOLLOWED_ONE_IN = 3;
/** By which arrival it is seen that something works. */
const SEEN_BY: Readonly<Record<OperationKind, Pick<Arrival, 'kind' | 'followed'>>> = {
  deposit: { kind: 'deposit', followed: false },
  quote: { kind: 'swap', followed: false },
  swap: { kind: 'swap', followed: false },
  payout: { kind: 'payout', followed: false },
  read: { kind: 'read', followed: false },
  settlement: { kind: 'payout', followed: true },
};
/** How often each awaited operation is sent: by chance alone seconds would pass before one reaches the last shard. */
const AWAITED_EVERY_MS = 500;

export class Arrivals {
  private readonly askedAt = new Map<Capability, number>();

  constructor(
    private readonly merchants: readonly Merchant[],
    private readonly draw: Drawing,
    private readonly awaited: () => Iterable<Capability>,
  ) {}

  next(): Arrival {
    return this.nextAwaited() ?? this.drawn();
  }

  /** What has waited longest for its turn. */
  private nextAwaited(): Arrival | undefined {
    const askedAt = (capability: Capability) => this.askedAt.get(capability) ?? -Infinity;
    const [next] = [...this.awaited()].sort((one, other) => askedAt(one) - askedAt(other));
    if (!next || performance.now() - askedAt(next) < AWAITED_EVERY_MS) return undefined;
    this.askedAt.set(next, performance.now());
    return { ...SEEN_BY[next.kind], merchant: this.merchantOn(next.shard) };
  }

  private drawn(): Arrival {
    const merchant = this.draw.oneOf(this.merchants);
    return { merchant, kind: this.draw.oneOf(MIX), followed: this.draw.next() < 1 / FOLLOWED_ONE_IN };
  }

  private merchantOn(shard: number): Merchant {
    return this.merchants.find((merchant) => merchant.shard === shard) as Merchant;
  }
}
