/**
 * Whether the log keeps its merchants' policies: no payout beyond a limit, none let go before it was approved by keys that
 * did not create it, and none settled before it was let go. It judges by folds of the log and shares no code with the
 * ledger's own judgement.
 */
import { payoutContentHash } from '@stablecoin/event-chain/payout-content';
import { Transaction, UnderPolicy } from '@stablecoin/ledger-domain/entities';
import {
  JudgedPayout,
  OpenedTransaction,
  PayoutApproved,
  PayoutLimit,
  PayoutRejected,
  PayoutReleased,
  PolicyApplied,
  PolicyChanged,
  RecordedEvent,
  Signer,
  TransactionStatusChanged,
} from '@stablecoin/ledger-domain/events';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import {
  Bucket,
  PayoutUsage,
  ROLLING_PERIODS,
  RollingPeriod,
  usageName,
  UsageSubject,
} from '@stablecoin/ledger-domain/payout-usage';
import { Money } from '@stablecoin/money/money';

export function policyRule(
  ledger: LedgerView,
  { merchant_id }: RecordedEvent,
  event: PolicyChanged,
): string | undefined {
  const expected = (ledger.policy(merchant_id)?.policy_version ?? 0) + 1;
  return event.policy_version === expected
    ? undefined
    : `is version ${event.policy_version} of the policy, after which version ${expected} was missing`;
}

/** A judgement follows the opening of its payout, is by the policy in force, and finds nothing over a limit. */
export function judgementRule(ledger: LedgerView, recorded: RecordedEvent, event: PolicyApplied): string | undefined {
  const payout = ownPayout(ledger, recorded, event.transaction);
  if (!payout || payout.under_policy || payout.status !== 'PENDING') return 'judges no payout that was just opened';
  return soundJudgement(ledger, recorded, payout, event);
}

/** The same of a judgement that stands in the opening of a payout that does not wait. */
export function openingJudgementRule(
  ledger: LedgerView,
  recorded: RecordedEvent,
  opens: OpenedTransaction,
  judged: JudgedPayout,
): string | undefined {
  if (opens.transaction_type !== 'PAYOUT') return 'judges no payout that was just opened';
  const { merchant_id, customer_id } = recorded;
  return soundJudgement(ledger, recorded, { ...opens, merchant_id, customer_id }, judged);
}

/** A log's times may be ahead of the clock that was decided by: instances write whose clocks are up to 5 s off, in either direction. */
const CLOCKS_MS = 10_000;

type JudgedAs = JudgedPayout & Pick<PolicyApplied, 'created_by' | 'approval' | 'send_after'>;
type Payout = OpenedTransaction & Pick<Transaction, 'merchant_id' | 'customer_id'>;

function soundJudgement(
  ledger: LedgerView,
  recorded: RecordedEvent,
  payout: Transaction | Payout,
  event: JudgedAs,
): string | undefined {
  const inForce = ledger.policy(recorded.merchant_id);
  if (inForce?.policy_version !== event.policy_version) return 'judges by a policy that is not in force';
  const waits = event.approval !== undefined || event.send_after !== undefined;
  if (waits !== (recorded.movement === 'payout-waiting')) return 'lets a payout go that has to wait';
  if (waits && !event.created_by) return 'does not say who created a payout that waits';
  const { limits, approval, new_destination_wait_seconds } = inForce.policy;
  const named = limits.filter(({ currency }) => currency === payout.currency);
  if (named.length === 0) return `the policy lets no ${payout.currency} go out`;
  const broken = named.find((limit) => isBroken(limit, payout, event.destination, ledger, recorded));
  if (broken) return `is over the limit of the ${broken.per} per ${broken.within}`;
  const usageOf = (subject: UsageSubject) => ledger.payoutUsage(usageName(recorded.merchant_id, subject));
  const destination = usageOf(`destination:${event.destination}`);
  const rail = usageOf(`rail:${payout.network ?? 'bank'}`);
  const isAbove = approval?.above.some(
    ({ currency, amount }) => currency === payout.currency && unitsOf(payout) > unitsOf({ currency, amount }),
  );
  const needsApproval =
    Boolean(isAbove) ||
    (approval?.new_destination === true && destination.released_at === null) ||
    (approval?.new_rail === true && rail.released_at === null);
  if (needsApproval && !event.approval) return 'lets a payout go that needs an approval';
  if (event.approval && event.approval.approvers !== approval?.approvers)
    return 'asks for other approvals than its policy';
  if (event.approval && event.approval.hash !== payoutContentHash(contentOf(payout)))
    return 'asks to approve other than what is sent';
  const expiresMs = Date.parse(recorded.recorded_at) + (approval?.expires_after_seconds ?? 0) * 1_000;
  if (event.approval && !isJustBefore(event.approval.expires_at, expiresMs))
    return 'gives its approvals another time than its policy';
  const firstMs = Date.parse(destination.first_at ?? recorded.recorded_at);
  const untilMs = firstMs + new_destination_wait_seconds * 1_000;
  const hasToWait = destination.released_at === null && untilMs > Date.parse(recorded.recorded_at);
  if (event.send_after && Date.parse(event.send_after) > untilMs + CLOCKS_MS)
    return `keeps a payout back until ${event.send_after}, which its policy does not`;
  if (!hasToWait) return undefined;
  if (!event.send_after) return 'lets a payout go to a destination that is too new';
  return Date.parse(event.send_after) < untilMs - CLOCKS_MS
    ? `lets a payout go to a destination that is too new: from ${event.send_after} on`
    : undefined;
}

