/** Steps under way at the same time, of all that an outage holds up: less than the worker begins others beside. */
const ROOM = 80;
/** However soon each of them fails. */
const MAX_PER_SECOND = 200;

/**
 * When what an outage holds up is tried again. A few are tried again as soon as their own pauses end; many have their
 * turns one after the other, so that what nothing holds up goes on beside them. A step that waited long before it failed
 * takes room for as long, and the next turn comes the later.
 */
export class OutageBackoff {
  /** On the monotonic clock. */
  private lastTurnAtMs = -Infinity;

  /** @param longestMs nobody waits longer than this, however many there are */
  constructor(private readonly longestMs: number) {}

  /** @returns after how long the step has its turn */
  nextInMs(stepTookMs: number, nowMs: number): number {
    const turnMs = Math.max(1_000 / MAX_PER_SECOND, stepTookMs / ROOM);
    const next = Math.max(this.lastTurnAtMs + turnMs, nowMs);
    this.lastTurnAtMs = Math.min(next, nowMs + this.longestMs);
    return Math.round(this.lastTurnAtMs - nowMs);
  }
}
