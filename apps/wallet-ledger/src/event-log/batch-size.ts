/** Slow, because each batch that is too large again is so much work for nothing. */
const GROWTH = 1.125;

/**
 * How many commands the next batch may have. After one that was not committed, which may have been too much for the time
 * that a transaction has, half of it; after each that was, an eighth more, up to the maximum. Without it, a queue that has
 * grown too long to be committed at once would be tried at full length for ever.
 */
export class BatchSize {
  current: number;

  constructor(private readonly maximum: number) {
    this.current = maximum;
  }

  /** @param tried how many were in the batch that was not committed */
  shrink(tried: number): void {
    this.current = Math.max(1, Math.min(this.current, Math.floor(tried / 2)));
  }

  grow(): void {
    this.current = Math.min(this.maximum, Math.ceil(this.current * GROWTH));
  }
}
