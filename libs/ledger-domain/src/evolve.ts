import { Money } from '@stablecoin/money/money';
import { assertNever } from './assert-never';
import { Account, DepositAddress, PolicyInForce, Transaction, UnderPolicy, Wallet } from './entities';
import {
  DepositAddressAdded,
  JudgedPayout,
  OpenedTransaction,
  PayoutApproved,
  PolicyApplied,
  PolicyChanged,
  RecordedEvent,
  TransactionStatusChanged,
  WalletOpened,
} from './events';

/**
 * One fold per entity of the ledger: its next state from its state so far and the event, with no clock, no randomness and
 * no other input. Writer, projections and replay share the folds.
 */

export function openedWallet(event: WalletOpened, recorded: RecordedEvent): Wallet {
  return {
    id: event.wallet_id,
    merchant_id: recorded.merchant_id,
    customer_id: recorded.customer_id,
    currency: event.currency,
    description: event.description ?? null,
    address_index: event.address_index,
    created_at: recorded.recorded_at,
    updated_at: recorded.recorded_at,
    position: recorded.position,
    addresses: [],
  };
}

export function addedAddress(event: DepositAddressAdded, recorded: RecordedEvent): DepositAddress {
  const { address_id: id, wallet_id, network, address } = event;
  return { id, wallet_id, network, address, created_at: recorded.recorded_at };
}

export function withAddress(wallet: Wallet, address: DepositAddress): Wallet {
  return { ...wallet, addresses: [...wallet.addresses, address], updated_at: address.created_at };
}

export function openedTransaction(
  opened: OpenedTransaction,
  balance: string,
  recorded: RecordedEvent,
  judged?: JudgedPayout,
): Transaction {
  return {
    id: opened.id,
    transaction_id: opened.transaction_id,
    reference_id: opened.reference_id,
    wallet_id: opened.wallet_id,
    sender_wallet_id: opened.sender_wallet_id ?? null,
    receiver_wallet_id: opened.receiver_wallet_id ?? null,
    transaction_type: opened.transaction_type,
    transaction_mode: opened.transaction_mode,
    currency: opened.currency,
    amount: opened.amount,
    fee: opened.fee ?? null,
    exchange_rate: opened.exchange_rate ?? null,
    amount_fiat: opened.amount_fiat ?? null,
    network: opened.network ?? null,
    crypto_transaction_id: opened.crypto_transaction_id ?? null,
    recipient_currency: opened.recipient_currency ?? null,
    recipient_country: opened.recipient_country ?? null,
    bank_name: opened.bank_name ?? null,
    bank_code: opened.bank_code ?? null,
    reason: opened.reason ?? null,
    sealed_destination: opened.sealed_destination ?? null,
    merchant_id: recorded.merchant_id,
    customer_id: recorded.customer_id,
    status: 'PENDING',
    balance,
    fiat_reference_id: null,
    created_at: recorded.recorded_at,
    updated_at: recorded.recorded_at,
    position: recorded.position,
    waiting_for: null,
    under_policy: judged ? underPolicy(judged) : null,
  };
}

export function changedPolicy(
  before: PolicyInForce | undefined,
  event: PolicyChanged,
  recorded: RecordedEvent,
): PolicyInForce {
  const { policy_version, policy, changed_by, reason } = event;
  const { merchant_id, recorded_at, position } = recorded;
  const since_position = before?.since_position ?? position;
  return { merchant_id, policy_version, policy, changed_by, reason, changed_at: recorded_at, since_position };
}

export function judgedTransaction(transaction: Transaction, event: PolicyApplied): Transaction {
  const { approval, send_after } = event;
  const waiting_for = approval ? 'approval' : send_after ? 'cooling_off' : null;
  return { ...transaction, under_policy: underPolicy(event), waiting_for };
}

function underPolicy(judged: JudgedPayout & Partial<PolicyApplied>): UnderPolicy {
  const { policy_version, destination, created_by, approval, send_after } = judged;
  // In the order of canonical text, as which it is stored.
  return { approval, approvals: [], created_by, destination, policy_version, send_after };
}

export function approvedTransaction(
  transaction: Transaction,
  event: PayoutApproved,
  recorded: RecordedEvent,
): Transaction {
  const { under_policy } = transaction;
  if (!under_policy?.approval) throw new Error(`payout ${transaction.id} needs no approval`);
  const { key_id, signer_id } = event.signer;
  const approvals = [...under_policy.approvals, { key_id, signer_id, at: recorded.recorded_at }];
  return {
    ...transaction,
    under_policy: { ...under_policy, approvals },
    waiting_for: approvals.length < under_policy.approval.approvers ? 'approval' : 'cooling_off',
    updated_at: recorded.recorded_at,
  };
}

/** It waits no longer: let go, or rejected. */
export function awaitedTransaction(transaction: Transaction, recorded: RecordedEvent): Transaction {
  return { ...transaction, waiting_for: null, updated_at: recorded.recorded_at };
}

export function movedTransaction(
  transaction: Transaction,
  event: TransactionStatusChanged,
  recorded: RecordedEvent,
): Transaction {
  return {
    ...transaction,
    status: event.to,
    balance: event.balance_after,
    crypto_transaction_id: event.crypto_transaction_id ?? transaction.crypto_transaction_id,
    fiat_reference_id: event.fiat_reference_id ?? transaction.fiat_reference_id,
    updated_at: recorded.recorded_at,
  };
}

/** The account after an event that posts to it, or that opens or resolves a transaction of its wallet. */
export function movedAccount(account: Account, recorded: RecordedEvent): Account {
  const { event } = recorded;
  switch (event.type) {
    case 'DebitPosted':
    case 'CreditPosted':
      return {
        ...account,
        balance: Money.parseSigned(event.currency, event.balance_after),
        open_transactions: account.open_transactions + (event.type === 'DebitPosted' && event.opens ? 1 : 0),
        reversed_deposits: reversedDeposits(account, recorded),
        updated_at: recorded.recorded_at,
      };
    case 'TransactionStatusChanged':
      return { ...account, open_transactions: account.open_transactions + openedOrClosed(event) };
    case 'WalletOpened':
    case 'DepositAddressAdded':
    case 'CustomerClosed':
    case 'PolicyChanged':
    case 'PolicyApplied':
    case 'PayoutApproved':
    case 'PayoutReleased':
    case 'PayoutRejected':
      return account;
    default:
      return assertNever(event);
  }
}

/** A reversal's one debit is that of its wallet. */
function reversedDeposits({ reversed_deposits }: Account, { movement, event }: RecordedEvent): Money {
  if (movement !== 'deposit-reversed' || event.type !== 'DebitPosted') return reversed_deposits;
  return reversed_deposits.plus(Money.parseSigned(event.currency, event.amount));
}

function openedOrClosed(event: TransactionStatusChanged): number {
  if (event.from === null) return 1;
  return event.from === 'PENDING' ? -1 : 0;
}
