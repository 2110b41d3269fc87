/**
 * The ledger's decision on a command: the groups of events that follow, or a `LedgerRejection`. Pure: the caller passes
 * ids, times, the place in the log and the derivation of addresses, and no state is changed here.
 *
 * Guards run in one order everywhere: existence, status, currency, limits, funds.
 */
import { payoutContentHash } from '@stablecoin/event-chain/payout-content';
import { Network } from '@stablecoin/money/currency';
import { feeOf } from '@stablecoin/money/fee';
import { Money } from '@stablecoin/money/money';
import { convert } from '@stablecoin/money/price';
import { external, fees, liquidity, payoutClearing, transfers } from './accounts';
import { assertNever } from './assert-never';
import {
  ApprovePayout,
  ChangePolicy,
  CloseCustomer,
  ConfirmDeposit,
  EndPayoutWait,
  FailDeposit,
  HoldPayout,
  LedgerCommand,
  OnwardIds,
  OpenWallet,
  Owner,
  PostSwap,
  RecordDeposit,
  RejectPayout,
  ResolvePayout,
  ReverseDeposit,
} from './commands';
import { Transaction, Wallet } from './entities';
import {
  EventGroup,
  LedgerEvent,
  Movement,
  OpenedTransaction,
  PolicyApplied,
  Signer,
  TransactionStatus,
} from './events';
import { LedgerRejection } from './ledger-rejection';
import { LedgerView } from './ledger-state';
import { Legs } from './legs';
import { Judgement, judgedByPolicy } from './payout-policy';
import { transactionCode } from './transaction-code';

export interface DecisionContext {
  shard: number;
  /** The position in the log that the first event of this decision will have. */
  nextPosition: number;
  /** By this, what is valid until some time has expired. The log's own times may be ahead: they never go back. */
  now: string;
  deriveAddress(network: Network, index: number): string;
  /** What of the sandbox may serve live merchants all the same: for demonstrations. */
  sandboxForLive?: { rail: boolean; rates: boolean };
  /** Whether the price of a swap is within what bounds it at this moment; left out where nothing does. */
  isWithinBounds?(swap: PostSwap): boolean;
}

export function decide(command: LedgerCommand, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  switch (command.kind) {
    case 'OpenWallet':
      return openWallet(command, ledger, context);
    case 'RecordDeposit':
      return recordDeposit(command, ledger, context);
    case 'ConfirmDeposit':
      return confirmDeposit(command, ledger);
    case 'FailDeposit':
      return failDeposit(command, ledger);
    case 'ReverseDeposit':
      return reverseDeposit(command, ledger);
    case 'HoldPayout':
      return holdPayout(command, ledger, context);
    case 'ResolvePayout':
      return resolvePayout(command, ledger, context);
    case 'PostSwap':
      return postSwap(command, ledger, context);
    case 'CloseCustomer':
      return closeCustomer(command, ledger);
    case 'ChangePolicy':
      return changePolicy(command, ledger);
    case 'ApprovePayout':
      return approvePayout(command, ledger, context);
    case 'RejectPayout':
      return rejectPayout(command, ledger);
    case 'EndPayoutWait':
      return endPayoutWait(command, ledger, context);
    default:
      return assertNever(command);
  }
}

// ── Wallets ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Opens the owner's wallet of a currency, or adds a network to the one that exists. */
function openWallet(command: OpenWallet, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  refuseIf(ledger.isClosed(command), 'customer_closed');
  const existing = ledger.walletOf(command, command.currency);
  const { network } = command;
  if (!existing) {
    const opened = openedFor(command);
    const address =
      network === null ? [] : [addressAdded(command, network, command.wallet_id, command.address_index, context)];
    return [group('wallet-opened', command, [opened, ...address])];
  }
  const nothingNew = network === null || existing.addresses.some((address) => address.network === network);
  if (nothingNew) throw new LedgerRejection('wallet_exists');
  const balance = ledger.account(existing.id, existing.currency).balance;
  const added = addressAdded(command, network, existing.id, existing.address_index, context, balance);
  return [group('deposit-address-added', command, [added])];
}

type NewWallet = Pick<OpenWallet, 'wallet_id' | 'currency' | 'address_index'> & { description?: string | null };

function openedFor({ wallet_id, currency, description, address_index }: NewWallet): LedgerEvent {
  return {
    type: 'WalletOpened',
    version: 1,
    wallet_id,
    currency,
    description: description ?? undefined,
    address_index,
    balance_after: Money.zero(currency).toString(),
  };
}

