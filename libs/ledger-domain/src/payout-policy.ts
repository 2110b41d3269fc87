/**
 * A payout before its merchant's policy: refused where it would pass a limit, else what it has to wait for. Without a policy
 * nothing of a live merchant goes out, and everything of a test merchant.
 */
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { HoldPayout } from './commands';
import { LimitSubject, NeededApproval, PayoutLimit, PayoutPolicy, PolicyApplied, Timestamp } from './events';
import { LedgerRejection } from './ledger-rejection';
import { LedgerView } from './ledger-state';
import {
  epochMs,
  LIMIT_SUBJECTS,
  PayoutRoute,
  PayoutSubjects,
  payoutSubjects,
  PayoutUsage,
  usedWithin,
} from './payout-usage';

/** What of the event that records the judgement is known before the payout has its id. */
export type Judgement = Omit<PolicyApplied, 'type' | 'version' | 'transaction' | 'approval'> & {
  approval?: Omit<NeededApproval, 'hash'>;
};

export const POLICY_SECONDS_MAX = 30 * 86_400;

/**
 * @returns nothing where no policy holds
 * @throws LedgerRejection `limit_exceeded`
 */
export function judgedByPolicy(
  command: HoldPayout,
  amount: Money,
  ledger: LedgerView,
  now: Timestamp,
): Judgement | undefined {
  const inForce = ledger.policy(command.merchant_id);
  if (!inForce) {
    if (command.is_live) throw new LedgerRejection('limit_exceeded');
    return undefined;
  }
  const { destination_hash: destination, created_by } = command;
  // A gateway of the version before says neither where a payout goes nor whose key it is.
  if (!destination || !created_by) throw new LedgerRejection('unavailable');
  const { policy, policy_version } = inForce;
  const subjects = payoutSubjects(routeOf(command, destination));
  refuseOverLimit(policy, subjects, amount, ledger, now);
  const judged = { destination, policy_version };
  const approval = neededApproval(policy, subjects, amount, ledger, now);
  const send_after = waitOfDestination(policy, subjects, ledger, now);
  if (!approval && !send_after) return judged;
  return { ...judged, created_by, approval, send_after };
}

/** What of a payout that is asked for its subjects are made of. */
export const routeOf = ({ merchant_id, customer_id, network }: HoldPayout, destination: string): PayoutRoute => ({
  ...{ merchant_id, customer_id, destination, network: network ?? null },
});

function refuseOverLimit(
  policy: PayoutPolicy,
  subjects: PayoutSubjects,
  amount: Money,
  ledger: LedgerView,
  now: Timestamp,
): void {
  const limits = limitsOf(policy).get(amount.currency);
  if (!limits) throw new LedgerRejection('limit_exceeded');
  const nowMs = epochMs(now);
  const isOver = LIMIT_SUBJECTS.some((per) => {
    const subject = subjects[per];
    if (subject === null || limits[per].length === 0) return false;
    const usage = ledger.payoutUsage(subject);
    return limits[per].some((limit) => isOverLimit(limit, usage, amount, nowMs));
  });
  if (isOver) throw new LedgerRejection('limit_exceeded');
}

function isOverLimit(limit: ReadLimit, usage: PayoutUsage, amount: Money, nowMs: number): boolean {
  const used = limit.within === 'payment' ? NOTHING : usedWithin(usage, limit.currency, limit.within, nowMs);
  const isAmountOver = limit.units !== undefined && used.units + amount.units > limit.units;
  return isAmountOver || (limit.count !== undefined && used.count + 1 > limit.count);
}

const NOTHING = { units: 0n, count: 0 };

function neededApproval(
  { approval }: PayoutPolicy,
  subjects: PayoutSubjects,
  amount: Money,
  ledger: LedgerView,
  now: Timestamp,
): Judgement['approval'] {
  if (!approval) return undefined;
  const { currency } = amount;
  const isKnown = (subject: 'destination' | 'rail') => ledger.payoutUsage(subjects[subject]).released_at !== null;
  const isNeeded =
    approval.above.some((above) => above.currency === currency && amount.units > unitsOf(currency, above.amount)) ||
    (approval.new_destination && !isKnown('destination')) ||
    (approval.new_rail && !isKnown('rail'));
  if (!isNeeded) return undefined;
  return { approvers: approval.approvers, expires_at: later(now, approval.expires_after_seconds) };
}

/** The wait of a destination begins with the first payout that is held for it. */
function waitOfDestination(
  { new_destination_wait_seconds }: PayoutPolicy,
  { destination }: PayoutSubjects,
  ledger: LedgerView,
  now: Timestamp,
): Timestamp | undefined {
  if (new_destination_wait_seconds === 0) return undefined;
  const { first_at, released_at } = ledger.payoutUsage(destination);
  if (released_at !== null) return undefined;
  const until = later(first_at ?? now, new_destination_wait_seconds);
  return until > now ? until : undefined;
}

const later = (time: Timestamp, seconds: number): Timestamp =>
  new Date(Date.parse(time) + seconds * 1_000).toISOString();

interface ReadLimit extends PayoutLimit {
  /** Of `amount`. */
  units: bigint | undefined;
}
type LimitsOfCurrency = Record<LimitSubject, ReadLimit[]>;

/** Each policy is read once: a merchant's payouts are judged by the same one, thousands in a second. */
const readPolicies = new WeakMap<PayoutPolicy, ReadonlyMap<Currency, LimitsOfCurrency>>();

function limitsOf(policy: PayoutPolicy): ReadonlyMap<Currency, LimitsOfCurrency> {
  const known = readPolicies.get(policy);
  if (known) return known;
  const limits = new Map<Currency, LimitsOfCurrency>();
  for (const limit of policy.limits) {
    const ofCurrency = limits.get(limit.currency) ?? { merchant: [], customer: [], destination: [] };
    const units = limit.amount === undefined ? undefined : unitsOf(limit.currency, limit.amount);
    ofCurrency[limit.per].push({ ...limit, units });
    limits.set(limit.currency, ofCurrency);
  }
  readPolicies.set(policy, limits);
  return limits;
}

const unitsOf = (currency: Currency, amount: string): bigint => Money.parse(currency, amount).units;
