/**
 * How much has gone out of late, to judge the next payout by: per merchant, per customer, per destination, and whether a
 * destination or a rail was ever used. Folds of the log, like balances: a payout counts from the moment it is held, and no
 * more once it has failed.
 *
 * A period rolls by buckets: it has the bucket of the moment and as many before it as make up its length, so that it is never
 * shorter than it says, and longer by one bucket at the most. That bounds it as well: 61 + 49 + 61 buckets per currency.
 */
import { Currency } from '@stablecoin/money/currency';
import { LimitPeriod, LimitSubject, Timestamp } from './events';

export type RollingPeriod = Exclude<LimitPeriod, 'payment'>;

const MINUTE_MS = 60_000;
/** A month is 30 days. */
export const ROLLING_PERIODS: Readonly<Record<RollingPeriod, { bucketMs: number; buckets: number }>> = {
  hour: { bucketMs: MINUTE_MS, buckets: 60 },
  day: { bucketMs: 30 * MINUTE_MS, buckets: 48 },
  month: { bucketMs: 720 * MINUTE_MS, buckets: 60 },
};

/** What went out in one bucket: its number since 1970, 1e-8 units of the currency, payouts. */
export type Bucket = readonly [number: number, units: bigint, count: number];

/** Buckets in the order of time, none of them empty, with their sums. */
export interface RollingSum {
  readonly buckets: readonly Bucket[];
  readonly units: bigint;
  readonly count: number;
}

export type CurrencyUsage = Readonly<Record<RollingPeriod, RollingSum>>;

/** `merchant`, `customer:<id>`, `destination:<hash>` or `rail:<bank or network>`. */
export type UsageSubject = 'merchant' | `${'customer' | 'destination' | 'rail'}:${string}`;

/** Of whom something is counted. */
export interface UsageName {
  readonly merchant_id: string;
  readonly subject: UsageSubject;
  /** Both in one. */
  readonly key: string;
}

export interface PayoutUsage extends UsageName {
  /** When the first payout to it was held, unless that one was rejected. */
  readonly first_at: Timestamp | null;
  /** When the first payout to it was let go. */
  readonly released_at: Timestamp | null;
  readonly used: Readonly<Partial<Record<Currency, CurrencyUsage>>>;
}

/** What of a payout counts. */
export interface CountedPayout {
  merchant_id: string;
  customer_id: string | null;
  destination: string;
  network: string | null;
  currency: Currency;
  /** 1e-8 of the currency. */
  units: bigint;
}

export const LIMIT_SUBJECTS = ['merchant', 'customer', 'destination'] as const satisfies readonly LimitSubject[];

const NONE: RollingSum = { buckets: [], units: 0n, count: 0 };
const UNUSED: CurrencyUsage = { hour: NONE, day: NONE, month: NONE };

export const usageName = (merchant_id: string, subject: UsageSubject): UsageName => ({
  ...{ merchant_id, subject, key: `${merchant_id}/${subject}` },
});

export const noUsage = ({ merchant_id, subject, key }: UsageName): PayoutUsage => ({
  ...{ merchant_id, subject, key, first_at: null, released_at: null, used: {} },
});

/** Where a payout goes, and from whom: what its subjects are made of. */
export type PayoutRoute = Pick<CountedPayout, 'merchant_id' | 'customer_id' | 'destination' | 'network'>;

/** All that a payout is judged by, and counts for. The merchant's own wallets are no customer's. */
export interface PayoutSubjects extends Record<LimitSubject, UsageName | null> {
  merchant: UsageName;
  destination: UsageName;
  rail: UsageName;
  all: readonly UsageName[];
}

/** Of the last payouts, by their destinations: what is paid often is named once. */
const subjectsOfRoutes = new Map<string, { route: PayoutRoute; subjects: PayoutSubjects }>();
const ROUTES_MAX = 25_000;

export function payoutSubjects(route: PayoutRoute): PayoutSubjects {
  const known = subjectsOfRoutes.get(route.destination);
  if (known && isSameRoute(known.route, route)) return known.subjects;
  const { merchant_id, customer_id, destination, network } = route;
  const subjects = subjectsOf({ merchant_id, customer_id, destination, network });
  if (subjectsOfRoutes.size >= ROUTES_MAX) subjectsOfRoutes.clear();
  subjectsOfRoutes.set(destination, { route: { merchant_id, customer_id, destination, network }, subjects });
  return subjects;
}

const isSameRoute = (one: PayoutRoute, other: PayoutRoute) =>
  one.merchant_id === other.merchant_id && one.customer_id === other.customer_id && one.network === other.network;

function subjectsOf({ merchant_id, customer_id, destination, network }: PayoutRoute): PayoutSubjects {
  const merchant = usageName(merchant_id, 'merchant');
  const customer = customer_id === null ? null : usageName(merchant_id, `customer:${customer_id}`);
  const to = usageName(merchant_id, `destination:${destination}`);
  const rail = usageName(merchant_id, `rail:${network ?? 'bank'}`);
  return { merchant, customer, destination: to, rail, all: [merchant, ...(customer ? [customer] : []), to, rail] };
}

