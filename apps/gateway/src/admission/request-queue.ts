/** Requests that have been read and not started yet, of each address in the order of their arrival. */
export class RequestQueue<Request> {
  /** In the order of their turns: the address that was served longest ago first. */
  private readonly ofAddresses = new Map<string, Request[]>();
  private total = 0;

  get isEmpty(): boolean {
    return this.total === 0;
  }

  add(address: string, request: Request): void {
    const queued = this.ofAddresses.get(address);
    if (queued) queued.push(request);
    else this.ofAddresses.set(address, [request]);
    this.total += 1;
  }

  /**
   * @returns as many as there would be before the next request of this address if every address had sent as many as this one,
   *   at most as many as there are: a caller that has few is not turned away for those of another
   */
  countFor(address: string): number {
    const own = this.ofAddresses.get(address)?.length ?? 0;
    const addresses = this.ofAddresses.size + (own === 0 ? 1 : 0);
    return Math.min(this.total, (own + 1) * addresses - 1);
  }

  /** The next request, of each address in turn: an address that sends thousands waits for its own, and the others don't. */
  next(): Request | undefined {
    for (const [address, requests] of this.ofAddresses) {
      const request = requests.shift() as Request;
      this.ofAddresses.delete(address);
      if (requests.length > 0) this.ofAddresses.set(address, requests);
      this.total -= 1;
      return request;
    }
    return undefined;
  }
}