const isJustBefore = (time: string, ms: number): boolean =>
  Date.parse(time) <= ms && Date.parse(time) >= ms - CLOCKS_MS;

function contentOf({ id, merchant_id, customer_id, currency, amount, ...payout }: Transaction | Payout) {
  const { network = null, bank_code = null, recipient_currency = null, sealed_destination = null } = payout;
  const fixed = { id, merchant_id, customer_id, currency, amount };
  return { ...fixed, network, bank_code, recipient_currency, sealed_destination };
}

function isBroken(
  { per, within, amount, count }: PayoutLimit,
  payout: Pick<Transaction, 'customer_id' | 'currency' | 'amount'>,
  destination: string,
  ledger: LedgerView,
  { recorded_at, merchant_id }: RecordedEvent,
): boolean {
  const subjects: Record<PayoutLimit['per'], UsageSubject | null> = {
    merchant: 'merchant',
    customer: payout.customer_id === null ? null : `customer:${payout.customer_id}`,
    destination: `destination:${destination}`,
  };
  const subject = subjects[per];
  if (subject === null) return false;
  const usage = ledger.payoutUsage(usageName(merchant_id, subject));
  const before = within === 'payment' ? [] : bucketsOf(usage, payout, within, recorded_at);
  const units = before.reduce((sum, [, spent]) => sum + spent, unitsOf(payout));
  const payouts = before.reduce((sum, [, , each]) => sum + each, 1);
  const isOverAmount = amount !== undefined && units > unitsOf({ currency: payout.currency, amount });
  return isOverAmount || (count !== undefined && payouts > count);
}

function bucketsOf(
  usage: PayoutUsage,
  { currency }: Pick<Transaction, 'currency'>,
  period: RollingPeriod,
  at: string,
): readonly Bucket[] {
  const { bucketMs, buckets } = ROLLING_PERIODS[period];
  const first = Math.floor(Date.parse(at) / bucketMs) - buckets;
  return usage.used[currency]?.[period].buckets.filter(([number]) => number >= first) ?? [];
}

export function approvalRule(ledger: LedgerView, recorded: RecordedEvent, event: PayoutApproved): string | undefined {
  const under = waiting(ledger, recorded, event.transaction)?.under_policy;
  if (!under?.approval) return 'approves a payout that waits for no approval';
  const { approval, approvals } = under;
  const { signer_id } = event.signer;
  if (isCreator(under, event.signer)) return 'approves a payout of its own signer';
  if (approvals.some((each) => each.signer_id === signer_id)) return 'approves twice by one signer';
  if (event.approval_hash !== approval.hash) return 'approves other than what is sent';
  if (event.approvals !== approvals.length + 1) return 'miscounts the approvals';
  if (approvals.length >= approval.approvers) return 'approves a payout that has its approvals';
  return Date.parse(recorded.recorded_at) >= Date.parse(approval.expires_at) + CLOCKS_MS
    ? `approves a payout whose time for approvals was over at ${approval.expires_at}`
    : undefined;
}

const isCreator = ({ created_by }: UnderPolicy, { key_id, signer_id }: Signer): boolean =>
  created_by?.key_id === key_id || created_by?.signer_id === signer_id;

export function releaseRule(ledger: LedgerView, recorded: RecordedEvent, event: PayoutReleased): string | undefined {
  const under = waiting(ledger, recorded, event.transaction)?.under_policy;
  if (!under) return 'lets a payout go that does not wait';
  if (under.approvals.length < (under.approval?.approvers ?? 0)) return 'lets a payout go without its approvals';
  return under.send_after !== undefined && recorded.recorded_at < under.send_after
    ? `lets a payout go before ${under.send_after}`
    : undefined;
}

export function rejectionRule(ledger: LedgerView, recorded: RecordedEvent, event: PayoutRejected): string | undefined {
  const under = waiting(ledger, recorded, event.transaction)?.under_policy;
  if (!under) return 'rejects a payout that does not wait';
  if (event.signer) return isCreator(under, event.signer) ? 'rejects a payout of its own signer' : undefined;
  const { approval, approvals } = under;
  const isExpired =
    approval !== undefined && approvals.length < approval.approvers && recorded.recorded_at >= approval.expires_at;
  return isExpired ? undefined : 'ends a wait for approvals before its time';
}

/** Of a change of status: a payout that waits is not settled, and none that opened under a policy without a judgement. */
export function unjudgedRule(
  ledger: LedgerView,
  { merchant_id }: RecordedEvent,
  { transaction: id, to }: TransactionStatusChanged,
): string | undefined {
  const payout = ledger.transaction(id);
  if (payout?.transaction_type !== 'PAYOUT') return undefined;
  if (payout.waiting_for !== null) return `${to}, of a payout that waits for ${payout.waiting_for}`;
  const since = ledger.policy(merchant_id)?.since_position;
  const isUnjudged = payout.under_policy === null && since !== undefined && payout.position > since;
  return isUnjudged ? `${to}, of a payout that its merchant's policy never judged` : undefined;
}

function ownPayout(ledger: LedgerView, { merchant_id }: RecordedEvent, id: string): Transaction | undefined {
  const payout = ledger.transaction(id);
  return payout?.transaction_type === 'PAYOUT' && payout.merchant_id === merchant_id ? payout : undefined;
}

function waiting(ledger: LedgerView, recorded: RecordedEvent, id: string): Transaction | undefined {
  const payout = ownPayout(ledger, recorded, id);
  return payout && payout.waiting_for !== null ? payout : undefined;
}

const unitsOf = ({ currency, amount }: Pick<Transaction, 'currency' | 'amount'>): bigint =>
  Money.parse(currency, amount).units;
