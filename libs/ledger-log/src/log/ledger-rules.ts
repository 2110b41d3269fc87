/**
 * Whether an event keeps the ledger's rules, given the state that the log before it amounts to. It shares no code with the
 * decider on purpose: it judges the outcome, so that a mistake in the decider is found here.
 */
import { placeProblem, typeProblem } from './movement-shape';
import {
  approvalRule,
  judgementRule,
  openingJudgementRule,
  policyRule,
  releaseRule,
  rejectionRule,
  unjudgedRule,
} from './policy-rules';
import { assertNever } from '@stablecoin/ledger-domain/assert-never';
import {
  CreditPosted,
  DebitPosted,
  DepositAddressAdded,
  Movement,
  OpenedTransaction,
  RecordedEvent,
  TransactionStatus,
  TransactionStatusChanged,
  TransactionType,
  WalletOpened,
} from '@stablecoin/ledger-domain/events';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { transactionCode } from '@stablecoin/ledger-domain/transaction-code';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';

/** The allowed changes of a transaction's status after its beginning as PENDING. */
const TRANSITIONS: Record<TransactionType, readonly `${TransactionStatus} → ${TransactionStatus}`[]> = {
  DEPOSIT: ['PENDING → COMPLETED', 'PENDING → FAILED', 'COMPLETED → REVERSED'],
  'INTERNAL TRANSFER': ['PENDING → COMPLETED'],
  PAYOUT: ['PENDING → COMPLETED', 'PENDING → FAILED', 'COMPLETED → REVERSED'],
};

/**
 * @param ledger as it was before the event, with all that the event names
 * @returns what is wrong with it
 */
export function ruleBroken(ledger: LedgerView, recorded: RecordedEvent): string | undefined {
  const { event } = recorded;
  const problem = openRule(ledger, recorded);
  if (problem) return problem;
  switch (event.type) {
    case 'WalletOpened':
      return walletRule(ledger, recorded, event);
    case 'DepositAddressAdded':
      return addressRule(ledger, recorded, event);
    case 'CustomerClosed':
      return closingRule(ledger, recorded);
    case 'DebitPosted':
    case 'CreditPosted':
      return postingRule(ledger, recorded, event);
    case 'TransactionStatusChanged':
      return statusRule(ledger, recorded, event);
    case 'PolicyChanged':
      return policyRule(ledger, recorded, event);
    case 'PolicyApplied':
      return judgementRule(ledger, recorded, event);
    case 'PayoutApproved':
      return approvalRule(ledger, recorded, event);
    case 'PayoutReleased':
      return releaseRule(ledger, recorded, event);
    case 'PayoutRejected':
      return rejectionRule(ledger, recorded, event);
    default:
      return assertNever(event);
  }
}

/** Nothing of a closed customer moves any more: there is nothing left, and nothing under way. */
function closingRule(ledger: LedgerView, recorded: RecordedEvent): string | undefined {
  if (recorded.customer_id === null) return 'closes no customer';
  if (ledger.isClosed(recorded)) return 'the customer is closed already';
  if (ledger.closedBy(recorded.customer_id) !== undefined)
    return 'the customer is closed already, as another merchant’s';
  const accounts = ledger.walletsOf(recorded).map(({ id, currency }) => ledger.account(id, currency));
  const isEmpty = accounts.every(({ balance, open_transactions }) => balance.isZero() && open_transactions === 0);
  return isEmpty ? undefined : 'closes a customer who has money, or of whom something is under way';
}

/** Movements that a customer asks for, or of whom money arrives: of one who is closed there are none. */
export const OF_OPEN_CUSTOMERS: ReadonlySet<Movement> = new Set([
  ...(['wallet-opened', 'deposit-address-added', 'deposit-recorded'] as const),
  ...(['payout-accepted', 'payout-waiting', 'swap-accepted'] as const),
]);

function openRule(ledger: LedgerView, recorded: RecordedEvent): string | undefined {
  return OF_OPEN_CUSTOMERS.has(recorded.movement) && ledger.isClosed(recorded)
    ? `a ${recorded.movement} of a customer who is closed`
    : undefined;
}

