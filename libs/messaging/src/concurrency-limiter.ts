import { AsyncLocalStorage } from 'node:async_hooks';

interface QueuedRequest {
  deadline: number;
  admit: (admitted: boolean) => void;
}

/** A request with less time left is refused: its caller would be gone before it ends. */
const LEAST_TIME_LEFT_MS = 1_000;

const current = new AsyncLocalStorage<Slot>();

/**
 * Runs at most `slots` requests at the same time and queues the others, last in, first out.
 *
 * A service that restarts while every caller retries would otherwise begin all requests at once: they would share the
 * database's connections, and all miss their deadlines. First in, first out would run the requests whose callers are
 * about to give up. A queued request whose time is nearly over is refused.
 *
 * A request that waits for another service releases its slot meanwhile (`releasingSlot`) and continues without queueing
 * afterwards: a service that hangs blocks no others, and a request that has begun ends before another begins.
 */
export class ConcurrencyLimiter {
  /** In the order of arrival. */
  private readonly queue: QueuedRequest[] = [];
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
    const isTooLate = ({ deadline }: QueuedRequest): boolean => deadline < Date.now() + LEAST_TIME_LEFT_MS;
    while (this.queue[0] && isTooLate(this.queue[0])) this.queue.shift()?.admit(false);
    for (let newest = this.queue.pop(); newest; newest = this.queue.pop()) {
      if (!isTooLate(newest)) {
        this.reserveSlot();
        newest.admit(true);
        return;
      }
      newest.admit(false);
    }
  }

  private isAdmitted(deadline: number): Promise<boolean> {
    if (this.slotsInUse >= this.slots) return new Promise((admit) => this.queue.push({ deadline, admit }));
    this.reserveSlot();
    return Promise.resolve(true);
  }
}

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
