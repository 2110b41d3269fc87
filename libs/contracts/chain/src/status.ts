import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
import type { AmountText, Timestamp } from '@stablecoin/contracts/wallet/views';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import type { TransferHold, TransferState } from './views';

export class ChainStatus {
  /** All networks with a node by default. */
  @Optional() @IsOneOf(EVM_NETWORKS, 'unsupported_network') network?: EvmNetwork;
}

export interface NodeStatus {
  /** Its host. */
  node: string;
  /** Null where it did not answer. */
  head: number | null;
  /** Blocks behind the furthest node of its network. */
  behind: number | null;
  failure: string | null;
}

/** A transfer, either way, that is not in a final block. */
export interface UnconfirmedDeposit {
  transaction_hash: string;
  block_number: number;
  seen_at: Timestamp;
}

export interface UnconfirmedPayout {
  reference: string;
  state: TransferState;
  held_by: TransferHold | null;
  created_at: Timestamp;
}

/** What the hot wallet had at the block, as the treasury read it. */
export interface HotWalletStatus {
  address: string;
  block_number: number;
  coins_wei: string;
  tokens: { currency: TokenCurrency; units: string; amount: AmountText }[];
}

export interface NetworkStatus {
  network: EvmNetwork;
  chain_id: number;
  /** The newest block that the walk has heard of, the newest walked one, the newest final one; null before the first walk. */
  head: number | null;
  tip: number | null;
  tip_at: Timestamp | null;
  final: number | null;
  /** The next block of a rescan that is under way. */
  rescan_from: number | null;
  nodes: NodeStatus[];
  oldest_unconfirmed_deposit: UnconfirmedDeposit | null;
  oldest_unconfirmed_payout: UnconfirmedPayout | null;
  /** Null until the treasury has read it. */
  hot_wallet: HotWalletStatus | null;
  /** How many transfers wait, by what holds them. */
  waiting: Partial<Record<TransferHold, number>>;
  /** How many are signed and not in a final block. */
  sent: number;
}

/** How far each network is walked, and what is under way on it. `not_found` for one without nodes. */
export const chainStatus = operation({
  subject: 'chain.status',
  readOnly: true,
  request: ChainStatus,
  reply: replies<{ networks: NetworkStatus[] }>(),
  errors: ['not_found'],
});