function addressAdded(
  command: OpenWallet,
  network: Network,
  wallet_id: string,
  index: number,
  context: DecisionContext,
  balance: Money = Money.zero(command.currency),
): LedgerEvent {
  return {
    type: 'DepositAddressAdded',
    version: 1,
    address_id: command.address_id,
    wallet_id,
    network,
    address: context.deriveAddress(network, index),
    balance_after: balance.toString(),
  };
}

/** Closes a customer for good: no money of the customer moves afterwards. */
function closeCustomer(command: CloseCustomer, ledger: LedgerView): EventGroup[] {
  if (ledger.isClosed(command)) return [];
  refuseIf(ledger.closedBy(command.customer_id) !== undefined, 'not_found');
  const notEmpty = ledger.walletsOf(command).some((wallet) => {
    const { balance, open_transactions } = ledger.account(wallet.id, wallet.currency);
    return !balance.isZero() || open_transactions > 0;
  });
  refuseIf(notEmpty, 'customer_not_empty');
  return [group('customer-closed', command, [{ type: 'CustomerClosed', version: 1 }])];
}

// ── Deposits ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Records a deposit as PENDING, without a posting; it is credited when confirmed, which may be at once. */
function recordDeposit(command: RecordDeposit, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const wallet = ledger.wallet(command.wallet_id);
  if (wallet?.merchant_id !== command.merchant_id) throw new LedgerRejection('not_found');
  refuseIf(command.rail === 'sandbox' && command.mode === 'live', 'not_for_live');
  refuseIf(ledger.isClosed(wallet), 'customer_closed');
  const network = depositNetwork(wallet, command.network);
  refuseIf(Boolean(command.crypto_transaction_id) && network === null, 'unsupported_network');
  const opens: OpenedTransaction = {
    id: command.id,
    transaction_id: transactionCode(context.shard, context.nextPosition),
    reference_id: command.reference_id,
    wallet_id: wallet.id,
    receiver_wallet_id: wallet.id,
    transaction_type: 'DEPOSIT',
    transaction_mode: 'CREDIT',
    currency: wallet.currency,
    amount: Money.parse(wallet.currency, command.amount).toString(),
    network: network ?? undefined,
    ...depositReferences(command, network),
  };
  const legs = new Legs(ledger, command.id);
  const recorded = group('deposit-recorded', wallet, [legs.statusChanged(wallet, null, 'PENDING', { opens })]);
  return command.confirmed ? [recorded, depositCompleted(wallet, opens, legs)] : [recorded];
}

/** The network of a stablecoin deposit, on which the wallet must have an address: the named one, else its first. */
function depositNetwork(wallet: Wallet, named: Network | null): Network | null {
  if (named === null) return wallet.addresses[0]?.network ?? null;
  refuseIf(!wallet.addresses.some(({ network }) => network === named), 'unsupported_network');
  return named;
}

/** The sender's reference names the chain's transaction where the rail has no name of its own for that. */
function depositReferences(
  { reference, crypto_transaction_id }: RecordDeposit,
  network: Network | null,
): Pick<OpenedTransaction, 'crypto_transaction_id' | 'reason'> {
  const text = reference || undefined;
  if (crypto_transaction_id) return { crypto_transaction_id, reason: text };
  return network === null ? { reason: text } : { crypto_transaction_id: text };
}

/** PENDING → COMPLETED. */
function confirmDeposit(command: ConfirmDeposit, ledger: LedgerView): EventGroup[] {
  const deposit = depositThatIs('PENDING', command, ledger);
  return [depositCompleted(walletOf(deposit, ledger), deposit, new Legs(ledger, deposit.id))];
}

function depositCompleted(wallet: Wallet, deposit: Deposited, legs: Legs): EventGroup {
  const amount = Money.parse(wallet.currency, deposit.amount);
  legs.transfer(amount, external(deposit.network ?? null, wallet.currency), wallet.id);
  return group('deposit-completed', wallet, [...legs.take(), legs.statusChanged(wallet, 'PENDING', 'COMPLETED')]);
}

/** PENDING → FAILED: no money has moved, and none moves. */
function failDeposit(command: FailDeposit, ledger: LedgerView): EventGroup[] {
  const deposit = depositThatIs('PENDING', command, ledger);
  const failed = new Legs(ledger, deposit.id).statusChanged(walletOf(deposit, ledger), 'PENDING', 'FAILED');
  return [group('deposit-failed', deposit, [failed])];
}

