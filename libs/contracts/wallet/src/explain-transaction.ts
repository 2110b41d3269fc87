import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { Movement } from './facts';
import { AmountText, Timestamp, TransactionMode, TransactionStatus, TransactionType } from './views';

export class ExplainTransaction extends MerchantRequest {
  /** The 10-character `transaction_id`. */
  @IsText({ max: 64 }) transaction_id: string;
}

/** One event of the log. The balance of a house account is left out. */
export interface ExplainedEvent {
  position: number;
  /** Position of the first event of its group: what stands or falls together. */
  group: number;
  movement: Movement;
  recorded_at: Timestamp;
  command_id: string;
  type: 'DebitPosted' | 'CreditPosted' | 'TransactionStatusChanged';
  /** A wallet, or an account of the house such as `payout-clearing:USD`. */
  account_id: string;
  currency: Currency | null;
  amount: AmountText | null;
  from_status: TransactionStatus | null;
  to_status: TransactionStatus | null;
  balance_after: AmountText | null;
  /** Its leaf in the Merkle tree of the checkpoints, 64 hex digits. */
  leaf_hash: string;
}

export interface TransactionExplanation {
  id: string;
  transaction_id: string;
  reference_id: string;
  transaction_type: TransactionType;
  transaction_mode: TransactionMode;
  asset_code: Currency;
  amount: AmountText;
  fee: AmountText | null;
  /** The quote behind a swap. */
  quote_id: string | null;
  /** What the payout's or deposit's rail calls it. */
  rail_reference: string | null;
  statuses: { status: TransactionStatus; recorded_at: Timestamp; position: number }[];
  /** Size of the newest checkpoint, if that covers all of the events. */
  checkpoint_size: number | null;
  events: ExplainedEvent[];
}

/** The events behind a transaction, in whole groups, as they stand in the log, without those that post to no account. */
export const explainTransaction = operation({
  subject: 'wallet.explain-transaction',
  readOnly: true,
  request: ExplainTransaction,
  reply: replies<TransactionExplanation>(),
  errors: ['not_found'],
});
