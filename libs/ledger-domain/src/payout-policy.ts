/**
 * A payout before its merchant's policy: refused where it would pass a limit, else what it has to wait for. Without a policy
 * nothing of a live merchant goes out, and everything of a test merchant.
 */
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { HoldPayout } from './commands';
import { NeededApproval, PayoutLimit, PayoutPolicy, PolicyApplied, Timestamp } from './events';
import { LedgerRejection } from './ledger-rejection';
import { LedgerView } from './ledger-state';
import { LIMIT_SUBJECTS, PayoutUsage, railSubject, subjectOf, usedWithin } from './payout-usage';

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
  refuseOverLimit(policy, { ...command, destination }, amount, ledger, now);
  const judged = { policy_version, destination };
  const approval = neededApproval(policy, { ...command, destination }, amount, ledger, now);
  const send_after = waitOfDestination(policy, { ...command, destination }, ledger, now);
  if (!approval && !send_after) return judged;
  return { ...judged, created_by, approval, send_after };
}

type Outgoing = Pick<HoldPayout, 'merchant_id' | 'customer_id' | 'currency' | 'network'> & { destination: string };

function refuseOverLimit(
  { limits }: PayoutPolicy,
  payout: Outgoing,
  amount: Money,
  ledger: LedgerView,
  now: Timestamp,
): void {
  const { merchant_id, currency } = payout;
  const nowMs = Date.parse(now);
  const ofCurrency = limits.filter((limit) => limit.currency === currency);
  const isOver = LIMIT_SUBJECTS.some((per) => {
    const subject = subjectOf(per, payout);
    const ofSubject = subject === null ? [] : ofCurrency.filter((limit) => limit.per === per);
    if (subject === null || ofSubject.length === 0) return false;
    const usage = ledger.payoutUsage(merchant_id, subject);
    return ofSubject.some((limit) => isOverLimit(limit, usedOf(limit, usage, nowMs), amount));
  });
  if (ofCurrency.length === 0 || isOver) throw new LedgerRejection('limit_exceeded');
}

const usedOf = ({ within, currency }: PayoutLimit, usage: PayoutUsage, nowMs: number) =>
  within === 'payment' ? { units: 0n, count: 0 } : usedWithin(usage, currency, within, nowMs);

function isOverLimit(limit: PayoutLimit, used: { units: bigint; count: number }, amount: Money): boolean {
  const isAmountOver = limit.amount !== undefined && used.units + amount.units > limitUnitsOf(limit, limit.amount);
  return isAmountOver || (limit.count !== undefined && used.count + 1 > limit.count);
}

function neededApproval(
  { approval }: PayoutPolicy,
  { merchant_id, currency, network, destination }: Outgoing,
  amount: Money,
  ledger: LedgerView,
  now: Timestamp,
): Judgement['approval'] {
  if (!approval) return undefined;
  const isKnown = (subject: Parameters<LedgerView['payoutUsage']>[1]) =>
    ledger.payoutUsage(merchant_id, subject).released_at !== null;
  const isNeeded =
    approval.above.some((above) => above.currency === currency && amount.units > unitsOf(currency, above.amount)) ||
    (approval.new_destination && !isKnown(`destination:${destination}`)) ||
    (approval.new_rail && !isKnown(railSubject(network ?? null)));
  if (!isNeeded) return undefined;
  return { approvers: approval.approvers, expires_at: later(now, approval.expires_after_seconds) };
}

/** The wait of a destination begins with the first payout that is held for it. */
function waitOfDestination(
  { new_destination_wait_seconds }: PayoutPolicy,
  { merchant_id, destination }: Outgoing,
  ledger: LedgerView,
  now: Timestamp,
): Timestamp | undefined {
  const { first_at, released_at } = ledger.payoutUsage(merchant_id, `destination:${destination}`);
  if (new_destination_wait_seconds === 0 || released_at !== null) return undefined;
  const until = later(first_at ?? now, new_destination_wait_seconds);
  return until > now ? until : undefined;
}

const later = (time: Timestamp, seconds: number): Timestamp =>
  new Date(Date.parse(time) + seconds * 1_000).toISOString();

/** Read once from each limit of a policy: a merchant's payouts are judged by the same policy, thousands in a second. */
const unitsOfLimits = new WeakMap<PayoutLimit, bigint>();

function limitUnitsOf(limit: PayoutLimit, amount: string): bigint {
  const known = unitsOfLimits.get(limit);
  if (known !== undefined) return known;
  const units = unitsOf(limit.currency, amount);
  unitsOfLimits.set(limit, units);
  return units;
}

const unitsOf = (currency: Currency, amount: string): bigint => Money.parse(currency, amount).units;
