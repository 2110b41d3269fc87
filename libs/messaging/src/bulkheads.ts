import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** The call was not sent, because as many as may wait for this service already do: nothing was done. */
export class ServiceFull extends Refusal {
  constructor(readonly service: string) {
    super('unavailable', undefined, true);
  }
}

/**
 * Counts the requests that wait for each service; several that share one call count as several. The bound keeps a
 * service that hangs from holding up requests that don't need it: without it they would in time take all of the
 * gateway's capacity.
 */
export class Bulkheads {
  private readonly counts = new Map<string, number>();

  constructor(private readonly mostPerService: number) {}

  isFull(service: string): boolean {
    return (this.counts.get(service) ?? 0) >= this.mostPerService;
  }

  /** @throws ServiceFull before anything is begun */
  async within<Reply>(subject: string, reply: () => Promise<Reply>): Promise<Reply> {
    const service = serviceOf(subject);
    if (this.isFull(service)) throw new ServiceFull(service);
    this.add(service, 1);
    try {
      return await reply();
    } finally {
      this.add(service, -1);
    }
  }

  private add(service: string, change: number): void {
    this.counts.set(service, (this.counts.get(service) ?? 0) + change);
  }
}

/** `wallet` of `wallet.get-wallet`: a subject's first word names the service that answers it. */
const serviceOf = (subject: string): string => subject.split('.', 1)[0] as string;
