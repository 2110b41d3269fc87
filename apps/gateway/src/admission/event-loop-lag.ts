import { Injectable, OnApplicationShutdown } from '@nestjs/common';

const TURN_EVERY_MS = 50;
/** Less is what a busy processor is late by anyway. */
const NOTICED_FROM_MS = 250;
/** For so long after a halt, what came in meanwhile may be read only now. */
const REMEMBERED_MS = 1_000;

/**
 * How long a request may have lain there before its first line ran here. While the process does something else, or is
 * stopped or not given a processor, what arrives waits in its socket, where nobody counts the time; but its caller does.
 * So the event loop's turns are timed, and after a halt its length is what requests are taken to have waited.
 */
@Injectable()
export class EventLoopLag implements OnApplicationShutdown {
  private turnAt = performance.now();
  private halt = { ms: 0, endedAt: -Infinity };
  private readonly timer = setInterval(() => this.turn(performance.now()), TURN_EVERY_MS).unref();

  /** At most so long a request has waited whose first line runs at `now`. */
  msAt(now: number): number {
    const remembered = now - this.halt.endedAt < REMEMBERED_MS ? this.halt.ms : 0;
    const ms = Math.max(remembered, this.missedAt(now));
    return ms < NOTICED_FROM_MS ? 0 : ms;
  }

  turn(now: number): void {
    if (this.missedAt(now) >= this.msAt(now)) this.halt = { ms: this.missedAt(now), endedAt: now };
    this.turnAt = now;
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private missedAt(now: number): number {
    return now - this.turnAt - TURN_EVERY_MS;
  }
}
