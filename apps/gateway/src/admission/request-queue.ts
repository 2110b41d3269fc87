/** Requests that have been read and not started yet, of each caller in the order of their arrival. */
export class RequestQueue<Request> {
  /** In the order of their turns: the caller that was served longest ago first. */
  private readonly ofCallers = new Map<string, Request[]>();
  private total = 0;

  get isEmpty(): boolean {
    return this.total === 0;
  }

  add(caller: string, request: Request): void {
    const queued = this.ofCallers.get(caller);
    if (queued) queued.push(request);
    else this.ofCallers.set(caller, [request]);
    this.total += 1;
  }

  /**
   * @returns as many as there would be before the next request of this caller if every caller had sent as many as this one,
   *   at most as many as there are: a caller that has few is not turned away for those of another
   */
  countFor(caller: string): number {
    const own = this.ofCallers.get(caller)?.length ?? 0;
    const callers = this.ofCallers.size + (own === 0 ? 1 : 0);
    return Math.min(this.total, (own + 1) * callers - 1);
  }

  /** The next request, of each caller in turn: one that sends thousands waits for its own, and the others don't. */
  next(): Request | undefined {
    for (const [caller, requests] of this.ofCallers) {
      const request = requests.shift() as Request;
      this.ofCallers.delete(caller);
      if (requests.length > 0) this.ofCallers.set(caller, requests);
      this.total -= 1;
      return request;
    }
    return undefined;
  }
}