/** A payout was held at this time. Of a rail it only counts that there was one. */
export function withHeld(usage: PayoutUsage, { currency, units }: CountedPayout, at: Timestamp): PayoutUsage {
  if (usage.subject.startsWith('rail:')) return usage.first_at === null ? { ...usage, first_at: at } : usage;
  const used = usage.used[currency] ?? UNUSED;
  const atMs = epochMs(at);
  const added = {
    hour: withPayout(used.hour, 'hour', atMs, units),
    day: withPayout(used.day, 'day', atMs, units),
    month: withPayout(used.month, 'month', atMs, units),
  };
  return changed(usage, usage.first_at ?? at, usage.released_at, withUsed(usage, currency, added));
}

/** Field by field: three of them change with each payout, and an object made of another's members takes several times as long. */
const changed = (
  { merchant_id, subject, key }: UsageName,
  first_at: Timestamp | null,
  released_at: Timestamp | null,
  used: PayoutUsage['used'],
): PayoutUsage => ({ merchant_id, subject, key, first_at, released_at, used });

/** Most pay out in one currency. */
function withUsed({ used }: PayoutUsage, currency: Currency, added: CurrencyUsage): PayoutUsage['used'] {
  for (const other in used) if (other !== currency) return { ...used, [currency]: added };
  return { [currency]: added };
}

/** A payout that was held at this time has failed: its buckets have it no more, as far as they are still there. */
export function withoutFailed(usage: PayoutUsage, { currency, units }: CountedPayout, heldAt: Timestamp): PayoutUsage {
  const used = usage.used[currency];
  if (!used) return usage;
  const heldAtMs = epochMs(heldAt);
  const left = perPeriod((period) => withoutPayout(used[period], period, heldAtMs, units));
  return { ...usage, used: { ...usage.used, [currency]: left } };
}

/** A payout was let go: what it went to is known from now on. */
export const withReleased = (usage: PayoutUsage, at: Timestamp): PayoutUsage =>
  usage.released_at === null ? changed(usage, usage.first_at, at, usage.used) : usage;

/** A payout was rejected: where nothing was ever let go to, the wait begins anew with the next one. */
export const withRejected = (usage: PayoutUsage): PayoutUsage =>
  usage.released_at === null ? { ...usage, first_at: null } : usage;

/** What went out in a period that ends at `nowMs`, in epoch milliseconds. */
export function usedWithin(
  usage: PayoutUsage,
  currency: Currency,
  period: RollingPeriod,
  nowMs: number,
): { units: bigint; count: number } {
  return unexpired(usage.used[currency]?.[period] ?? NONE, period, nowMs);
}

let lastRead: { text: Timestamp; ms: number } = { text: '', ms: NaN };

/** All commands of a batch are decided at one time. */
export function epochMs(text: Timestamp): number {
  if (lastRead.text !== text) lastRead = { text, ms: Date.parse(text) };
  return lastRead.ms;
}

const bucketOf = (period: RollingPeriod, atMs: number): number => Math.floor(atMs / ROLLING_PERIODS[period].bucketMs);

const perPeriod = (sumOf: (period: RollingPeriod) => RollingSum): CurrencyUsage => ({
  hour: sumOf('hour'),
  day: sumOf('day'),
  month: sumOf('month'),
});

function withPayout(sum: RollingSum, period: RollingPeriod, atMs: number, amount: bigint): RollingSum {
  const { buckets, units, count } = unexpired(sum, period, atMs);
  const number = bucketOf(period, atMs);
  const last = buckets.at(-1);
  const grown = buckets.slice();
  // Recorded times never go back, so no later bucket is there.
  if (last?.[0] === number) grown[grown.length - 1] = [number, last[1] + amount, last[2] + 1];
  else grown.push([number, amount, 1]);
  return { buckets: grown, units: units + amount, count: count + 1 };
}

function withoutPayout(sum: RollingSum, period: RollingPeriod, heldAtMs: number, amount: bigint): RollingSum {
  const number = bucketOf(period, heldAtMs);
  if (!sum.buckets.some(([each]) => each === number)) return sum;
  const buckets = sum.buckets.flatMap(([each, units, count]): Bucket[] => {
    if (each !== number) return [[each, units, count]];
    return count === 1 ? [] : [[each, units - amount, count - 1]];
  });
  return { buckets, units: sum.units - amount, count: sum.count - 1 };
}

/** Without the buckets that lie before the period. */
function unexpired(sum: RollingSum, period: RollingPeriod, nowMs: number): RollingSum {
  const first = bucketOf(period, nowMs) - ROLLING_PERIODS[period].buckets;
  let expired = 0;
  let { units, count } = sum;
  for (const [number, spent, payouts] of sum.buckets) {
    if (number >= first) break;
    expired += 1;
    units -= spent;
    count -= payouts;
  }
  return expired === 0 ? sum : { buckets: sum.buckets.slice(expired), units, count };
}

/** The sums of buckets that were stored without them. */
export function rollingSum(buckets: readonly Bucket[]): RollingSum {
  return buckets.reduce<RollingSum>(
    (sum, [, units, count]) => ({ buckets, units: sum.units + units, count: sum.count + count }),
    NONE,
  );
}
