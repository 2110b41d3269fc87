import { AsyncLocalStorage } from 'node:async_hooks';
import { QueueingDelay } from './queueing-delay';

interface QueuedRequest {
  deadline: number;
  admit: (admitted: boolean) => void;
}

/** A request with less time left is refused: its caller would be gone before it ends. */
const LEAST_TIME_LEFT_MS = 1_000;

const current = new AsyncLocalStorage<Slot>();

/**
 * Runs at most `slots` requests at the same time; the others queue, first in, first out.
 *
 * A service that restarts while every caller retries would otherwise begin all requests at once: they would share the
 * database's connections, and all miss their deadlines. A request that would get its slot too late is refused when it
 * arrives, so that the queue holds only as many as can be served in time, and its caller knows at once. Where the service
 * becomes slower than expected, a queued request whose time is nearly over is refused at its turn and costs no work.
 *
 * A request that waits for another service releases its slot meanwhile (`releasingSlot`) and continues without queueing
 * afterwards: a service that hangs blocks no others, and a request that has begun ends before another begins.
 */
export class ConcurrencyLimiter {
  /** In the order of arrival. */
  private readonly queue: QueuedRequest[] = [];
  private readonly delay = new QueueingDelay();
  private slotsInUse = 0;

  constructor(private readonly slots: number) {}

  /**
   * @param deadline of the request, in epoch milliseconds
   * @throws what `tooLate` returns when no slot is free in time
   */
  async run<Result>(deadline: number, work: () => Promise<Result>, tooLate: () => Error): Promise<Result> {
    if (!(await this.isAdmitted(deadline))) throw tooLate();
    const slot = new Slot(this);
    return current.run(slot, work).finally(() => {
      slot.end();
    });
  }

  /** For a request that has begun already: it does not queue, so that more slots may be in use than there are. */
  reserveSlot(): void {
    this.slotsInUse += 1;
  }

  releaseSlot(): void {
    this.slotsInUse -= 1;
    if (this.slotsInUse >= this.slots) return;
    const now = Date.now();
    for (let oldest = this.queue.shift(); oldest; oldest = this.queue.shift()) {
      if (!isTooLate(oldest.deadline, now)) {
        this.delay.completed(now, true);
        this.reserveSlot();
        oldest.admit(true);
        return;
      }
      oldest.admit(false);
    }
    this.delay.completed(now, false);
  }

  private isAdmitted(deadline: number): Promise<boolean> {
    if (this.slotsInUse < this.slots) {
      this.reserveSlot();
      return Promise.resolve(true);
    }
    const now = Date.now();
    if (isTooLate(deadline, now + this.delay.expectedMs(now, this.queue.length + 1))) return Promise.resolve(false);
    return new Promise((admit) => this.queue.push({ deadline, admit }));
  }
}

const isTooLate = (deadline: number, startsAt: number): boolean => deadline < startsAt + LEAST_TIME_LEFT_MS;

/** The slot of one request, which may wait for several calls at the same time, and for some beyond its own end. */
class Slot {
  private pendingCalls = 0;
  private ended = false;

  constructor(private readonly limiter: ConcurrencyLimiter) {}

  async releasedDuring<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.ended) return call();
    this.pendingCalls += 1;
    if (this.pendingCalls === 1) this.limiter.releaseSlot();
    try {
      return await call();
    } finally {
      this.pendingCalls -= 1;
      if (this.pendingCalls === 0 && !this.hasEnded()) this.limiter.reserveSlot();
    }
  }

  end(): void {
    this.ended = true;
    if (this.pendingCalls === 0) this.limiter.releaseSlot();
  }

  /** `end` may have been called during an await, which the compiler does not see of a field. */
  private hasEnded(): boolean {
    return this.ended;
  }
}

/** Releases the slot of the current request, if it has one, for as long as the call takes. */
export function releasingSlot<Result>(call: () => Promise<Result>): Promise<Result> {
  const slot = current.getStore();
  return slot ? slot.releasedDuring(call) : call();
}
