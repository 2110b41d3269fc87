/** Requests that may wait for one that is worked on. */
const WAITING_PER_RUNNING = 16;

/** @returns whether the request is worked on now; it is not where it was refused instead */
type Begin = (hasWaited: boolean) => boolean;

/**
 * The requests of one merchant: a few are worked on at a time, and the next ones wait here in the order of their arrival.
 * So a merchant that sends many at once waits for its own requests, and others find the services free.
 */
export class MerchantShare {
  private running = 0;
  private readonly waiting: Begin[] = [];

  constructor(private readonly runningMax: number) {}

  get isFull(): boolean {
    return this.waiting.length >= this.runningMax * WAITING_PER_RUNNING;
  }

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** Begins the request now, or when it has its turn. */
  enter(begin: Begin): void {
    if (this.running >= this.runningMax) this.waiting.push(begin);
    else this.run(begin, false);
  }

  /** A request that was worked on has been answered. */
  leave(): void {
    this.running -= 1;
    while (this.running < this.runningMax) {
      const next = this.waiting.shift();
      if (!next) return;
      this.run(next, true);
    }
  }

  private run(begin: Begin, hasWaited: boolean): void {
    this.running += 1;
    if (!begin(hasWaited)) this.running -= 1;
  }
}
