import { Currency, Network } from '@stablecoin/money/currency';
import { AmountText, Timestamp, TransactionStatus, TransactionView, WaitingFor } from './views';

/** The meaning of a group of events in the ledger's log. One group is one fact on the stream. */
export const MOVEMENTS = [
  'wallet-opened',
  'deposit-address-added',
  'customer-closed',
  'deposit-recorded',
  'deposit-completed',
  'deposit-failed',
  'deposit-reversed',
  'swap-accepted',
  'swap-settled',
  'payout-accepted',
  'payout-completed',
  'payout-failed',
  'payout-reversed',
  'payout-waiting',
  'payout-approved',
  'payout-released',
  'policy-changed',
  'transfer-sent',
  'transfer-received',
] as const;

export type Movement = (typeof MOVEMENTS)[number];

/**
 * A fact that left the ledger through its log: subject `ledger.<shard>.<movement>` on the JetStream stream LEDGER.
 * `position` is that of the group's last event; (shard, position) names the fact for ever, also in inboxes.
 */
export interface LedgerFact {
  shard: number;
  position: number;
  movement: Movement;
  recorded_at: Timestamp;
  merchant_id: string;
  customer_id: string | null;
  /** The transactions that this group opened or moved, as they are after it. */
  transactions: FactTransaction[];
  /** Of `wallet-opened`. */
  wallet?: { id: string; currency: Currency };
  /** Of `wallet-opened` and `deposit-address-added`: the addresses that it added. Absent from an older ledger's facts. */
  deposit_addresses?: FactAddress[];
}

export interface FactAddress {
  wallet_id: string;
  network: Network;
  address: string;
}

export type FactTransaction = Pick<
  TransactionView,
  | 'id'
  | 'transaction_id'
  | 'reference_id'
  | 'transaction_type'
  | 'transaction_mode'
  | 'network'
  | 'bank_code'
  | 'recipient_currency'
  | 'sealed_destination'
> & {
  currency: Currency;
  amount: AmountText;
  status: TransactionStatus;
  wallet_id: string;
  /** Of a deposit: what its sender wrote, else what its chain calls it. Absent from an older ledger's facts. */
  reference?: string | null;
  /**
   * Of a deposit on a network: its transaction there, or what the sandbox was given as such. Of a payout to a network, where it
   * ends: what its rail calls it.
   */
  crypto_transaction_id?: string | null;
  /** Of `payout-waiting` and `payout-approved`: for what the payout waits, and when the ledger is asked what time has brought. */
  waiting?: { for: WaitingFor; until: Timestamp };
  /** Of a payout that needs approvals: the hash over what is going to be sent. */
  approval_hash?: string | null;
};

export const LEDGER_STREAM = 'LEDGER';

export const factSubject = (shard: number, movement: Movement): string => `ledger.${shard}.${movement}`;
/** The subject that matches one movement on every shard. */
export const factSubjects = (movement: Movement): string => `ledger.*.${movement}`;
