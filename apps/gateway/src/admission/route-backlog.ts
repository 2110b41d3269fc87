import { QueueingDelay } from '@stablecoin/messaging/queueing-delay';

/** With fewer requests in flight, the time between two completions says how often requests come, not how fast they end. */
const LOADED_MIN = 32;
/** What is left to a request of its 4.5 s then is enough to end in. */
const DELAY_MS_MAX = 3_500;

/** The requests of one route that are in flight, and how long the next one would wait behind them. */
export class RouteBacklog {
  private readonly delay = new QueueingDelay();
  private count = 0;
  /** The service that its latest refused request found full. */
  fullService: string | undefined;

  /** @param queued requests that will have begun before the next */
  countWith(queued: number): number {
    return this.count + queued;
  }

  /** Whether the next request would begin too late to end by its deadline. */
  isFull(now: number, queued = 0): boolean {
    return this.delay.expectedMs(now, this.countWith(queued)) > DELAY_MS_MAX;
  }

  begin(): void {
    this.count += 1;
  }

  end(now: number): void {
    this.delay.completed(now, this.count >= LOADED_MIN);
    this.count -= 1;
  }
}
