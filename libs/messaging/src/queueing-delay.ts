/** Completions count for less as they grow old, after so long for a third: a garbage collection changes little. */
const DECAY_MS = 1_000;
/** The first completions of a burst come all at once, or long after its begin: they tell little. */
const MEASURED_MS_MIN = 1_000;

/**
 * How long a request that arrives now would wait, by Little's law: the requests before it, over the rate at which requests
 * are completed. The rate decays while nothing is completed, so that a service that hangs shows within seconds.
 *
 * Only completions under load are measured. Otherwise their rate is the rate of arrivals, and a few slow requests on an idle
 * machine would look like a queue that never ends. The estimate is forgotten when the load ends.
 */
export class QueueingDelay {
  private loadedSince: number | undefined;
  private completions = 0;
  private decayedAt = 0;

  /** @param isLoaded whether requests have been waiting all the time since the completion before */
  completed(now: number, isLoaded: boolean): void {
    if (!isLoaded) {
      this.loadedSince = undefined;
      return;
    }
    if (this.loadedSince === undefined) {
      this.loadedSince = now;
      this.completions = 0;
    } else {
      this.completions = this.completionsAt(now) + 1;
    }
    this.decayedAt = now;
  }

  /** @returns milliseconds; 0 while there is no estimate */
  expectedMs(now: number, requestsBefore: number): number {
    const loadedMs = now - (this.loadedSince ?? now);
    if (loadedMs < MEASURED_MS_MIN) return 0;
    // What the same number of completions would add up to at a steady rate since the load began.
    const windowMs = DECAY_MS * (1 - Math.exp(-loadedMs / DECAY_MS));
    return (requestsBefore * windowMs) / this.completionsAt(now);
  }

  private completionsAt(now: number): number {
    return this.completions * Math.exp((this.decayedAt - now) / DECAY_MS);
  }
}
