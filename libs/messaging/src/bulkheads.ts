import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** Not asked, since as many as may wait for this service already do: nothing was done. */
export class ServiceFull extends Refusal {
  constructor(readonly service: string) {
    super('unavailable', undefined, true);
  }
}

/**
 * How many wait for each service, counted by whom they keep waiting, also where several share one call. Bounded, a service
 * that hangs holds up those who need it and no others; without a bound it would in time hold all the room that there is.
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

/** `wallet` of `wallet.get-wallet`: who answers a subject is the first of its words. */
const serviceOf = (subject: string): string => subject.split('.', 1)[0] as string;
