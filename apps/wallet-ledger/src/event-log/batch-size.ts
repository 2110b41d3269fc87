/** Slow growth: each batch that is too large again is wasted work. */
const GROWTH = 1.125;

/**
 * How many commands the next batch may have: half of a batch that was not committed, since it may have been too large for
 * a transaction's time limit; an eighth more after each batch that was, up to the maximum. Without it, a queue too long for
 * one commit would be tried at full length again and again.
 */
export class BatchSize {
  current: number;

  constructor(private readonly maximum: number) {
    this.current = maximum;
  }

  /** @param tried how many commands the failed batch had */
  shrink(tried: number): void {
    this.current = Math.max(1, Math.min(this.current, Math.floor(tried / 2)));
  }

  grow(): void {
    this.current = Math.min(this.maximum, Math.ceil(this.current * GROWTH));
  }
}