/**
 * COMPLETED → REVERSED, whatever is in the wallet: the money is gone outside, and the books say so. This alone takes a wallet
 * below zero, also a closed customer's; every other movement out of a wallet asks whether its balance covers it.
 */
function reverseDeposit(command: ReverseDeposit, ledger: LedgerView): EventGroup[] {
  const deposit = depositThatIs('COMPLETED', command, ledger);
  const wallet = walletOf(deposit, ledger);
  const legs = new Legs(ledger, deposit.id);
  legs.transfer(Money.parse(wallet.currency, deposit.amount), wallet.id, external(deposit.network, wallet.currency));
  return [group('deposit-reversed', deposit, [...legs.take(), legs.statusChanged(wallet, 'COMPLETED', 'REVERSED')])];
}

function depositThatIs(
  status: TransactionStatus,
  command: { merchant_id: string; transaction: string },
  ledger: LedgerView,
): Transaction {
  const deposit = existing(command, ledger, 'DEPOSIT');
  refuseIf(deposit.status !== status, 'invalid_transition');
  return deposit;
}

type Deposited = { amount: string; network?: Network | null };

// ── Payouts ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Holds amount and fee in clearing until the rail has completed or failed the payout. */
function holdPayout(command: HoldPayout, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const wallet = ledger.walletOf(command, command.currency);
  if (!wallet) throw new LedgerRejection('wallet_not_found');
  refuseIf(ledger.isClosed(command), 'customer_closed');
  const amount = Money.parse(command.currency, command.amount);
  refuseIf(amount.isFinerThanCurrency(), 'too_many_decimals');
  const judgement = judgedByPolicy(command, amount, ledger, context.now);
  const fee = feeOf(amount, command.fee_schedule);
  const total = fee ? amount.plus(fee) : amount;
  refuseIf(ledger.account(wallet.id, wallet.currency).balance.isLessThan(total), 'insufficient_funds');
  // In the order of canonical text: see Legs.
  const opens: OpenedTransaction = {
    amount: amount.toString(),
    amount_fiat: convert(amount, command.exchange_rate, command.recipient_currency ?? 'USD', 'eight').toString(),
    bank_code: command.bank_code ?? undefined,
    bank_name: command.bank_name ?? undefined,
    currency: command.currency,
    exchange_rate: command.exchange_rate,
    fee: fee?.toString(),
    id: command.id,
    network: command.network ?? undefined,
    recipient_country: command.recipient_country ?? undefined,
    recipient_currency: command.recipient_currency ?? undefined,
    reference_id: command.reference_id,
    sealed_destination: command.sealed_destination,
    sender_wallet_id: wallet.id,
    transaction_id: transactionCode(context.shard, context.nextPosition),
    transaction_mode: 'DEBIT',
    transaction_type: 'PAYOUT',
    wallet_id: wallet.id,
  };
  const legs = new Legs(ledger, command.id);
  const waits = judgement?.approval !== undefined || judgement?.send_after !== undefined;
  legs.transfer(total, wallet.id, payoutClearing(command.currency), opens, waits ? undefined : judgement);
  if (!judgement || !waits) return [group('payout-accepted', command, legs.take())];
  // Under a movement of its own, so that no payout service of the version before takes it for one to send.
  return [group('payout-waiting', command, [...legs.take(), policyApplied(judgement, opens, command)])];
}

function policyApplied({ approval, ...judgement }: Judgement, opens: OpenedTransaction, owner: Owner): PolicyApplied {
  const { merchant_id, customer_id } = owner;
  const { id, currency, amount, network = null, bank_code = null } = opens;
  const { recipient_currency = null, sealed_destination = null } = opens;
  const content = { id, merchant_id, customer_id, currency, amount, network, bank_code, recipient_currency };
  const hash = approval && payoutContentHash({ ...content, sealed_destination });
  return {
    ...{ type: 'PolicyApplied', version: 1, transaction: opens.id, ...judgement },
    approval: approval && hash ? { hash, ...approval } : undefined,
  };
}