/** What goes on to the merchant behind a return is all that a closed customer has. */
function onwardRule(ledger: LedgerView, recorded: RecordedEvent, after: Money): string | undefined {
  if (recorded.movement !== 'transfer-sent') return undefined;
  if (!ledger.isClosed(recorded)) return 'passes on the money of a customer who is not closed';
  return after.isZero() ? undefined : `passes on a part of what a closed customer has: ${after.toString()} is left`;
}

function walletRule(ledger: LedgerView, recorded: RecordedEvent, event: WalletOpened): string | undefined {
  if (ledger.wallet(event.wallet_id)) return 'the wallet is open already';
  if (ledger.walletOf(recorded, event.currency)) return 'the owner has a wallet of this currency already';
  return balanceRule(Money.zero(event.currency), event.balance_after);
}

function addressRule(ledger: LedgerView, recorded: RecordedEvent, event: DepositAddressAdded): string | undefined {
  const wallet = ledger.wallet(event.wallet_id);
  if (!wallet || !isOwner(wallet, recorded)) return 'the wallet is not the owner’s';
  if (wallet.addresses.some(({ network }) => network === event.network))
    return 'the wallet has an address there already';
  return balanceRule(ledger.account(wallet.id, wallet.currency).balance, event.balance_after);
}

function postingRule(
  ledger: LedgerView,
  recorded: RecordedEvent,
  event: DebitPosted | CreditPosted,
): string | undefined {
  const { account_id, currency } = event;
  const amount = Money.parseSigned(currency, event.amount);
  if (!amount.isPositive()) return 'the amount is not positive';
  const opens = event.type === 'DebitPosted' ? event.opens : undefined;
  const problem =
    accountRule(ledger, recorded, account_id, currency) ??
    outsideRule(event, opens ?? ledger.transaction(event.transaction));
  if (problem) return problem;
  const transaction = opens ?? ledger.transaction(event.transaction);
  if (transaction?.id !== event.transaction) return 'the transaction is not open';
  const before = ledger.account(account_id, currency).balance;
  const after = event.type === 'DebitPosted' ? before.minus(amount) : before.plus(amount);
  return (
    balanceRule(after, event.balance_after) ??
    coverRule(ledger, recorded, event, after) ??
    (isWallet(account_id) && event.type === 'DebitPosted' ? onwardRule(ledger, recorded, after) : undefined) ??
    (opens && (openingRule(ledger, recorded, opens) ?? debitRule(event, opens))) ??
    placeProblem(recorded, event, transaction) ??
    (event.type === 'DebitPosted' && event.judged && opens
      ? openingJudgementRule(ledger, recorded, opens, event.judged)
      : undefined)
  );
}

/** No debit takes a wallet below zero but the reversal of one of its deposits, of exactly that deposit's amount. */
function coverRule(
  ledger: LedgerView,
  { movement }: RecordedEvent,
  event: DebitPosted | CreditPosted,
  after: Money,
): string | undefined {
  if (event.type !== 'DebitPosted' || !isWallet(event.account_id)) return undefined;
  if (movement !== 'deposit-reversed') {
    return after.isNegative() ? `the wallet is below zero: ${after.toString()}` : undefined;
  }
  const deposit = ledger.transaction(event.transaction);
  const reverses =
    deposit?.transaction_type === 'DEPOSIT' &&
    deposit.status === 'COMPLETED' &&
    deposit.wallet_id === event.account_id &&
    deposit.amount === event.amount;
  return reverses ? undefined : 'reverses no completed deposit of this wallet and amount';
}

/** What enters or leaves is booked where its transaction says: at the banks, or on its network. */
function outsideRule(
  { account_id, currency }: DebitPosted | CreditPosted,
  transaction: { network?: string | null } | undefined,
): string | undefined {
  if (!account_id.startsWith('external:')) return undefined;
  if (!transaction) return undefined;
  const network = transaction.network ?? null;
  // Versions before had one account for all networks.
  const expected = network === null ? ['bank'] : [network, 'chain'];
  if (expected.some((outside) => account_id === `external:${outside}:${currency}`)) return undefined;
  return `books at ${account_id} what its transaction has on ${network ?? 'no network'}`;
}

function accountRule(ledger: LedgerView, recorded: RecordedEvent, id: string, currency: Currency): string | undefined {
  if (!isWallet(id)) return id.endsWith(`:${currency}`) ? undefined : 'the account is of another currency';
  const wallet = ledger.wallet(id);
  if (!wallet || !isOwner(wallet, recorded)) return 'the wallet is not the owner’s';
  return wallet.currency === currency ? undefined : 'the wallet is of another currency';
}

