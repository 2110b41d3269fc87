import { Currency, Network } from '@stablecoin/money/currency';
import { FeeSchedule } from '@stablecoin/money/fee';
import { EvidenceRail, RatesSource } from '@stablecoin/command-proofs/evidence';
import { MerchantMode, OpenedTransaction, PayoutPolicy, Signer, TransactionStatus } from './events';

/** Who owns a wallet: the merchant, or one of its customers. */
export interface Owner {
  merchant_id: string;
  customer_id: string | null;
}

/** Ids arrive with the command, so that deciding needs no randomness. */
export interface OpenWallet extends Owner {
  kind: 'OpenWallet';
  wallet_id: string;
  address_id: string;
  /** Reserved for this command; used if it opens a wallet. */
  address_index: number;
  currency: Currency;
  network: Network | null;
  description: string | null;
}

export interface RecordDeposit {
  kind: 'RecordDeposit';
  merchant_id: string;
  id: string;
  reference_id: string;
  wallet_id: string;
  amount: string;
  network: Network | null;
  reference: string | null;
  /** What its chain calls the transaction that brought it. */
  crypto_transaction_id?: string | null;
  confirmed: boolean;
  /** Which rail saw it, and the merchant's mode; null where a version before asks, which says neither. */
  rail?: EvidenceRail | null;
  mode?: MerchantMode | null;
}

/** The deposit is final: its money is credited. */
export interface ConfirmDeposit {
  kind: 'ConfirmDeposit';
  merchant_id: string;
  /** The deposit's `id` or `transaction_id`. */
  transaction: string;
}

/** What was seen arriving is not going to arrive: its block was orphaned, or the bank called it back. */
export interface FailDeposit {
  kind: 'FailDeposit';
  merchant_id: string;
  transaction: string;
}

/** What was final is gone: a chain broke its finality, or a bank took a transfer back. */
export interface ReverseDeposit {
  kind: 'ReverseDeposit';
  merchant_id: string;
  transaction: string;
}

/** The fields of a payout's transaction that the ledger decides. */
type DecidedOfPayout =
  | 'transaction_id'
  | 'wallet_id'
  | 'sender_wallet_id'
  | 'receiver_wallet_id'
  | 'transaction_type'
  | 'transaction_mode'
  | 'fee'
  | 'amount_fiat'
  | 'crypto_transaction_id'
  | 'reason';

type OrNull<Fields> = { [Name in keyof Fields]: undefined extends Fields[Name] ? Fields[Name] | null : Fields[Name] };

/** The fields with which its transaction opens, less those that the ledger decides; absent or null without a value. */
export interface HoldPayout extends Owner, OrNull<Omit<OpenedTransaction, DecidedOfPayout>> {
  kind: 'HoldPayout';
  sealed_destination: string;
  /** Bank payouts only; null for wallet payouts, whose `amount_fiat` is in USD. */
  recipient_currency: Currency | null;
  exchange_rate: string;
  fee_schedule?: FeeSchedule | null;
  /** A live merchant pays nothing out without a policy. */
  is_live?: boolean;
  /** Where it goes: a keyed hash, the same for each payout of the merchant to there. */
  destination_hash?: string;
  created_by?: Signer;
}

/** A key's word on a payout that waits for approvals. */
export interface ApprovePayout {
  kind: 'ApprovePayout';
  merchant_id: string;
  /** `id` or `transaction_id`. */
  transaction: string;
  approval_hash: string;
  signer: Signer;
}

export interface RejectPayout {
  kind: 'RejectPayout';
  merchant_id: string;
  transaction: string;
  signer: Signer;
}

/** The time has come for which a payout waited: it is let go, or its time for approvals is over and it fails. */
export interface EndPayoutWait {
  kind: 'EndPayoutWait';
  merchant_id: string;
  transaction: string;
}

export interface ChangePolicy {
  kind: 'ChangePolicy';
  merchant_id: string;
  policy: PayoutPolicy;
  changed_by: string;
  reason: string;
  /** The number that it is to have, as an operator has stated it; null where a version before states none. */
  stated_version?: number | null;
}

export interface ResolvePayout {
  kind: 'ResolvePayout';
  merchant_id: string;
  /** `id` or `transaction_id`. */
  transaction: string;
  resolution: Exclude<TransactionStatus, 'PENDING'>;
  rail_reference: string | null;
  /** Which rail says so, and the mode in which the payout was asked for; null where a version before asks. */
  rail?: EvidenceRail | null;
  mode?: MerchantMode | null;
  /** With REVERSED: for money that comes back to a closed customer, and used in no other case. */
  onward: OnwardIds | null;
}

/** The ids of a transfer to the merchant, and of the wallet that it opens there if there is none. */
export interface OnwardIds {
  debit_id: string;
  credit_id: string;
  wallet_id: string;
  /** Reserved for this command; used if it opens a wallet. */
  address_index: number;
}

export interface PostSwap extends Owner {
  kind: 'PostSwap';
  debit_id: string;
  credit_id: string;
  swap_id: string;
  from_currency: Currency;
  to_currency: Currency;
  from_amount: string;
  to_amount: string;
  quoted_price: string;
  /** ISO 8601: until when the price may be posted. */
  valid_until: string;
  /** Where the price is from, and the merchant's mode; null where a version before asks. */
  rates?: RatesSource | null;
  mode?: MerchantMode | null;
}

export interface CloseCustomer {
  kind: 'CloseCustomer';
  merchant_id: string;
  customer_id: string;
}

export type LedgerCommand =
  | OpenWallet
  | RecordDeposit
  | ConfirmDeposit
  | FailDeposit
  | ReverseDeposit
  | HoldPayout
  | ResolvePayout
  | PostSwap
  | CloseCustomer
  | ChangePolicy
  | ApprovePayout
  | RejectPayout
  | EndPayoutWait;
