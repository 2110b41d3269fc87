import { Injectable, OnApplicationShutdown } from '@nestjs/common';

const TICK_MS = 50;
/** A shorter lag is usual on a busy processor. */
const STALL_MIN_MS = 250;
/** For this long after a stall, requests that arrived during it may still be read. */
const REMEMBERED_MS = 1_000;

/**
 * How long a request may have waited in its socket before it was read. While the event loop is busy, or the process is
 * stopped or has no processor, arriving requests wait there unmeasured, and their callers' time runs. So the event loop
 * is timed by ticks, and requests read within a second after a stall count as having waited for all of it.
 */
@Injectable()
export class EventLoopLag implements OnApplicationShutdown {
  private lastTickAt = performance.now();
  private stall = { ms: 0, endedAt: -Infinity };
  private readonly timer = setInterval(() => this.tick(performance.now()), TICK_MS).unref();

  /** The longest that a request read at `now` can have waited; 0 below `STALL_MIN_MS`. */
  msAt(now: number): number {
    const remembered = now - this.stall.endedAt < REMEMBERED_MS ? this.stall.ms : 0;
    const ms = Math.max(remembered, this.overdueMsAt(now));
    return ms < STALL_MIN_MS ? 0 : ms;
  }

  tick(now: number): void {
    const overdueMs = this.overdueMsAt(now);
    if (overdueMs >= this.msAt(now)) this.stall = { ms: overdueMs, endedAt: now };
    this.lastTickAt = now;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private overdueMsAt(now: number): number {
    return now - this.lastTickAt - TICK_MS;
  }
}