/** One more key approves exactly what is going to be sent. With the last one that is needed the payout is let go. */
function approvePayout(command: ApprovePayout, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const payout = waitingPayout(command, ledger);
  const { approval, approvals, send_after } = payout.under_policy;
  if (payout.waiting_for !== 'approval' || !approval || context.now >= approval.expires_at) {
    throw new LedgerRejection('invalid_transition');
  }
  refuseOwn(payout, command.signer);
  refuseIf(
    approvals.some(({ signer_id }) => signer_id === command.signer.signer_id),
    'approver_not_allowed',
  );
  refuseIf(command.approval_hash !== approval.hash, 'approval_mismatch');
  const approved: LedgerEvent = {
    ...{ type: 'PayoutApproved', version: 1, transaction: payout.id },
    ...{ approval_hash: approval.hash, signer: command.signer, approvals: approvals.length + 1 },
  };
  const isLast = approvals.length + 1 >= approval.approvers;
  if (!isLast || (send_after !== undefined && context.now < send_after)) {
    return [group('payout-approved', payout, [approved])];
  }
  return [group('payout-released', payout, [approved, released(payout)])];
}

/** A key that may approve may also reject, for as long as the payout waits: its money goes back. */
function rejectPayout(command: RejectPayout, ledger: LedgerView): EventGroup[] {
  const payout = waitingPayout(command, ledger);
  refuseOwn(payout, command.signer);
  return [rejected(payout, ledger, command.signer)];
}

function endPayoutWait(command: EndPayoutWait, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const payout = waitingPayout(command, ledger);
  const { approval, send_after } = payout.under_policy;
  const isExpired = payout.waiting_for === 'approval' && approval && context.now >= approval.expires_at;
  if (isExpired) return [rejected(payout, ledger)];
  const isOver = payout.waiting_for === 'cooling_off' && send_after !== undefined && context.now >= send_after;
  refuseIf(!isOver, 'invalid_transition');
  return [group('payout-released', payout, [released(payout)])];
}

type WaitingPayout = Transaction & { under_policy: NonNullable<Transaction['under_policy']> };

function waitingPayout(command: { merchant_id: string; transaction: string }, ledger: LedgerView): WaitingPayout {
  const payout = existing(command, ledger, 'PAYOUT');
  const { under_policy } = payout;
  if (payout.waiting_for === null || !under_policy) throw new LedgerRejection('invalid_transition');
  return { ...payout, under_policy };
}

/** Not the key that created the payout, nor another one of the same signer. */
function refuseOwn({ under_policy: { created_by } }: WaitingPayout, { key_id, signer_id }: Signer): void {
  refuseIf(created_by?.key_id === key_id || created_by?.signer_id === signer_id, 'approver_not_allowed');
}

const released = ({ id }: Transaction): LedgerEvent => ({ type: 'PayoutReleased', version: 1, transaction: id });

function rejected(payout: WaitingPayout, ledger: LedgerView, signer?: Signer): EventGroup {
  const wallet = walletOf(payout, ledger);
  const legs = new Legs(ledger, payout.id);
  legs.transfer(heldBy(payout), payoutClearing(payout.currency), wallet.id);
  const ended: LedgerEvent = { type: 'PayoutRejected', version: 1, transaction: payout.id, signer };
  const failed = [...legs.take(), legs.statusChanged(wallet, 'PENDING', 'FAILED')];
  return group('payout-failed', payout, [ended, ...failed]);
}

/** Amount and fee. */
function heldBy({ currency, amount, fee }: Transaction): Money {
  const held = Money.parse(currency, amount);
  return fee === null ? held : held.plus(Money.parseSigned(currency, fee));
}

function changePolicy(command: ChangePolicy, ledger: LedgerView): EventGroup[] {
  const { merchant_id, policy, changed_by, reason } = command;
  const policy_version = (ledger.policy(merchant_id)?.policy_version ?? 0) + 1;
  // An older one once more, one behind another that was kept back, or one of two operators at the same moment.
  refuseIf((command.stated_version ?? policy_version) !== policy_version, 'invalid_transition');
  const changed: LedgerEvent = { type: 'PolicyChanged', version: 1, policy_version, policy, changed_by, reason };
  return [group('policy-changed', { merchant_id, customer_id: null }, [changed])];
}

