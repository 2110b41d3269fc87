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
   * The next request, of each caller in turn: one that sends thousands waits for its own, and the others don't.
   *
   * @returns with it `queued`, as many as there would be if every caller had sent as many as this one, at most as many as
   *   there are: one that has few is not turned away for those of another
   */
  next(): { request: Request; queued: number } | undefined {
    for (const [caller, requests] of this.ofCallers) {
      const queued = Math.min(this.total, requests.length * this.ofCallers.size);
      const request = requests.shift() as Request;
      this.ofCallers.delete(caller);
      if (requests.length > 0) this.ofCallers.set(caller, requests);
      this.total -= 1;
      return { request, queued: queued - 1 };
    }
    return undefined;
  }
}

/** By whom a request is counted. */
export interface RequestCaller {
  address: string;
  /** Of a key that was found valid lately. */
  merchant: string | undefined;
}

/**
 * Those of merchants, by merchant, and all others, by address. The two take turns, and are counted apart: an attacker
 * without a key can have more addresses than there is room for requests, and no merchant's requests wait for those.
 */
export class RequestQueues<Request> {
  private readonly ofMerchants = new RequestQueue<Request>();
  private readonly ofOthers = new RequestQueue<Request>();
  private wasMerchants = false;

  get isEmpty(): boolean {
    return this.ofMerchants.isEmpty && this.ofOthers.isEmpty;
  }

  add({ address, merchant }: RequestCaller, request: Request): void {
    if (merchant === undefined) this.ofOthers.add(address, request);
    else this.ofMerchants.add(merchant, request);
  }

  next(): ReturnType<RequestQueue<Request>['next']> {
    this.wasMerchants = !this.wasMerchants && !this.ofMerchants.isEmpty;
    const [first, second] = this.wasMerchants ? [this.ofMerchants, this.ofOthers] : [this.ofOthers, this.ofMerchants];
    return first.next() ?? second.next();
  }
}
