import { Currency, Network } from '@stablecoin/money/currency';
import { AmountText, Timestamp } from '@stablecoin/contracts/wallet/views';

/**
 * Where a deposit's transfer stands on its chain: in a block that may still be replaced, in one that is final, in one that
 * was replaced (it may come again), or nowhere, up to a final block.
 */
export type DepositStanding = 'included' | 'final' | 'orphaned' | 'gone';

export const UNRECOGNISED_REASONS = [
  'unknown_token',
  'below_smallest_unit',
  'wrong_currency',
  'network_without_address',
  'customer_closed',
  'unknown_wallet',
  'refused_by_ledger',
] as const;
export type UnrecognisedReason = (typeof UNRECOGNISED_REASONS)[number];

export interface ChainDepositView {
  network: Network;
  transaction_hash: string;
  block_number: number;
  standing: DepositStanding;
  /** So far; 0 while its block is replaced. The block that it is in is the first. */
  confirmations: number;
  /** Null where it is credited when the network calls its block final. */
  confirmations_required: number | null;
}

/** A transfer to one of our addresses that was not credited by itself. */
export interface UnrecognisedView {
  id: string;
  network: Network;
  transaction_hash: string;
  from_address: string;
  to_address: string;
  /** The contract that emitted it. */
  token: string;
  /** Null for a contract that is on no list of ours, and counts as nothing. */
  currency: Currency | null;
  /** In the token's own units. */
  units: string;
  amount: AmountText | null;
  block_number: number;
  standing: DepositStanding;
  reason: UnrecognisedReason;
  /** The wallet whose address it was sent to. */
  wallet_id: string;
  merchant_id: string;
  seen_at: Timestamp;
}
