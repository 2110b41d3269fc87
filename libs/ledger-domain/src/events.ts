import { Currency, Network } from '@stablecoin/money/currency';
import { AccountId } from './accounts';

export type TransactionStatus = 'PENDING' | 'COMPLETED' | 'FAILED' | 'REVERSED';
export type TransactionType = 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
export type TransactionMode = 'CREDIT' | 'DEBIT';

/** Lower case. */
export type Uuid = string;

/** Amounts are texts with 8 decimals, as in the log. */
export type AmountText = string;

/** Like an amount, and below zero with a minus sign: the house's accounts can owe, and a wallet whose deposit was reversed. */
export type BalanceText = string;

/** ISO 8601, UTC, milliseconds. */
export type Timestamp = string;

/** Earlier than every event: the time of a log without events, and of an account that no event has moved. */
export const EPOCH: Timestamp = '1970-01-01T00:00:00.000Z';

/*
 * Each event type below names its version, and libs/ledger-domain/schemas holds the JSON schema of every version ever
 * written. A change of shape is a new version: see upcast.ts. The order of fields is free: canonical text sorts them.
 */

/** The facts of a transaction that its first event fixes. Fields that would be null are left out of the log. */
export interface OpenedTransaction {
  id: Uuid;
  /** 10 characters A–Z 0–9. */
  transaction_id: string;
  reference_id: Uuid;
  /** The wallet whose balance it moves. */
  wallet_id: Uuid;
  sender_wallet_id?: Uuid;
  receiver_wallet_id?: Uuid;
  transaction_type: TransactionType;
  transaction_mode: TransactionMode;
  currency: Currency;
  amount: AmountText;
  fee?: AmountText;
  exchange_rate?: string;
  amount_fiat?: AmountText;
  network?: Network;
  crypto_transaction_id?: string;
  recipient_currency?: Currency;
  /** These two only of versions before: they are part of the sealed destination. */
  recipient_country?: string;
  bank_name?: string;
  bank_code?: string;
  /** Of a deposit by a bank what its sender wrote: `sealed:…`, or in clear as versions before wrote it. */
  reason?: string;
  sealed_destination?: string;
}

export interface WalletOpened {
  type: 'WalletOpened';
  version: 1;
  wallet_id: Uuid;
  currency: Currency;
  /** `sealed:…`, or in clear as versions before wrote it. */
  description?: string;
  /** The index under which the wallet's deposit addresses are derived. */
  address_index: number;
  balance_after: BalanceText;
}

export interface DepositAddressAdded {
  type: 'DepositAddressAdded';
  version: 1;
  address_id: Uuid;
  wallet_id: Uuid;
  network: Network;
  address: string;
  balance_after: BalanceText;
}

export interface CustomerClosed {
  type: 'CustomerClosed';
  version: 1;
}

interface Posting {
  version: 1;
  account_id: AccountId;
  currency: Currency;
  /** Positive; the event's type is the direction. */
  amount: AmountText;
  balance_after: BalanceText;
  /** The `id` of the transaction that it belongs to. */
  transaction: Uuid;
}

/** How a merchant's policy judged a payout that is let go at once. */
export interface JudgedPayout {
  policy_version: number;
  /** Where it goes: a keyed hash, the same for each payout of the merchant to there. */
  destination: string;
}

/** Takes `amount` from an account. */
export type DebitPosted = Posting & {
  type: 'DebitPosted';
  /** This is the first event of that transaction, which is PENDING from here. */
  opens?: OpenedTransaction;
  /** Of a payout under a policy that does not wait, which counts from here on; versions before followed it by `PolicyApplied`. */
  judged?: JudgedPayout;
};

/** Gives `amount` to an account. */
export type CreditPosted = Posting & { type: 'CreditPosted' };

/** A transaction is in another state; with `from: null` it begins here, without having moved money yet. */
export interface TransactionStatusChanged {
  type: 'TransactionStatusChanged';
  version: 1;
  transaction: Uuid;
  from: TransactionStatus | null;
  to: TransactionStatus;
  /** The wallet of the transaction, and its balance after the group so far. */
  account_id: AccountId;
  balance_after: BalanceText;
  crypto_transaction_id?: string;
  fiat_reference_id?: string;
  opens?: OpenedTransaction;
}

/** Of whom a limit holds: of all that goes out, of what one customer or one destination gets. */
export type LimitSubject = 'merchant' | 'customer' | 'destination';

/** One payout by itself, or all of the last hour, 24 hours or 30 days. */
export type LimitPeriod = 'payment' | 'hour' | 'day' | 'month';

/** What may go out at the most. Of both bounds each is kept. */
export interface PayoutLimit {
  currency: Currency;
  per: LimitSubject;
  within: LimitPeriod;
  /** Of the amounts without their fees. */
  amount?: AmountText;
  /** How many payouts. */
  count?: number;
}

