import { Currency, Network } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { AccountId } from './accounts';
import {
  AmountText,
  NeededApproval,
  OpenedTransaction,
  PayoutPolicy,
  Signer,
  Timestamp,
  TransactionStatus,
} from './events';

/** The state of an account after the events so far. */
export interface Account {
  account_id: AccountId;
  balance: Money;
  /** How many transactions of this wallet are PENDING; always 0 for the house's accounts. */
  open_transactions: number;
  /** The sum of this wallet's deposits that were reversed: by no more can it be below zero. Zero for the house's accounts. */
  reversed_deposits: Money;
  updated_at: string;
}

export interface Wallet {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  currency: Currency;
  description: string | null;
  address_index: number;
  created_at: string;
  /** When the wallet or its addresses last changed; its balance has a time of its own. */
  updated_at: string;
  /** Position of the event that opened it. */
  position: number;
  /** Oldest first. */
  addresses: readonly DepositAddress[];
}

export interface DepositAddress {
  id: string;
  wallet_id: string;
  network: Network;
  address: string;
  created_at: string;
}

type Nullable<Fields> = {
  [Key in keyof Fields]-?: undefined extends Fields[Key] ? NonNullable<Fields[Key]> | null : Fields[Key];
};

/** The state of a transaction after the events so far. */
export interface Transaction extends Nullable<OpenedTransaction> {
  merchant_id: string;
  customer_id: string | null;
  status: TransactionStatus;
  /** The wallet's balance right after the transaction's latest event. */
  balance: AmountText;
  fiat_reference_id: string | null;
  created_at: string;
  updated_at: string;
  /** Position of the event that opened it: the order of lists. */
  position: number;
  /** Of a payout whose rail may not have it yet. */
  waiting_for: WaitingFor | null;
  /** Of a payout that was judged by a policy. */
  under_policy: UnderPolicy | null;
}

export type WaitingFor = 'approval' | 'cooling_off';

/** What a policy has to do with one payout. Fields without a value are left out, as in the log. */
export interface UnderPolicy {
  policy_version: number;
  destination: string;
  created_by?: Signer;
  approval?: NeededApproval;
  send_after?: Timestamp;
  /** In the order in which they were given. */
  approvals: readonly Approval[];
}

export interface Approval extends Signer {
  at: Timestamp;
}

/** What a merchant may pay out. */
export interface PolicyInForce {
  merchant_id: string;
  policy_version: number;
  policy: PayoutPolicy;
  changed_by: string;
  reason: string;
  changed_at: Timestamp;
  /** Position of the first version: every payout that opens after it is judged. */
  since_position: number;
}
