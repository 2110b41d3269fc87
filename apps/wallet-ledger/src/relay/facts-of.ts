import { FactTransaction, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { RecordedEvent, TransactionStatus } from '@stablecoin/ledger-domain/events';

/** The groups of consecutive events, in order. The last group may be incomplete. */
export function groupsOf(events: readonly RecordedEvent[]): RecordedEvent[][] {
  const groups: RecordedEvent[][] = [];
  for (const recorded of events) {
    const current = groups.at(-1);
    if (current?.[0]?.group === recorded.group) current.push(recorded);
    else groups.push([recorded]);
  }
  return groups;
}

/** The ids of the transactions that a group opens or moves, each with its status after the group. */
export function statusesAfter(group: readonly RecordedEvent[]): Map<string, TransactionStatus> {
  const statuses = new Map<string, TransactionStatus>();
  for (const { event } of group) {
    if (event.type === 'TransactionStatusChanged') statuses.set(event.transaction, event.to);
    else if (event.type === 'DebitPosted' && event.opens) statuses.set(event.opens.id, 'PENDING');
    else if (event.type === 'PayoutApproved' || event.type === 'PayoutReleased')
      statuses.set(event.transaction, 'PENDING');
  }
  return statuses;
}

/**
 * The fact by which the other services learn of a group of events.
 *
 * @param transactions those that the group names; only fields that never change are read, so a later state does no harm
 */
export function factOf(group: readonly RecordedEvent[], transactions: ReadonlyMap<string, Transaction>): LedgerFact {
  const last = group.at(-1);
  if (!last) throw new Error('a group has at least one event');
  const { shard, position, movement, recorded_at, merchant_id, customer_id } = last;
  const named = chainNamesIn(group);
  const moved = [...statusesAfter(group)].map(([id, status]) =>
    factTransaction(transactions.get(id), status, named.get(id), group),
  );
  const common = { shard, position, movement, recorded_at, merchant_id, customer_id, transactions: moved };
  return { ...common, ...openedIn(group) };
}

/** The wallet that a group opens and the deposit addresses that it adds: the watcher of deposits needs them. */
function openedIn(group: readonly RecordedEvent[]): Pick<LedgerFact, 'wallet' | 'deposit_addresses'> {
  const events = group.map(({ event }) => event);
  const opened = events.find((event) => event.type === 'WalletOpened');
  const added = events.filter((event) => event.type === 'DepositAddressAdded');
  if (!opened && added.length === 0) return {};
  return {
    ...(opened && { wallet: { id: opened.wallet_id, currency: opened.currency } }),
    deposit_addresses: added.map(({ wallet_id, network, address }) => ({ wallet_id, network, address })),
  };
}

/** What a payout's end says of it: by the event and not the transaction, which may have got another name since. */
const chainNamesIn = (group: readonly RecordedEvent[]): Map<string, string> =>
  new Map(
    group.flatMap(({ event }): [string, string][] =>
      event.type === 'TransactionStatusChanged' && event.crypto_transaction_id
        ? [[event.transaction, event.crypto_transaction_id]]
        : [],
    ),
  );

function factTransaction(
  transaction: Transaction | undefined,
  status: TransactionStatus,
  chainName: string | undefined,
  group: readonly RecordedEvent[],
): FactTransaction {
  if (!transaction) throw new Error('a group names a transaction that has no row');
  const { id, transaction_id, reference_id, transaction_type, transaction_mode, wallet_id } = transaction;
  const { network, bank_code, recipient_currency, sealed_destination, currency, amount } = transaction;
  const { crypto_transaction_id } = transaction;
  return {
    id,
    transaction_id,
    reference_id,
    transaction_type,
    transaction_mode,
    wallet_id,
    network,
    bank_code,
    recipient_currency,
    sealed_destination,
    currency,
    amount,
    status,
    ...(transaction_type === 'DEPOSIT' && {
      reference: transaction.reason ?? crypto_transaction_id,
      ...(crypto_transaction_id !== null && { crypto_transaction_id }),
    }),
    ...waitAfter(group, transaction),
    ...(transaction_type === 'PAYOUT' && chainName !== undefined && { crypto_transaction_id: chainName }),
  };
}

/** What was to be approved, and what a payout waits for after a group that judges or approves it: fields that never change. */
function waitAfter(
  group: readonly RecordedEvent[],
  { under_policy }: Transaction,
): Pick<FactTransaction, 'waiting' | 'approval_hash'> {
  const [first] = group;
  if (!under_policy) return {};
  const { approval, send_after } = under_policy;
  if (first?.movement !== 'payout-waiting' && first?.movement !== 'payout-approved') {
    return approval ? { approval_hash: approval.hash } : {};
  }
  const approvals = group.map(({ event }) => (event.type === 'PayoutApproved' ? event.approvals : 0));
  if (approval && Math.max(...approvals) < approval.approvers) {
    return { waiting: { for: 'approval', until: approval.expires_at }, approval_hash: approval.hash };
  }
  if (send_after === undefined) throw new Error('a payout waits, and for nothing');
  return { waiting: { for: 'cooling_off', until: send_after }, ...(approval && { approval_hash: approval.hash }) };
}