/** PENDING → COMPLETED or FAILED, COMPLETED → REVERSED, and nothing else. */
function resolvePayout(command: ResolvePayout, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const payout = existing(command, ledger, 'PAYOUT');
  const { resolution } = command;
  // A payout that the sandbox can't make may still fail: its money goes back.
  const isSandboxForLive = command.rail === 'sandbox' && command.mode === 'live' && resolution !== 'FAILED';
  refuseIf(isSandboxForLive && !context.sandboxForLive?.rail, 'not_for_live');
  refuseIf(payout.status !== (resolution === 'REVERSED' ? 'COMPLETED' : 'PENDING'), 'invalid_transition');
  // No rail has it, so none can say how it ended.
  refuseIf(payout.waiting_for !== null, 'invalid_transition');
  const { currency } = payout;
  const wallet = walletOf(payout, ledger);
  const amount = Money.parse(currency, payout.amount);
  const fee = payout.fee === null ? Money.zero(currency) : Money.parseSigned(currency, payout.fee);
  const world = external(payout.network, currency);
  const legs = new Legs(ledger, payout.id);
  switch (resolution) {
    case 'COMPLETED':
      legs.transfer(amount, payoutClearing(currency), world);
      legs.transfer(fee, payoutClearing(currency), fees(currency));
      break;
    case 'FAILED':
      legs.transfer(amount.plus(fee), payoutClearing(currency), wallet.id);
      break;
    case 'REVERSED':
      legs.transfer(amount, world, wallet.id);
      legs.transfer(fee, fees(currency), wallet.id);
      break;
    default:
      return assertNever(resolution);
  }
  const reference = command.rail_reference ?? undefined;
  const details = payout.network === null ? { fiat_reference_id: reference } : { crypto_transaction_id: reference };
  const changed = [...legs.take(), legs.statusChanged(wallet, payout.status, resolution, details)];
  const resolved = group(PAYOUT_MOVEMENTS[resolution], payout, changed);
  if (resolution !== 'REVERSED' || !ledger.isClosed(payout)) return [resolved];
  // A deposit that was reversed has left less than nothing there: what came back covers that first.
  if (!legs.balance(wallet.id, currency).isPositive()) return [resolved];
  if (!command.onward) throw new Error(`a return of payout ${payout.id} without the ids of what follows it`);
  return [resolved, ...passedOn(command.onward, payout, wallet, legs, ledger, context, resolved.events.length)];
}

/**
 * A payout came back to a closed customer, of whom nothing moves any more: all that is in the wallet goes on to the merchant's
 * own wallet of the currency, which is opened if it isn't there. Two transactions, one for each owner; both share the
 * payout's reference.
 *
 * @param returned the legs of the return, which has brought the money
 * @param before how many events of this decision come before
 */
function passedOn(
  onward: OnwardIds,
  payout: Transaction,
  wallet: Wallet,
  returned: Legs,
  ledger: LedgerView,
  context: DecisionContext,
  before: number,
): EventGroup[] {
  const { currency } = wallet;
  const merchant: Owner = { merchant_id: payout.merchant_id, customer_id: null };
  const amount = returned.balance(wallet.id, currency);
  const existing = ledger.walletOf(merchant, currency);
  const receiver = existing ?? { id: onward.wallet_id, currency };
  const shared = {
    reference_id: payout.reference_id,
    sender_wallet_id: wallet.id,
    receiver_wallet_id: receiver.id,
    transaction_type: 'INTERNAL TRANSFER',
    currency,
    amount: amount.toString(),
    reason: `Return of ${payout.transaction_id}, whose customer is closed`,
  } as const;
  const code = (events: number) => transactionCode(context.shard, context.nextPosition + events);

  const out = returned.of(onward.debit_id);
  const debit = { ...shared, id: onward.debit_id, wallet_id: wallet.id, transaction_mode: 'DEBIT' } as const;
  out.transfer(amount, wallet.id, transfers(currency), { ...debit, transaction_id: code(before) });
  const sent = group('transfer-sent', payout, [...out.take(), out.statusChanged(wallet, 'PENDING', 'COMPLETED')]);

  const opened = existing ? [] : [group('wallet-opened', merchant, [openedFor({ ...onward, currency })])];
  const into = returned.of(onward.credit_id);
  const credit = { ...shared, id: onward.credit_id, wallet_id: receiver.id, transaction_mode: 'CREDIT' } as const;
  const opens = { ...credit, transaction_id: code(before + sent.events.length + opened.length) };
  const pending = into.statusChanged(receiver, null, 'PENDING', { opens });
  into.transfer(amount, transfers(currency), receiver.id);
  const received = [pending, ...into.take(), into.statusChanged(receiver, 'PENDING', 'COMPLETED')];
  return [sent, ...opened, group('transfer-received', merchant, received)];
}

