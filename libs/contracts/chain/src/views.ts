import type { EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
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
  'rejected_by_screening',
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

/**
 * `waiting`: nothing of it is signed that could be mined. `sent`: signed, and from then on sent again until it is in a
 * final block. `completed`, `failed`: final, and never anything else again.
 */
export const TRANSFER_STATES = ['waiting', 'sent', 'completed', 'failed'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/**
 * Why a transfer waits, while it does. Most pass without a new order: with money, with time, or with the chain. Two need a
 * person: `nonce_taken`, when something else has sent from the address, and `transfer_missing`, when the transaction is
 * final and successful, and its logs do not say what was ordered.
 */
export const TRANSFER_HOLDS = [
  'turn',
  'nodes',
  'liquidity',
  'gas',
  'fees_too_high',
  'token_paused',
  'signing_cap',
  'signer',
  'nonce_taken',
  'transfer_missing',
] as const;
export type TransferHold = (typeof TRANSFER_HOLDS)[number];

export type TransferFailure = 'unpayable_address' | 'recipient_blacklisted' | 'would_revert' | 'reverted' | 'cancelled';

/** What leaves an address of ours: to a payee, to the hot wallet, to the cold address, or coins for a sweep's fee. */
export type TransferKind = 'payout' | 'sweep' | 'to-cold' | 'gas';

export interface TransferView {
  reference: string;
  kind: TransferKind;
  network: EvmNetwork;
  /** Null for native coins. */
  currency: TokenCurrency | null;
  from_address: string;
  to_address: string;
  /** Of the token's contract, or wei. */
  units: string;
  state: TransferState;
  /** While `waiting`; a transfer that was sent has it too while its lane can't go on. */
  held_by: TransferHold | null;
  /** When `failed`. */
  failure: TransferFailure | null;
  nonce: number | null;
  /** As soon as it is signed: the newest one that may be mined, at the end the one that was. */
  transaction_hash: string | null;
  /** Null while it is in no block. */
  block_number: number | null;
  /** The block that it is in is the first. */
  confirmations: number;
  /** Paid by us, in wei of the network's native coin; null until it is final. */
  fee_wei: string | null;
  /** Who asked for its cancellation; null for most. */
  cancelled_by: string | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
