/** Attempts at once: in all, per merchant, and per endpoint. */
export const ATTEMPTS_MAX = 64;
const PER_MERCHANT_MAX = 16;
const PER_ENDPOINT_MAX = 8;
/** At an endpoint whose last attempt timed out: enough to notice that it answers again. */
const PER_TIMED_OUT_ENDPOINT_MAX = 1;
/** Places that only a merchant without any attempt under way may take. */
const KEPT_FOR_NEWCOMERS = 16;
/** Endpoints remembered as timed out; of more, those that were remembered first are forgotten. */
const TIMED_OUT_MAX = 1_000;

/** Whose delivery it is. */
interface Delivery {
  merchant_id: string;
  endpoint_id: string;
}

/** How many deliveries may be taken, and what each merchant and endpoint occupies here already. */
export interface Room {
  total: number;
  keptForNewcomers: number;
  perMerchant: number;
  perEndpoint: number;
  ofMerchants: ReadonlyMap<string, number>;
  ofEndpoints: ReadonlyMap<string, number>;
}

/**
 * Shares a process's attempts among merchants and their endpoints, so that receivers which hang hold up their own
 * merchant's deliveries only: a merchant never has more than its share, and the last places go to merchants that have
 * none.
 */
export class DeliveryShares {
  private total = 0;
  private readonly ofMerchants = new Map<string, number>();
  private readonly ofEndpoints = new Map<string, number>();
  private readonly timedOut = new Set<string>();

  /** Undefined while every place is taken. */
  room(): Room | undefined {
    if (this.total >= ATTEMPTS_MAX) return undefined;
    return {
      total: ATTEMPTS_MAX - this.total,
      keptForNewcomers: KEPT_FOR_NEWCOMERS,
      perMerchant: PER_MERCHANT_MAX,
      perEndpoint: PER_ENDPOINT_MAX,
      ofMerchants: this.ofMerchants,
      ofEndpoints: this.occupied(),
    };
  }

  begin({ merchant_id, endpoint_id }: Delivery): void {
    this.total += 1;
    add(this.ofMerchants, merchant_id, 1);
    add(this.ofEndpoints, endpoint_id, 1);
  }

  /** @returns whether a bound may have held something back that there is room for now; once per half of a share */
  end({ merchant_id, endpoint_id }: Delivery): boolean {
    const isTight = this.total > ATTEMPTS_MAX - KEPT_FOR_NEWCOMERS;
    const wasOnly = isTight && this.ofMerchants.get(merchant_id) === 1;
    const halfFree =
      this.total === ATTEMPTS_MAX / 2 ||
      this.ofMerchants.get(merchant_id) === PER_MERCHANT_MAX / 2 ||
      this.ofEndpoints.get(endpoint_id) === PER_ENDPOINT_MAX / 2;
    this.total -= 1;
    add(this.ofMerchants, merchant_id, -1);
    add(this.ofEndpoints, endpoint_id, -1);
    return wasOnly || halfFree;
  }

  /** @returns whether the endpoint has more places from now on */
  answered({ endpoint_id }: Delivery): boolean {
    return this.timedOut.delete(endpoint_id);
  }

  didNotAnswer({ endpoint_id }: Delivery): void {
    this.timedOut.add(endpoint_id);
    const [first] = this.timedOut;
    if (this.timedOut.size > TIMED_OUT_MAX && first !== undefined) this.timedOut.delete(first);
  }

  /** An endpoint that timed out occupies all of its places but one, beside those that its attempts have. */
  private occupied(): Map<string, number> {
    const occupied = new Map(this.ofEndpoints);
    for (const endpoint of this.timedOut) add(occupied, endpoint, PER_ENDPOINT_MAX - PER_TIMED_OUT_ENDPOINT_MAX);
    return occupied;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
