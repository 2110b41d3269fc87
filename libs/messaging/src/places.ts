interface Waiting {
  deadline: number;
  called: (begins: boolean) => void;
}

/** With less time left it is not worth beginning: whoever asked would be gone before it ends. */
const ENOUGH_MS = 1_000;

/**
 * So many requests are worked on at the same time; the others wait, and the last that came is the first to have a place.
 * A service that is asked for more than it can do, as one is that comes back while everybody asks again, would otherwise
 * begin everything and end nothing: all requests go through its database's connections in step, and all deadlines pass on
 * the way. In the order of arrival it would do what its callers are about to give up. Who has waited too long is told so.
 */
export class Places {
  /** In the order of arrival. */
  private readonly waiting: Waiting[] = [];
  private taken = 0;

  constructor(private readonly places: number) {}

  /**
   * @param deadline of the request, in epoch milliseconds
   * @returns whether it has a place, to be given back by `leave`; without one it is too late for it
   */
  take(deadline: number): Promise<boolean> {
    if (this.taken >= this.places) return new Promise((called) => this.waiting.push({ deadline, called }));
    this.taken += 1;
    return Promise.resolve(true);
  }

  leave(): void {
    this.taken -= 1;
    const late = ({ deadline }: Waiting): boolean => deadline < Date.now() + ENOUGH_MS;
    while (this.waiting[0] && late(this.waiting[0])) this.waiting.shift()?.called(false);
    for (let last = this.waiting.pop(); last; last = this.waiting.pop()) {
      if (!late(last)) {
        this.taken += 1;
        return last.called(true);
      }
      last.called(false);
    }
  }
}
