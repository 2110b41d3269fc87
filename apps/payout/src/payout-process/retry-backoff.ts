/** Retries under way at the same time, about: as many as the worker has room for (RETRIED_UNDER_WAY_MAX). */
const ROOM = 80;
/** Retries begun, however soon each of them fails. */
const PER_SECOND_MAX = 200;

/**
 * Spaces the retries of steps that failed. A few steps are retried as soon as their own pauses end; many are retried one
 * after the other, so that the pause grows with how many are held up and not the number of tries a second. The longer a
 * step waited before it failed, the longer it took up room, and the later the next retry begins.
 */
export class RetryBackoff {
  /** On the monotonic clock. */
  private lastTurnAtMs = -Infinity;

  /** @param longestMs no step waits longer than this, however many there are */
  constructor(private readonly longestMs: number) {}

  /** @returns after how many milliseconds the step is retried */
  nextInMs(stepTookMs: number, nowMs: number): number {
    const turnMs = Math.max(1_000 / PER_SECOND_MAX, stepTookMs / ROOM);
    const next = Math.max(this.lastTurnAtMs + turnMs, nowMs);
    this.lastTurnAtMs = Math.min(next, nowMs + this.longestMs);
    return Math.round(this.lastTurnAtMs - nowMs);
  }
}
