import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { currentRequest } from './request-context';

/** The call was not sent, because as many as may wait for this service already do: nothing was done. */
export class ServiceFull extends Refusal {
  constructor(readonly service: string) {
    super('unavailable', undefined, true);
  }
}

/**
 * Counts the requests that wait for each service: several that share one call count as several, and one that makes
 * several calls at a time, such as a list that looks up the owner of each row, as one. The bound keeps a service that hangs
 * from holding up requests that don't need it: without it they would in time take all of the gateway's capacity.
 */
export class Bulkheads {
  /** By service: the requests that wait for it, each with the number of its calls. */
  private readonly waiting = new Map<string, Map<object, number>>();

  constructor(private readonly mostPerService: number) {}

  isFull(service: string): boolean {
    return this.waitingFor(service).size >= this.mostPerService;
  }

  /** @throws ServiceFull before anything is begun */
  async within<Reply>(subject: string, reply: () => Promise<Reply>): Promise<Reply> {
    const service = serviceOf(subject);
    const waiting = this.waitingFor(service);
    // A call that no request asked for counts by itself.
    const request = currentRequest() ?? {};
    const calls = waiting.get(request) ?? 0;
    if (calls === 0 && this.isFull(service)) throw new ServiceFull(service);
    waiting.set(request, calls + 1);
    try {
      return await reply();
    } finally {
      const left = (waiting.get(request) ?? 1) - 1;
      if (left > 0) waiting.set(request, left);
      else waiting.delete(request);
    }
  }

  private waitingFor(service: string): Map<object, number> {
    const known = this.waiting.get(service);
    if (known) return known;
    const waiting = new Map<object, number>();
    this.waiting.set(service, waiting);
    return waiting;
  }
}

/** `wallet` of `wallet.get-wallet`: a subject's first word names the service that answers it. */
const serviceOf = (subject: string): string => subject.split('.', 1)[0] as string;