const PAYOUT_MOVEMENTS = {
  COMPLETED: 'payout-completed',
  FAILED: 'payout-failed',
  REVERSED: 'payout-reversed',
} as const satisfies Record<ResolvePayout['resolution'], Movement>;

// ── Swaps ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Accepts the swap, then settles it from internal liquidity: two groups, one commit. */
function postSwap(command: PostSwap, ledger: LedgerView, context: DecisionContext): EventGroup[] {
  const from = ledger.walletOf(command, command.from_currency);
  const to = ledger.walletOf(command, command.to_currency);
  if (!from || !to) throw new LedgerRejection('wallet_not_found');
  refuseIf(ledger.isClosed(command), 'customer_closed');
  refuseIf(command.from_currency === command.to_currency, 'unsupported_pair');
  refuseIf(context.now > command.valid_until, 'quote_expired');
  const paid = Money.parse(command.from_currency, command.from_amount);
  const received = Money.parse(command.to_currency, command.to_amount);
  refuseIf(!isFairPrice(command, paid, received, context), 'quote_mismatch');
  refuseIf(ledger.account(from.id, from.currency).balance.isLessThan(paid), 'insufficient_funds');
  const shared = {
    reference_id: command.swap_id,
    sender_wallet_id: from.id,
    receiver_wallet_id: to.id,
    transaction_type: 'INTERNAL TRANSFER',
    exchange_rate: command.quoted_price,
  } as const;
  const debit: OpenedTransaction = {
    ...shared,
    id: command.debit_id,
    transaction_id: transactionCode(context.shard, context.nextPosition),
    wallet_id: from.id,
    transaction_mode: 'DEBIT',
    currency: paid.currency,
    amount: paid.toString(),
  };
  const credit: OpenedTransaction = {
    ...shared,
    id: command.credit_id,
    // The second position's code is free: the event at that position opens no transaction.
    transaction_id: transactionCode(context.shard, context.nextPosition + 1),
    wallet_id: to.id,
    transaction_mode: 'CREDIT',
    currency: received.currency,
    amount: received.toString(),
  };
  const out = new Legs(ledger, debit.id);
  out.transfer(paid, from.id, liquidity(paid.currency), debit);
  const into = out.of(credit.id);
  const accepted = [...out.take(), into.statusChanged(to, null, 'PENDING', { opens: credit })];
  into.transfer(received, liquidity(received.currency), to.id);
  const settled = [
    ...into.take(),
    out.statusChanged(from, 'PENDING', 'COMPLETED'),
    into.statusChanged(to, 'PENDING', 'COMPLETED'),
  ];
  return [group('swap-accepted', command, accepted), group('swap-settled', command, settled)];
}

/**
 * What is received is what is paid times the price, rounded down to the currency's smallest unit; and the price is one of the
 * market for a live merchant, and within its bounds.
 */
function isFairPrice(command: PostSwap, paid: Money, received: Money, context: DecisionContext): boolean {
  const { to_currency, quoted_price, rates, mode } = command;
  if (!convert(paid, quoted_price, to_currency, 'currency').equals(received)) return false;
  if (rates === 'static' && mode === 'live' && !context.sandboxForLive?.rates) return false;
  return context.isWithinBounds?.(command) ?? true;
}

// ── What the movements are made of ───────────────────────────────────────────────────────────────────────────────

function group(movement: Movement, owner: Owner, events: LedgerEvent[]): EventGroup {
  return { movement, merchant_id: owner.merchant_id, customer_id: owner.customer_id, events };
}

function existing(
  command: { merchant_id: string; transaction: string },
  ledger: LedgerView,
  type: Transaction['transaction_type'],
): Transaction {
  const transaction = ledger.transaction(command.transaction);
  if (transaction?.merchant_id !== command.merchant_id || transaction.transaction_type !== type) {
    throw new LedgerRejection('not_found');
  }
  return transaction;
}

function walletOf(transaction: Transaction, ledger: LedgerView): Wallet {
  const wallet = ledger.wallet(transaction.wallet_id);
  if (!wallet) throw new Error(`the wallet of transaction ${transaction.id} was not loaded`);
  return wallet;
}

function refuseIf(refused: boolean, code: LedgerRejection['code']): void {
  if (refused) throw new LedgerRejection(code);
}
