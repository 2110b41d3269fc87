import { AssetType, Currency, Network } from '@stablecoin/money/currency';

/** An amount as text: always 8 decimals, `-` in front only where a balance can be negative. */
export type AmountText = string;
/** ISO 8601, UTC, milliseconds. */
export type Timestamp = string;

/*
 * The ledger's events declare these sets separately (libs/ledger-domain/src/events.ts), because a log never changes but
 * an interface may. `transactionView` in the ledger assigns one to the other, so that a value which the interface lacks
 * does not compile.
 */
export const TRANSACTION_STATUSES = ['PENDING', 'COMPLETED', 'REVERSED', 'FAILED'] as const;
export const TRANSACTION_TYPES = ['DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER'] as const;
export const TRANSACTION_MODES = ['CREDIT', 'DEBIT'] as const;
export const WAITING_FOR = ['approval', 'cooling_off'] as const;

export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];
export type TransactionType = (typeof TRANSACTION_TYPES)[number];
export type WaitingFor = (typeof WAITING_FOR)[number];
export type TransactionMode = (typeof TRANSACTION_MODES)[number];

export interface DepositAddressView {
  id: string;
  wallet_id: string;
  address: string;
  network: Network;
  created_at: Timestamp;
}

export interface WalletView {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  asset_type: AssetType;
  currency: Currency;
  balance: AmountText;
  /** Sealed; in clear where a version before wrote it. */
  description: string | null;
  status: 'active';
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Oldest first. */
  addresses: DepositAddressView[];
}

/** One movement on one wallet. Personal data in it is sealed: see `sealed_destination`. */
export interface TransactionView {
  id: string;
  transaction_id: string;
  reference_id: string;
  merchant_id: string;
  customer_id: string | null;
  sender_wallet_id: string | null;
  receiver_wallet_id: string | null;
  transaction_type: TransactionType;
  transaction_mode: TransactionMode;
  asset_code: Currency;
  amount: AmountText;
  fee: AmountText | null;
  status: TransactionStatus;
  /** The wallet's balance right after the transaction's latest event. */
  balance: AmountText;
  exchange_rate: string | null;
  amount_fiat: AmountText | null;
  network: Network | null;
  crypto_transaction_id: string | null;
  fiat_reference_id: string | null;
  recipient_currency: Currency | null;
  /** Of payouts that a version before held; else in the destination, as the next one. */
  recipient_country: string | null;
  bank_name: string | null;
  bank_code: string | null;
  /** What the sender of a bank's deposit wrote, sealed, or in clear where a version before wrote it; else the ledger's own words. */
  reason: string | null;
  /** A `PayoutDestination` as JSON, sealed with the owner's data key under the field name `payout_destination`. */
  sealed_destination: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  /** Why the rail may not have a payout yet; null, or left out by an older ledger, for what waits for nothing. */
  waiting_for?: WaitingFor | null;
  /** Of a payout that needs approvals: what they approve, how many, until when, and those that are there. */
  approval_hash?: string | null;
  approvals_required?: number | null;
  approvals?: ApprovalView[] | null;
  approval_expires_at?: Timestamp | null;
  /** Before then it is not sent. */
  send_after?: Timestamp | null;
}

export interface ApprovalView {
  api_key_id: string;
  approved_at: Timestamp;
}

/** What a transaction has only once it is recorded. */
export type RecordedFields = 'id' | 'transaction_id' | 'reference_id' | 'created_at' | 'updated_at';

/** A transaction as it would be: what only a recorded one has is null. */
export type DryRunTransactionView = Omit<TransactionView, RecordedFields> & Record<RecordedFields, null>;

/** Who is paid: sealed before it goes on the bus or into the log. */
export type PayoutDestination =
  | {
      kind: 'bank';
      account_number: string;
      recipient_name: string;
      /** A gateway of versions before left these two in clear, beside the sealed text. */
      bank_name?: string | null;
      recipient_country?: string | null;
    }
  | { kind: 'wallet'; address: string; recipient_name: string | null };

export const PAYOUT_DESTINATION_FIELD = 'payout_destination' as const;
/** Under which the free text of a wallet, and of a bank's deposit, is sealed: see SEALED_TEXT in libs/personal-data. */
export const WALLET_DESCRIPTION_FIELD = 'wallet_description' as const;
export const DEPOSIT_REFERENCE_FIELD = 'deposit_reference' as const;
