import { AsyncLocalStorage } from 'node:async_hooks';

interface Waiting {
  deadline: number;
  called: (begins: boolean) => void;
}

/** With less time left it is not worth beginning: whoever asked would be gone before it ends. */
const ENOUGH_MS = 1_000;

const current = new AsyncLocalStorage<Place>();

/**
 * So many requests are worked on at the same time; the others wait, and the last that came is the first to have a place.
 * A service that is asked for more than it can do, as one is that comes back while everybody asks again, would otherwise
 * begin everything and end nothing: all requests go through its database's connections in step, and all deadlines pass on
 * the way. In the order of arrival it would do what its callers are about to give up. Who has waited too long is told so.
 *
 * A request that waits for somebody else leaves its place meanwhile (`leavingPlace`), and goes on at once afterwards: others
 * are not held up by a service that hangs, and what was begun is ended before more is begun.
 */
export class Places {
  /** In the order of arrival. */
  private readonly waiting: Waiting[] = [];
  private taken = 0;

  constructor(private readonly places: number) {}

  /**
   * @param deadline of the request, in epoch milliseconds
   * @throws what `tooLate` gives when there is no place in time
   */
  async work<Result>(deadline: number, work: () => Promise<Result>, tooLate: () => Error): Promise<Result> {
    if (!(await this.begins(deadline))) throw tooLate();
    const place = new Place(this);
    return current.run(place, work).finally(() => place.end());
  }

  /** Of somebody who has begun: without waiting, there may be one more at work than there are places. */
  take(): void {
    this.taken += 1;
  }

  leave(): void {
    this.taken -= 1;
    if (this.taken >= this.places) return;
    const late = ({ deadline }: Waiting): boolean => deadline < Date.now() + ENOUGH_MS;
    while (this.waiting[0] && late(this.waiting[0])) this.waiting.shift()?.called(false);
    for (let last = this.waiting.pop(); last; last = this.waiting.pop()) {
      if (!late(last)) {
        this.take();
        return last.called(true);
      }
      last.called(false);
    }
  }

  private begins(deadline: number): Promise<boolean> {
    if (this.taken >= this.places) return new Promise((called) => this.waiting.push({ deadline, called }));
    this.take();
    return Promise.resolve(true);
  }
}

/** What one request has of its places: it may wait for several others at the same time, and for some beyond its end. */
class Place {
  private waits = 0;
  private ended = false;

  constructor(private readonly places: Places) {}

  async leftFor<Result>(wait: () => Promise<Result>): Promise<Result> {
    if (this.ended) return wait();
    this.waits += 1;
    if (this.waits === 1) this.places.leave();
    try {
      return await wait();
    } finally {
      this.waits -= 1;
      if (this.waits === 0 && !this.ended) this.places.take();
    }
  }

  end(): void {
    this.ended = true;
    if (this.waits === 0) this.places.leave();
  }
}

/** Waits for somebody else, and leaves the place that this request has, if it has one, to others meanwhile. */
export function leavingPlace<Result>(wait: () => Promise<Result>): Promise<Result> {
  const place = current.getStore();
  return place ? place.leftFor(wait) : wait();
}