export interface AmountOfCurrency {
  currency: Currency;
  amount: AmountText;
}

/** Which payouts wait until keys that did not create them have approved them. */
export interface ApprovalRule {
  /** Of more than so much. */
  above: AmountOfCurrency[];
  /** To a destination to which nothing was ever let go. */
  new_destination: boolean;
  /** By a rail over which nothing was ever let go. */
  new_rail: boolean;
  /** How many must approve. */
  approvers: number;
  expires_after_seconds: number;
}

/** A currency that no limit names does not go out. */
export interface PayoutPolicy {
  limits: PayoutLimit[];
  /** How long the first payouts to a new destination wait. */
  new_destination_wait_seconds: number;
  approval?: ApprovalRule;
}

/** What a merchant may pay out from here on. */
export interface PolicyChanged {
  type: 'PolicyChanged';
  version: 1;
  /** Counts from 1. */
  policy_version: number;
  policy: PayoutPolicy;
  changed_by: string;
  reason: string;
}

/** Who stands behind a request: an API key, and its `signer`, which it shares with the keys of the same person. */
export interface Signer {
  key_id: Uuid;
  signer_id: Uuid;
}

export interface NeededApproval {
  /** SHA-256 over what is going to be sent, see payout-content.ts: what an approver approves. */
  hash: string;
  approvers: number;
  expires_at: Timestamp;
}

/**
 * A payout was judged by its merchant's policy, has to wait, and counts. It follows the debit that opens the payout. Versions
 * before recorded it of payouts that do not wait as well.
 */
export interface PolicyApplied {
  type: 'PolicyApplied';
  version: 1;
  transaction: Uuid;
  policy_version: number;
  destination: string;
  created_by?: Signer;
  approval?: NeededApproval;
  /** Not before then. */
  send_after?: Timestamp;
}

/** One approval more. */
export interface PayoutApproved {
  type: 'PayoutApproved';
  version: 1;
  transaction: Uuid;
  approval_hash: string;
  signer: Signer;
  /** How many there are with it. */
  approvals: number;
}

/** The payout waits no longer: its rail may have it. */
export interface PayoutReleased {
  type: 'PayoutReleased';
  version: 1;
  transaction: Uuid;
}

/** The payout is not sent: its signer has said so; without one, its time for approvals is over. */
export interface PayoutRejected {
  type: 'PayoutRejected';
  version: 1;
  transaction: Uuid;
  signer?: Signer;
}

export type LedgerEvent =
  | WalletOpened
  | DepositAddressAdded
  | CustomerClosed
  | DebitPosted
  | CreditPosted
  | TransactionStatusChanged
  | PolicyChanged
  | PolicyApplied
  | PayoutApproved
  | PayoutReleased
  | PayoutRejected;

/** The business meaning of a group of events. The debits and credits of one group are equal per currency. */
export type Movement =
  | 'wallet-opened'
  | 'deposit-address-added'
  | 'customer-closed'
  | 'deposit-recorded'
  | 'deposit-completed'
  | 'deposit-failed'
  | 'deposit-reversed'
  | 'swap-accepted'
  | 'swap-settled'
  | 'payout-accepted'
  | 'payout-completed'
  | 'payout-failed'
  | 'payout-reversed'
  | 'payout-waiting'
  | 'payout-approved'
  | 'payout-released'
  | 'policy-changed'
  | 'transfer-sent'
  | 'transfer-received';

/** Events that are appended together or not at all. */
export interface EventGroup {
  movement: Movement;
  merchant_id: Uuid;
  customer_id: Uuid | null;
  events: LedgerEvent[];
}

/** Of a merchant's keys: with `test` keys everything is the sandbox's. */
export type MerchantMode = 'live' | 'test';

/** Who asked for a command. */
export interface AskedBy {
  service: string;
  /** Of the merchant, as who took its request proved it; none for what a service does by itself. */
  mode?: MerchantMode;
  /** What the service stated of the world outside, and its signature in base64: see libs/command-proofs. */
  evidence?: string;
  signature?: string;
  /** Of a member's request, on which the service acted. */
  requested_by?: RequestedBy;
}

/** Who took a member's request, and what the member's passkey signed, stated as evidence is. */
export interface RequestedBy {
  service: string;
  evidence?: string;
  signature?: string;
}

/** An event with its place in the log of its shard. */
export interface RecordedEvent {
  shard: number;
  /** Counts from 1 without gaps. */
  position: number;
  /** The position of the first event of its group. */
  group: number;
  movement: Movement;
  /** Never earlier than that of the position before. */
  recorded_at: Timestamp;
  command_id: Uuid;
  merchant_id: Uuid;
  customer_id: Uuid | null;
  /** On the first event that a command led to; versions before kept none. */
  asked_by?: AskedBy;
  event: LedgerEvent;
}