/** A transaction that begins with a debit takes its amount and its fee from its own wallet. */
function debitRule(event: DebitPosted | CreditPosted, opens: OpenedTransaction): string | undefined {
  const amount = Money.parseSigned(opens.currency, opens.amount);
  const total = opens.fee === undefined ? amount : amount.plus(Money.parseSigned(opens.currency, opens.fee));
  if (opens.transaction_mode !== 'DEBIT' || opens.wallet_id !== event.account_id) {
    return 'debits another wallet than that of its transaction';
  }
  return total.toString() === event.amount
    ? undefined
    : `debits ${event.amount} for a transaction of ${total.toString()}`;
}

function openingRule(ledger: LedgerView, recorded: RecordedEvent, opens: OpenedTransaction): string | undefined {
  if (ledger.transaction(opens.id) ?? ledger.transaction(opens.transaction_id))
    return 'the transaction is open already';
  return (
    typeProblem(recorded, opens) ??
    accountRule(ledger, recorded, opens.wallet_id, opens.currency) ??
    nameRule(ledger, recorded, opens)
  );
}

/** What merchants see of it beside its amount: its code follows from its place, and its wallets are those that it moves money between. */
function nameRule(ledger: LedgerView, recorded: RecordedEvent, opens: OpenedTransaction): string | undefined {
  const { movement, shard, group, position, merchant_id } = recorded;
  const isBought = movement === 'swap-accepted' && opens.transaction_mode === 'CREDIT';
  if (opens.transaction_id !== transactionCode(shard, isBought ? group + 1 : position))
    return `has another code than that of its place: ${opens.transaction_id}`;
  const { sender_wallet_id: sender, receiver_wallet_id: receiver } = opens;
  const [own, other] = opens.transaction_mode === 'DEBIT' ? [sender, receiver] : [receiver, sender];
  const isTransfer = opens.transaction_type === 'INTERNAL TRANSFER';
  if (own !== opens.wallet_id || (other !== undefined) !== isTransfer) return 'names other wallets than its own';
  const wallet = other === undefined ? undefined : ledger.wallet(other);
  // The merchant's, which is opened next where there was none.
  if (!isTransfer || (!wallet && movement === 'transfer-sent')) return undefined;
  const isItsOwn =
    movement === 'swap-accepted' ? wallet && isOwner(wallet, recorded) : wallet?.merchant_id === merchant_id;
  return isItsOwn ? undefined : 'names other wallets than its own';
}

function statusRule(ledger: LedgerView, recorded: RecordedEvent, event: TransactionStatusChanged): string | undefined {
  const transaction = event.opens ?? ledger.transaction(event.transaction);
  if (transaction?.id !== event.transaction) return 'the transaction is not open';
  if (transaction.wallet_id !== event.account_id) return 'names another wallet than that of its transaction';
  const problem =
    unjudgedRule(ledger, recorded, event) ??
    accountRule(ledger, recorded, event.account_id, transaction.currency) ??
    (event.opens ? openingRule(ledger, recorded, event.opens) : undefined) ??
    transitionRule(event, 'status' in transaction ? transaction.status : null, transaction.transaction_type);
  return problem ?? balanceRule(ledger.account(event.account_id, transaction.currency).balance, event.balance_after);
}

function transitionRule(
  event: TransactionStatusChanged,
  status: TransactionStatus | null,
  type: TransactionType,
): string | undefined {
  if (event.from !== status) return `changes the status from ${event.from ?? 'none'}, but it is ${status ?? 'none'}`;
  const legal =
    event.from === null ? event.to === 'PENDING' : TRANSITIONS[type].includes(`${event.from} → ${event.to}`);
  return legal ? undefined : `${type}: the status can’t change from ${event.from ?? 'none'} to ${event.to}`;
}

function balanceRule(expected: Money, stated: string): string | undefined {
  return expected.toString() === stated
    ? undefined
    : `balance_after is ${stated}, by the events before it is ${expected.toString()}`;
}

const isWallet = (accountId: string) => !accountId.includes(':');

function isOwner(wallet: { merchant_id: string; customer_id: string | null }, recorded: RecordedEvent): boolean {
  return wallet.merchant_id === recorded.merchant_id && wallet.customer_id === recorded.customer_id;
}
