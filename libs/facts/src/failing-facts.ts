import { LedgerFact } from '@stablecoin/contracts/wallet/facts';

/**
 * The broker may deliver a failed fact to another instance next: a fact that does not come back within this is
 * forgotten.
 */
const FORGOTTEN_AFTER_MS = 10_000;

interface FailingFact {
  shard: number;
  position: number;
  concerns: string;
  attempts: number;
  failedAt: number;
}

/**
 * The facts that failed lately in this process and will be delivered again: how often, and which facts wait for them.
 */
export class FailingFacts {
  private readonly failing = new Map<string, FailingFact>();

  constructor(private readonly now: () => number = Date.now) {}

  /** @returns how often it has failed by now */
  failed({ shard, position }: LedgerFact, concerns: string): number {
    this.forgetOld();
    const key = `${shard}:${position}`;
    const attempts = (this.failing.get(key)?.attempts ?? 0) + 1;
    this.failing.set(key, { shard, position, concerns, attempts, failedAt: this.now() });
    return attempts;
  }

  /** It was handled, or is parked. */
  settled({ shard, position }: LedgerFact): void {
    this.failing.delete(`${shard}:${position}`);
  }

  /** Whether an earlier fact that concerns the same is still being tried. */
  isBehindOne({ shard, position }: LedgerFact, concerns: string): boolean {
    if (this.failing.size === 0) return false;
    this.forgetOld();
    return [...this.failing.values()].some(
      (each) => each.shard === shard && each.concerns === concerns && each.position < position,
    );
  }

  private forgetOld(): void {
    const since = this.now() - FORGOTTEN_AFTER_MS;
    for (const [key, { failedAt }] of this.failing) if (failedAt < since) this.failing.delete(key);
  }
}
